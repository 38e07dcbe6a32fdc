/* The end of a maximum likelihood fit: bounds next to the best point of the searches, Newton steps from there, and the
 * covariance matrix. */
#include <math.h>
#include <string.h>
#include "maximise.h"

#define AT_BOUND 1e-5                   /* an optimum within this of a bound is moved onto it if that loses nothing */

/* Moves coordinate j of the best point onto a bound, unless that lowers the exact log-likelihood. */
static int move_to_bound(struct evaluator *e, struct scoring *b, int j, double bound, struct status *st)
{
    double y[PARAMETERS], here, there;
    memcpy(y, b->y, sizeof y);
    y[j] = bound;
    if (evaluate_exactly(e, &b->c, y, &there, st) || evaluate_exactly(e, &b->c, b->y, &here, st)) return st->code;
    if (there < here - HIGHER) return ST_OK;
    memcpy(b->y, y, sizeof y);
    return evaluate_answer(e, &b->c, b->y, &b->here, st);
}

/* Moves alpha and beta onto bounds next to them; fixes those that are at a bound, and records this in `active`. */
static int activate_bounds(struct evaluator *e, struct scoring *b, int *active, struct status *st)
{
    for (int j = ALPHA; j <= BETA; j++) {
        const double bound[2] = { b->c.lower[j], b->c.upper[j] };
        for (int end = 0; end < 2 && b->c.moves[j]; end++) {
            double away = fabs(b->y[j] - bound[end]);
            if (away > 0.0 && away <= AT_BOUND && move_to_bound(e, b, j, bound[end], st)) return st->code;
            if (b->y[j] != bound[end]) continue;
            active[j] = end ? BOUND_UPPER : BOUND_LOWER;
            b->c.moves[j] = 0;
        }
    }
    return ST_OK;
}

/* Runs the Newton steps from the best point. */
static int run_newton(struct evaluator *e, const struct scoring *b, struct newton *t, struct status *st)
{
    struct answer a;
    const double *y;
    double ahead[MAX_AHEAD][PARAMETERS];
    newton_begin(t, &b->c, b->y, &b->here, e->sample->total);
    while ((y = newton_next_point(t))) {
        if (evaluate_ahead(e, &t->c, newton_ahead(t, ahead), ahead, REQUEST_SUMS, st)) return st->code;
        if (evaluate_answer(e, &t->c, y, &a, st)) return st->code;
        newton_update(t, &a);
    }
    return ST_OK;
}

/* Computes the covariance matrix from the information matrix, if it is required. */
static void set_covariance(struct newton *t, int wanted, struct estimate *e)
{
    double inverse[PARAMETERS][PARAMETERS] = { { 0.0 } }, J[PARAMETERS][PARAMETERS];
    int none[PARAMETERS] = { 0 }, moves = 0;
    for (int j = 0; j < PARAMETERS; j++) moves |= t->c.moves[j];
    if (!wanted || !moves) return;
    if (!matrix_invert(t->information, t->c.moves, inverse)) {
        e->notes |= NOTE_NOT_POSITIVE;
        estimate_mask_covariance(e, none);
        return;
    }
    coordinates_jacobian(&t->c, t->y, J);
    matrix_transform(J, inverse, e->cov);
    estimate_mask_covariance(e, t->c.moves);
}

static int end_of(const struct scoring *s, const struct problem *p)
{
    if (p->is_fixed[ALPHA] && p->is_fixed[BETA] && p->is_fixed[GAMMA] && p->is_fixed[DELTA])
        return END_NOTHING_TO_ESTIMATE;
    return s->end == SCORING_TOO_LONG ? END_TOO_LONG : s->end == SCORING_NO_PROGRESS ? END_NO_PROGRESS : END_AT_MAXIMUM;
}

int likelihood_finish(struct evaluator *v, const struct problem *p, struct scoring *b, struct estimate *e,
                      struct status *st)
{
    double theta[PARAMETERS];
    int active[PARAMETERS] = { 0 };
    struct newton t;

    if (!uses_tables(b->y) && evaluate_answer(v, &b->c, b->y, &b->here, st)) return st->code;
    if (activate_bounds(v, b, active, st) || run_newton(v, b, &t, st)) return st->code;
    coordinates_theta(&t.c, t.y, theta);
    estimate_begin(e, p, theta);
    memcpy(e->active, active, sizeof active);
    e->end = end_of(b, p);
    for (int j = 0; j < PARAMETERS; j++)
        if (t.c.moves[j]) e->gradient[j] = t.here.gradient[j] * t.sd[j];
    if (b->c.pm == 1 && !b->c.moves[DELTA]) e->notes |= NOTE_FIXED_LOCATION;
    set_covariance(&t, p->wants_covariance, e);
    return evaluate_exactly(v, &t.c, t.y, &e->loglik, st);
}
