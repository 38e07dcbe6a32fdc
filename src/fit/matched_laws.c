#include <math.h>
#include <string.h>
#include "matched_laws.h"

#define PEAKED_END 0.9                  /* S1 is singular at alpha = 1 */
#define SLOPE_STEP 1e-4                 /* of differences: absolute for beta, relative for alpha */

struct matched_laws matched_laws_of(const struct sample *s, const struct problem *p, int is_exact)
{
    struct matched_laws m = { s, p, 0, is_exact };
    double theta[PARAMETERS];
    start_estimate(p, s->quantile, s->mode, theta);
    m.is_peaked = theta[ALPHA] < NARROW_ALPHA && !p->is_fixed[DELTA] && p->alpha_min < PEAKED_END
        && !(p->is_fixed[ALPHA] && p->fixed[ALPHA] >= PEAKED_END);
    return m;
}

struct coordinates matched_coordinates(const struct matched_laws *m, const double *theta)
{
    const struct problem *p = m->p;
    int is_peaked = m->is_peaked;
    struct coordinates c = {
        { theta[ALPHA], theta[BETA], 0.0, 0.0 }, { 0 }, { p->alpha_min, -1.0, -INFINITY, -INFINITY },
        { is_peaked ? PEAKED_END : 2.0, 1.0, INFINITY, INFINITY }, is_peaked, p->alpha_min,
        is_peaked ? m->sample->mode : 0.0, 1.0
    };
    for (int j = 0; j < PARAMETERS; j++) {
        c.moves[j] = !p->is_fixed[j];
        if (p->is_fixed[j] && j <= BETA) c.lower[j] = c.upper[j] = p->fixed[j];
        c.base[j] = fmin(fmax(c.base[j], c.lower[j]), c.upper[j]);
    }
    return c;
}

int matched_at_range_end(const struct coordinates *c, const double *y)
{
    return c->pm == 1 && c->moves[ALPHA] && y[ALPHA] >= PEAKED_END;
}

/* Sets the interquartile ranges and medians, or in S1 the modes, of the standard laws of these shapes. */
static int exact_quantiles(const struct coordinates *c, struct evaluator *e, int count, double (*y)[PARAMETERS],
                           double *distance, double *middle, struct status *st)
{
    static const double level[] = { 0.25, 0.5, 0.75 }, one = 1.0, zero = 0.0;
    double alpha[3 * MAX_AT_ONCE], beta[3 * MAX_AT_ONCE], q[3 * MAX_AT_ONCE];
    size_t n = 3 * (size_t)count;
    struct element_job job = {
        .quantity = JOB_QUANTILES, .n = n, .x = { level, 3 }, .lower = 1, .out = { q }, .on_cpu = 1,
        .laws = { { alpha, n }, { beta, n }, { &one, 1 }, { &zero, 1 }, 0 }
    };

    for (size_t i = 0; i < n; i++) {
        alpha[i] = y[i / 3][ALPHA];
        beta[i] = y[i / 3][BETA];
    }
    if (context_run(e->context, &job, st)) return st->code;
    for (int i = 0; i < count; i++) {
        distance[i] = q[3 * i + 2] - q[3 * i];
        middle[i] = q[3 * i + 1];
        alpha[i] = y[i][ALPHA];
        beta[i] = y[i][BETA];
    }
    if (c->pm != 1) return ST_OK;
    struct element_job modes = {
        .quantity = JOB_MODES, .n = (size_t)count, .out = { middle }, .on_cpu = 1,
        .laws = { { alpha, (size_t)count }, { beta, (size_t)count }, { &one, 1 }, { &zero, 1 }, 1 }
    };
    return context_run(e->context, &modes, st);
}

static void tabulated_quantiles(const struct matched_laws *m, const struct coordinates *c, int count,
                                double (*y)[PARAMETERS], double *distance, double *middle)
{
    for (int i = 0; i < count; i++) {
        const double standard[PARAMETERS] = { y[i][ALPHA], y[i][BETA], 1.0, 0.0 };
        start_quartiles(m->p->tables, standard, &distance[i], &middle[i]);
        if (c->pm == 1) middle[i] = 0.0;
    }
}

/* Moves laws whose peak is on an observation to the distance from it of a fixed location, so that the observation is in
 * the longer tail: the likelihood with the peak on it increases without bound as alpha -> 0. */
static void move_beside(const struct matched_laws *m, int count, double (*y)[PARAMETERS])
{
    for (int i = 0; i < count; i++) {
        double d = starts_distance(m->sample, m->sample->mode, y[i][ALPHA], exp(y[i][GAMMA]));
        y[i][DELTA] -= y[i][BETA] > 0.0 ? d : -d;
    }
}

int match_laws(const struct matched_laws *m, const struct coordinates *c, struct evaluator *e, int count,
               double (*y)[PARAMETERS], struct status *st)
{
    double distance[MAX_AT_ONCE], middle[MAX_AT_ONCE];
    const double *q = m->sample->quantile;
    const struct problem *p = m->p;

    if (!m->is_exact) tabulated_quantiles(m, c, count, y, distance, middle);
    else if (exact_quantiles(c, e, count, y, distance, middle, st)) return st->code;
    for (int i = 0; i < count; i++) {
        double gamma = p->is_fixed[GAMMA] ? p->fixed[GAMMA] : (q[3] - q[1]) / distance[i];
        y[i][GAMMA] = log(gamma);
        y[i][DELTA] = p->is_fixed[DELTA] ? p->fixed[DELTA] : (c->pm == 1 ? 0.0 : q[2]) - gamma * middle[i];
    }
    if (!m->is_exact && c->pm == 1) move_beside(m, count, y);
    return ST_OK;
}

/* Computes T = dy/d(alpha, beta), by differences inside the bounds; 0 for a fixed parameter. */
static int slopes_of(const struct matched_laws *m, const struct coordinates *c, struct evaluator *e, const double *y,
                     double T[2][PARAMETERS], struct status *st)
{
    double at[4][PARAMETERS];
    for (int i = 0; i < 4; i++) {
        int j = i / 2;
        struct sides s = coordinates_sides(c, y, j, SLOPE_STEP * (j == ALPHA ? y[ALPHA] : 1.0));
        memcpy(at[i], y, sizeof at[i]);
        if (c->moves[j]) at[i][j] += i % 2 ? s.above : s.below;
    }
    if (match_laws(m, c, e, 4, at, st)) return st->code;
    for (int j = ALPHA; j <= BETA; j++)
        for (int k = 0; k < PARAMETERS; k++) {
            double width = at[2 * j + 1][j] - at[2 * j][j];
            T[j][k] = width > 0.0 ? (at[2 * j + 1][k] - at[2 * j][k]) / width : 0.0;
        }
    return ST_OK;
}

int match_scores(const struct matched_laws *m, const struct coordinates *c, struct evaluator *e, const double *y,
                 struct answer *a, struct status *st)
{
    double T[2][PARAMETERS];
    struct answer in_shape = { .value = a->value };
    if (slopes_of(m, c, e, y, T, st)) return st->code;
    for (int i = ALPHA; i <= BETA; i++) {
        for (int k = 0; k < PARAMETERS; k++) in_shape.gradient[i] += T[i][k] * a->gradient[k];
        for (int j = ALPHA; j <= BETA; j++) in_shape.outer[i][j] = matrix_form(a->outer, T[i], T[j]);
    }
    *a = in_shape;
    return ST_OK;
}
