/* Maximum likelihood on contracting grids (Hesterman et al. 2010; for stable distributions Julian-Moreno et al. 2017).
 *
 * The log-likelihoods of all points of a grid are computed in one job.  The best point becomes the centre of the next
 * grid, which has shorter steps if the centre has not moved; a grid that is too small to contain the maximum therefore
 * follows it.  Two kinds of grids lead to the estimate:
 *
 *   1. over the shapes (alpha, beta), with scale and location from quantiles (matched_laws.h), as wide as the
 *      uncertainty of the quantile estimate, and
 *   2. over all coordinates y (problem.h), at
 *
 *          y = centre + L o,      L L' = (sum of s s')^-1,
 *
 *      where s are the scores: the maximum is spherical in o, with standard deviation 1.  L is lower triangular, so
 *      that two of its columns leave the shape unchanged and a grid of 3^4 laws has nine shapes.
 *
 * A quadratic function c + g' o - o' H o/2 is fitted to the values of a grid of the second kind.  If its maximum H^-1 g
 * is within the grid, it is the centre of the next one, whose steps are much shorter.  With steps of 0.1 and then 0.02
 * the maximum is within about 1e-4 of that of the likelihood, and L H^-1 L' is the inverse of the observed information.
 *
 * With two parameters the grids of the second kind are over the shapes only, too, with exact quantiles.
 *
 * A shape parameter at a bound is held there; the gradient at the maximum decides whether it is released.
 */
#include <math.h>
#include <string.h>
#include "fit.h"
#include "grid.h"

#define MAX_ROUNDS    100               /* grids of a search */
#define FIRST_STEP    2.0               /* steps of the first grid, in standard deviations */
#define HELD_STEP     0.5               /* steps of a grid from which a parameter at a bound is held there */
#define FITTED_STEP   0.1               /* steps of the grid from which the information is computed, ... */
#define LAST_STEP     0.02              /* ... and of the last one */
#define MIN_STEP      1e-4              /* a grid next to a bound does not have shorter steps */
#define SHORTER       5.0               /* ratio of the steps of two grids if a quadratic function is fitted */
#define LAST_GRADIENT 1e-4              /* of the log-likelihood at the estimate, in standard errors */
#define INWARDS       1e-3              /* a larger gradient, in standard errors, leads away from a bound */
#define MAX_RELEASES  3
#define INNER_ALPHA   1.98              /* searches begin at this alpha or less, ... */
#define INNER_BETA    0.9               /* ... and with |beta| up to this */
#define MAX_RANGES    12                /* coordinate systems used by a fit */
#define WIDE_REACH    2                 /* of the first grids over the shapes: 5 points along each axis; ... */
#define WIDE_MIN      0.25              /* ... they end with this step, relative to the first one */
#define NEARLY_EQUAL  1e-9              /* error of a log density (interpolant/tensor_approximation.h) */

/* --- bounds ----------------------------------------------------------------------------- */

/* Holds the shape parameters that are at a bound.  Returns TRUE if there are any. */
static int hold_at_bounds(struct grid *g)
{
    int is_held = 0;
    for (int j = ALPHA; j <= BETA; j++) {
        if (!g->moves[j] || !grid_is_at_bound(g, g->y, j)) continue;
        g->moves[j] = 0;
        is_held = 1;
    }
    if (g->y[ALPHA] == 2.0) g->moves[BETA] = 0;             /* it has no effect */
    return is_held;
}

/* Returns the gradient with respect to coordinate j, which is held, away from its bound; in standard errors. */
static double inward_gradient(const struct grid *g, const struct answer *a, int j)
{
    double size = a->gradient[j] / sqrt(fmax(a->outer[j][j], 1e-300));
    return g->y[j] <= g->c.lower[j] ? size : -size;
}

/* TRUE if alpha is held at 2. */
static int is_at_normal(const struct grid *g)
{
    return g->y[ALPHA] == 2.0 && !g->moves[ALPHA] && !g->p->is_fixed[ALPHA];
}

/* Sets beta of a law with alpha = 2, where it has no effect, to the bound from which the likelihood increases most
 * with decreasing alpha: the derivative is linear in beta. */
static int choose_beta(struct grid *g, struct status *st)
{
    struct answer a;
    double y[2][PARAMETERS], best = -INFINITY;
    for (int i = 0; i < 2; i++) {
        memcpy(y[i], g->y, sizeof y[i]);
        y[i][BETA] = i ? g->c.upper[BETA] : g->c.lower[BETA];
    }
    if (g->p->is_fixed[BETA]) return ST_OK;
    if (evaluate_ahead(g->e, &g->c, 2, y, REQUEST_SUMS, st)) return st->code;
    for (int i = 0; i < 2; i++) {
        if (evaluate_answer(g->e, &g->c, y[i], &a, st)) return st->code;
        if (-a.gradient[ALPHA] > best) {
            best = -a.gradient[ALPHA];
            g->y[BETA] = y[i][BETA];
        }
    }
    return ST_OK;
}

/* Releases the shape parameters that are held although the likelihood increases away from their bounds.  Returns TRUE
 * if there are any. */
static int release(struct grid *g, const struct answer *a)
{
    int is_released = 0;
    for (int j = ALPHA; j <= BETA; j++) {
        if (g->p->is_fixed[j] || g->moves[j] || !(inward_gradient(g, a, j) > INWARDS)) continue;
        if (j == BETA && g->y[ALPHA] == 2.0) continue;
        g->moves[j] = is_released = 1;
        if (j == ALPHA && g->y[ALPHA] == 2.0) g->moves[BETA] = !g->p->is_fixed[BETA];
    }
    return is_released;
}

/* --- the search ------------------------------------------------------------------------- */

/* A point to which a search returns if the maximum of a quadratic function turns out to be lower, and the steps of the
 * grid that contained it. */
struct earlier { double y[PARAMETERS], value, step; };

/* Moves the centre by these offsets, towards the maximum of a quadratic function. */
static void move_to_maximum(struct grid *g, double step, const double *offset, struct earlier *last)
{
    int best = grid_best(g);
    double y[PARAMETERS];
    last->value = g->value[best];
    last->step = step;
    memcpy(last->y, g->point[best], sizeof last->y);
    grid_set_point(g, offset, y);
    memcpy(g->y, y, sizeof g->y);
}

/* Returns the steps of the grid after one that contains the maximum of a quadratic function. */
static double next_step(double step)
{
    return step > FITTED_STEP ? fmax(step / SHORTER, FITTED_STEP) : LAST_STEP;
}

/* Moves the centre to the best point of a grid without the maximum of a quadratic function, and returns the next steps:
 * shorter ones if the centre has not moved, or moved to a point that is not better than the best one so far. */
static double move_to_best(struct grid *g, double step, double held_step, double *highest)
{
    int best = grid_best(g), is_better = g->value[best] > *highest;
    memcpy(g->y, g->point[best], sizeof g->y);
    *highest = fmax(*highest, g->value[best]);
    if (is_better && grid_has_moved(g, best)) return step;
    if (step > held_step || !hold_at_bounds(g)) return 0.5 * step;
    grid_set_axes(g);
    return step;
}

/* Computes grids until the maximum is known, or until the centre is far from the point at which the axes were computed:
 * then *is_distant is TRUE, and *step is set to the steps of the next grid. */
static int maximise(struct grid *g, double *step, double held_step, int *is_distant, struct status *st)
{
    struct earlier last = { .value = -INFINITY };
    double H[PARAMETERS][PARAMETERS], offset[PARAMETERS], highest = -INFINITY;
    double error = NEARLY_EQUAL * g->e->sample->total;
    int is_last = 0;

    *is_distant = 0;
    for (int round = 0; !is_last && g->count && *step >= MIN_STEP && g->rounds < MAX_ROUNDS; round++) {
        *is_distant = round > 1 && grid_is_far(g);
        if (*is_distant) break;
        *step = grid_fitting_step(g, *step);
        grid_shift_inside(g, *step);
        if (grid_compute(g, *step, 1, st)) return st->code;
        enum maximum maximum = grid_maximum(g, *step, H, offset);
        if (g->value[grid_best(g)] < last.value - error) {
            memcpy(g->y, last.y, sizeof g->y);
            *step = 0.5 * last.step;
            last.value = -INFINITY;
        } else if (maximum == NONE) {
            *step = move_to_best(g, *step, held_step, &highest);
        } else {
            move_to_maximum(g, *step, offset, &last);
            if (maximum == BEYOND) continue;
            if (*step <= FITTED_STEP && !g->is_informed) memcpy(g->information, H, sizeof H);
            g->is_informed |= *step <= FITTED_STEP;
            is_last = *step <= LAST_STEP;
            *step = next_step(*step);
        }
    }
    return ST_OK;
}

/* Moves a shape that is free off the bounds, where the scores of few observations determine their sum. */
static void move_off_bounds(const struct problem *p, double *y)
{
    if (!p->is_fixed[ALPHA]) y[ALPHA] = fmin(y[ALPHA], INNER_ALPHA);
    if (!p->is_fixed[BETA]) y[BETA] = fmax(fmin(y[BETA], INNER_BETA), -INNER_BETA);
}

/* Sets the axes from the scores at the centre or, if that is at a bound, at a point next to it. */
static int renew_axes(struct grid *g, struct answer *a, struct status *st)
{
    double y[PARAMETERS];
    memcpy(y, g->y, sizeof y);
    move_off_bounds(g->p, g->y);
    if (grid_set_scores(g, a, st)) return st->code;
    memcpy(g->y, y, sizeof y);
    memcpy(g->from, y, sizeof y);
    grid_set_axes(g);
    return ST_OK;
}

/* TRUE if the gradient along an axis is not close to 0. */
static int is_steep(const struct grid *g, const struct answer *a)
{
    for (int k = 0; k < g->count; k++) {
        double slope = 0.0;
        for (int j = 0; j < PARAMETERS; j++) slope += g->axis[g->axes[k]][j] * a->gradient[j];
        if (fabs(slope) > LAST_GRADIENT) return 1;
    }
    return 0;
}

/* Searches for the maximum from the centre of g, beginning with these steps, and computes the gradient there. */
static int search(struct grid *g, double step, struct answer *a, struct status *st)
{
    double held_step = HELD_STEP, last_step = LAST_STEP;
    int releases = 0, is_distant = 1;

    for (;;) {
        if (is_distant && renew_axes(g, a, st)) return st->code;
        if (maximise(g, &step, held_step, &is_distant, st)) return st->code;
        int is_over = g->rounds >= MAX_ROUNDS || coordinates_at_range_end(&g->c, g->y);
        if (is_distant && !is_over) continue;
        if (is_at_normal(g) && choose_beta(g, st)) return st->code;
        if (grid_set_scores(g, a, st) || is_over) return st->code;
        if (releases < MAX_RELEASES && release(g, a)) {
            releases++;
            held_step *= 0.1;
            step = HELD_STEP;
            is_distant = 1;
        } else if (g->is_informed && is_steep(g, a) && last_step > MIN_STEP) {
            step = last_step;
            last_step /= SHORTER;
        } else {
            return ST_OK;
        }
    }
}

/* Contracts grids around the best point until one with steps of at most `minimum` has it at its centre. */
static int contract(struct grid *g, double step, double minimum, int reach, struct status *st)
{
    for (int round = 0; g->count && round < MAX_ROUNDS; round++) {
        if (grid_compute(g, step, reach, st)) return st->code;
        int best = grid_best(g);
        memcpy(g->y, g->point[best], sizeof g->y);
        if (best) continue;
        if (step <= minimum) break;
        step /= 2 * reach;
    }
    return ST_OK;
}

/* Sets the coordinates that move, from those of g->c. */
static void set_moves(struct grid *g)
{
    memcpy(g->moves, g->c.moves, sizeof g->moves);
    if (g->plane) g->moves[GAMMA] = g->moves[DELTA] = 0;
    if (g->y[ALPHA] == 2.0 && !g->moves[ALPHA]) g->moves[BETA] = 0;
}

/* Searches over the shapes near the law theta (S0), on grids as wide as the uncertainty of a quantile estimate. */
static int search_shapes(struct grid *g, struct matched_laws *m, const double *theta, struct status *st)
{
    g->plane = m;
    g->c = matched_coordinates(m, theta);
    for (;;) {
        memcpy(g->y, g->c.base, sizeof g->y);
        set_moves(g);
        memset(g->axis, 0, sizeof g->axis);
        g->axis[ALPHA][ALPHA] = 0.25 * g->y[ALPHA];
        g->axis[BETA][BETA] = 0.5;
        g->count = 0;
        for (int j = ALPHA; j <= BETA; j++)
            if (g->moves[j]) g->axes[g->count++] = j;
        if (match_laws(m, &g->c, g->e, 1, &g->y, st)) return st->code;
        if (contract(g, 1.0, WIDE_MIN, WIDE_REACH, st)) return st->code;
        if (!matched_at_range_end(&g->c, g->y)) return ST_OK;
        m->is_peaked = 0;
        g->c = matched_coordinates(m, g->y);
    }
}

/* --- the estimate ------------------------------------------------------------------------- */

/* Sets the covariance matrix J L H^-1 L' J', and the gradient in standard errors. */
static void set_covariance(const struct grid *g, const struct answer *a, struct estimate *e)
{
    double inverse[PARAMETERS][PARAMETERS], cov[PARAMETERS][PARAMETERS], J[PARAMETERS][PARAMETERS];
    double L[PARAMETERS][PARAMETERS], H[PARAMETERS][PARAMETERS];

    memcpy(H, g->information, sizeof H);
    if (!g->count) return;
    for (int j = 0; j < PARAMETERS; j++)
        if (g->moves[j]) e->gradient[j] = a->gradient[j] / sqrt(fmax(a->outer[j][j], 1e-300));
    if (!g->is_informed || !matrix_invert(H, g->moves, inverse)) {
        if (g->p->wants_covariance) e->notes |= NOTE_NOT_POSITIVE;
        return;
    }
    for (int j = 0; j < PARAMETERS; j++)
        for (int k = 0; k < PARAMETERS; k++) L[j][k] = g->axis[k][j];
    matrix_transform(L, inverse, cov);
    for (int j = 0; j < PARAMETERS; j++)
        if (g->moves[j]) e->gradient[j] = a->gradient[j] * sqrt(cov[j][j]);
    if (!g->p->wants_covariance) return;
    coordinates_jacobian(&g->c, g->y, J);
    matrix_transform(J, cov, e->cov);
    estimate_mask_covariance(e, g->moves);
}

static int finish(struct grid *g, const struct problem *p, const struct answer *a, struct estimate *e,
                  struct status *st)
{
    struct estimate gaussian = { .loglik = -INFINITY };
    double theta[PARAMETERS];

    if (g->y[ALPHA] == 2.0 && !p->is_fixed[BETA]) g->y[BETA] = 0.0;
    coordinates_theta(&g->c, g->y, theta);
    estimate_begin(e, p, theta);
    e->end = END_GRID;
    if (!g->plane && g->c.pm == 1 && !p->is_fixed[DELTA] && !g->c.moves[DELTA]) e->notes |= NOTE_FIXED_LOCATION;
    if (!g->plane) set_covariance(g, a, e);
    if (evaluate_exactly(g->e, &g->c, g->y, &e->loglik, st)) return st->code;
    if (!g->plane) gaussian_fit(g->e->sample, p, &gaussian);
    if (gaussian.loglik > -INFINITY && gaussian.loglik >= e->loglik - GAUSSIAN_MARGIN) *e = gaussian;
    e->steps = g->rounds;
    e->evaluations = g->e->count;
    return ST_OK;
}

/* Sets coordinates about the law theta (S0), with the support and the peak where the likelihood is highest. */
static int begin_about(struct grid *g, const double *theta, struct status *st)
{
    int count;
    g->plane = NULL;
    g->c = coordinates_about(g->p, theta);
    if (starts_fit_support(g->e, &g->c, st)) return st->code;
    return starts_modes(g->e, &g->c, 1, 0.0, &count, st);
}

/* Searches over all coordinates from their base. */
static int search_about(struct grid *g, struct answer *a, struct status *st)
{
    struct placement placement = { .is_known = 0 };
    double step = FIRST_STEP;
    for (int i = 0; i < MAX_RANGES; i++) {
        memcpy(g->y, g->c.base, sizeof g->y);
        set_moves(g);
        if (search(g, step, a, st)) return st->code;
        struct coordinates c = coordinates_recentred(g->p, &g->c, g->y);
        if (!starts_must_continue(g->e->sample, &g->c, g->y, &c, &placement)) break;
        step = coordinates_at_range_end(&g->c, g->y) ? FIRST_STEP : HELD_STEP;
        g->c = c;
    }
    return ST_OK;
}

/* Repeats the search from the law that it has found with beta moved to its bound, if that law is nearly one-sided, and
 * keeps the more likely law.  For alpha < 1 the support of a one-sided law ends at zeta: the likelihood may have one
 * maximum with beta at its bound and another one close to it.  If observations are far beyond that end, the law at the
 * bound is so much less likely that no search from it is worthwhile. */
static int search_border(struct grid *g, struct answer *a, struct status *st)
{
    struct grid other = *g;
    struct answer b;
    double theta[PARAMETERS], here, there;
    if (g->p->is_fixed[BETA] || fabs(g->y[BETA]) == 1.0) return ST_OK;
    if (!starts_are_nearly_one_sided(g->e->sample, g->y)) return ST_OK;
    coordinates_theta(&g->c, g->y, theta);
    theta[BETA] = copysign(1.0, theta[BETA]);
    other.rounds = other.is_informed = 0;
    if (begin_about(&other, theta, st) || evaluate_value(g->e, &other.c, other.c.base, &there, st)) return st->code;
    if (there < a->value - SEARCH_MARGIN - SEARCH_GAIN * g->e->sample->total) return ST_OK;
    if (search_about(&other, &b, st)) return st->code;
    if (evaluate_exactly(g->e, &g->c, g->y, &here, st)) return st->code;
    if (evaluate_exactly(g->e, &other.c, other.y, &there, st)) return st->code;
    int rounds = g->rounds + other.rounds;
    if (there > here) {
        *g = other;
        *a = b;
    }
    g->rounds = rounds;
    return ST_OK;
}

/* Searches over all coordinates from the law theta (S0), or from one next to it that is not at a bound. */
static int search_laws(struct grid *g, double *theta, struct answer *a, struct status *st)
{
    move_off_bounds(g->p, theta);
    if (begin_about(g, theta, st) || search_about(g, a, st)) return st->code;
    return search_border(g, a, st);
}

int grid_fit(struct evaluator *e, const struct problem *p, const double *from, int parameters, struct estimate *out,
             struct status *st)
{
    struct problem bounded = *p;                /* where equal values do not make the likelihood unbounded */
    bounded.alpha_min = fmax(p->alpha_min, e->sample->tied_alpha);
    struct matched_laws plane = matched_laws_of(e->sample, &bounded, parameters == 2);
    struct grid g = { .e = e, .p = &bounded };
    struct answer a = { .value = -INFINITY };
    double theta[PARAMETERS];

    if (search_shapes(&g, &plane, from, st)) return st->code;
    if (parameters == 2) {
        if (search(&g, FIRST_STEP, &a, st)) return st->code;
        if (matched_at_range_end(&g.c, g.y)) {
            plane.is_peaked = 0;
            if (search_shapes(&g, &plane, g.y, st) || search(&g, FIRST_STEP, &a, st)) return st->code;
        }
    } else {
        coordinates_theta(&g.c, g.y, theta);
        if (search_laws(&g, theta, &a, st)) return st->code;
    }
    return finish(&g, p, &a, out, st);
}
