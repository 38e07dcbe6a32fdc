/* Builds quantile interpolants.
 *
 * A side consists of the binades from q = 1/2 down to 2^-(BUILT + 1), each built independently.  A piece is
 * interpolated from quantiles at the zeros of the Chebyshev polynomial T_12, which are found by means of the
 * interpolant of the distribution function, and is checked against exact values at points between them.  If any
 * piece of a binade fails the check, the binade is divided into more pieces; if 2^MAX_CUT pieces do not suffice, it
 * gets a single piece with the coefficient NaN.
 */
#include <string.h>
#include "build.h"
#include "../base/memory.h"
#include "../stable/evaluate.h"

#define QUANTILE_ERROR 2e-13             /* relative to the smaller of |x| and |x - zeta| on the piece, plus ... */
#define ULPS_OF_Q     20.0              /* ... the change of x for this many ulp of q */
#define BUILT          20                /* binades per side */
#define FIRST_CUT     1                 /* initially 2^1 pieces per binade */
#define MAX_CUT       6                 /* at most 2^6 pieces per binade */
#define PARALLEL_NODE_SETS 200          /* node sets built for the interpolant above which several threads are used */
#define NEWTON_STEPS  12
#define NEWTON_DONE   1e-9              /* relative step whose square is negligible */

/* A side under construction. */
struct quantile_side {
    struct shape *shape;
    const struct interpolant *interpolant;
    int lower;
    double last;                        /* x - c found last; start of Newton's method */
};

/* A binade of a side; binade 0 ends at q = 1/2. */
struct binade {
    int cut;                            /* 2^cut pieces */
    double *c;                          /* coefficients of up to 2^MAX_CUT pieces; NULL: memory was short */
};

/* Both sides; the job of build_binade(). */
struct construction {
    const struct interpolant *interpolant;
    struct transform transform;
    struct binade side[2][BUILT];       /* upper tail, lower tail */
};

/* Evaluates the interpolant at y = x - c: the tail probability selected by d->lower, and the density.  Returns 0
 * if it does not cover y. */
static int on_interpolant(const struct quantile_side *d, double y, double *tail, double *pdf)
{
    const struct interpolant_side *side = &d->interpolant->side[y < 0.0];
    double t;
    int piece = interpolant_find(side, d->interpolant->s + fabs(y), &t);
    if (piece < 0) return 0;
    *tail = exp(interpolant_value(side->tail + (size_t)piece * INTERPOLANT_TERMS, t));
    *pdf = exp(interpolant_value(side->pdf + (size_t)piece * INTERPOLANT_TERMS, t));
    if (side->upper[piece] == d->lower) *tail = 1.0 - *tail;
    return 1;
}

/* Evaluates the distribution exactly at y = x - c; returns the difference between its tail probability and q. */
static double excess(const struct quantile_side *d, double y, double q, struct stable_value *v)
{
    struct argument x = { y, 0.0, d->interpolant->at_zeta };
    shape_eval(d->shape, x, v);
    return value_cdf(v, d->lower, 0) - q;
}

/* Returns x - c at the probability q.  Applies Newton's method to the interpolant, starting from the previous
 * result, and then one step to exact values; computes the exact quantile if that fails. */
static double quantile_at(struct quantile_side *d, double q)
{
    double y = d->last, tail, pdf, sign = d->lower ? 1.0 : -1.0;
    struct stable_value v;
    for (int i = 0; i < NEWTON_STEPS && on_interpolant(d, y, &tail, &pdf); i++) {
        double step = sign * (tail - q) / pdf;
        y -= step;
        if (fabs(step) > NEWTON_DONE * fabs(y)) continue;
        y -= sign * excess(d, y, q, &v) / value_pdf(&v, 0);
        return d->last = y;
    }
    return d->last = shape_quantile(d->shape, q, d->lower, 0, 0, d->interpolant->at_zeta).hi;
}

/* Returns the smallest |x| for x from a to b. */
static double smallest_magnitude(double a, double b)
{
    double size = fabs(a) < fabs(b) ? fabs(a) : fabs(b);
    return (a < 0.0) == (b < 0.0) ? size : 0.0;
}

/* Returns the smallest of |x| and |x - zeta| for y = x - c from a to b.  One of 0 and zeta is c, the other is
 * `other` away from c. */
static double smallest_on_piece(const struct interpolant *c, double a, double b)
{
    double other = c->at_zeta ? -c->centre[0].hi : -c->centre[1].hi;
    double from_c = smallest_magnitude(a, b), from_other = smallest_magnitude(a - other, b - other);
    return from_c < from_other ? from_c : from_other;
}

/* TRUE if y = x - c is the quantile of q within the tolerance; size: the result of smallest_on_piece(). */
static int is_accurate(const struct quantile_side *d, double y, double q, double size)
{
    struct stable_value v;
    double miss = fabs(excess(d, y, q, &v));
    return miss <= QUANTILE_ERROR * size * value_pdf(&v, 0) + ULPS_OF_Q * EPSILON * q;
}

/* Builds the piece on [left, left + width); returns 0 if it fails the check. */
static int build_piece(struct quantile_side *d, const struct transform *m, double *c, double left, double width)
{
    double y[INTERPOLANT_TERMS];
    for (int k = 0; k < INTERPOLANT_TERMS; k++) {
        y[k] = quantile_at(d, left + 0.5 * (1.0 + m->node[k]) * width);
        if (!isfinite(y[k])) return 0;
    }
    transform_apply(m, y, c);
    double size = smallest_on_piece(d->interpolant, y[0], y[INTERPOLANT_TERMS - 1]);
    for (int k = 0; k < CHECKS; k++) {
        double q = left + 0.5 * (1.0 + check_at[k]) * width;
        if (!is_accurate(d, interpolant_value(c, check_at[k]), q, size)) return 0;
    }
    return 1;
}

/* Tasks 2 k and 2 k + 1 build the binade from 2^-(k+2) to 2^-(k+1) of the upper and of the lower tail. */
static void build_binade(void *job, struct shape *shape, int task)
{
    struct construction *w = job;
    struct binade *b = &w->side[task & 1][task >> 1];
    struct quantile_side d = { .shape = shape, .interpolant = w->interpolant, .lower = task & 1, .last = NAN };
    double left = ldexp(1.0, -(task >> 1) - 2);
    b->c = memory_allocate(((size_t)INTERPOLANT_TERMS << MAX_CUT) * sizeof(double));
    if (!b->c) return;
    for (b->cut = FIRST_CUT; b->cut <= MAX_CUT; b->cut++) {
        int i = 0, pieces = 1 << b->cut;
        double width = left / pieces;
        while (i < pieces && build_piece(&d, &w->transform, b->c + i * INTERPOLANT_TERMS, left + i * width, width)) i++;
        if (i == pieces) return;
    }
    b->c[0] = NAN;
    b->cut = 0;
}

/* Copies the binades into a side, in increasing order of q; returns 0 if memory is short. */
static int copy_to_side(const struct binade *b, struct interpolant_side *side, size_t *bytes)
{
    int *start = memory_allocate(BUILT * sizeof *start), *shift = memory_allocate(BUILT * sizeof *shift), pieces = 0;
    for (int k = 0; k < BUILT; k++) pieces += 1 << b[k].cut;
    double *c = memory_allocate((size_t)pieces * INTERPOLANT_TERMS * sizeof *c);
    side->start = start;
    side->shift = shift;
    side->pdf = c;
    if (!start || !shift || !c) return 0;
    for (int k = BUILT - 1, at = 0; k >= 0; at += 1 << b[k--].cut) {
        if (!b[k].c) return 0;
        start[BUILT - 1 - k] = at;
        shift[BUILT - 1 - k] = b[k].cut;
        memcpy(c + (size_t)at * INTERPOLANT_TERMS, b[k].c, ((size_t)INTERPOLANT_TERMS << b[k].cut) * sizeof *c);
    }
    side->first = 1023 - 1 - BUILT;     /* biased exponent of 2^-(BUILT + 1) */
    side->binades = BUILT;
    *bytes += (size_t)pieces * INTERPOLANT_TERMS * sizeof *c + 2 * BUILT * sizeof(int);
    return 1;
}

struct quantile_interpolant *quantile_interpolant_new(struct shape_pool *shape_pool,
                                                      const struct interpolant *interpolant)
{
    struct quantile_interpolant *inv = memory_zeroed(1, sizeof *inv);
    struct construction w = { .interpolant = interpolant };
    int is_complete = 1;
    if (!inv) return NULL;
    inv->bytes = sizeof *inv;
    transform_set(&w.transform);
    shape_pool_set(shape_pool, interpolant->alpha, interpolant->beta);
    shape_pool_run(shape_pool, build_binade, &w, 0, 2 * BUILT, shape_built(shape_pool->shape[0]) > PARALLEL_NODE_SETS);
    for (int lower = 0; lower < 2; lower++) {
        is_complete = copy_to_side(w.side[lower], &inv->side[!lower], &inv->bytes) && is_complete;
        for (int k = 0; k < BUILT; k++) memory_release(w.side[lower][k].c);
    }
    if (is_complete) return inv;
    quantile_interpolant_free(inv);
    return NULL;
}

void quantile_interpolant_free(struct quantile_interpolant *inv)
{
    if (!inv) return;
    for (int k = 0; k < 2; k++) interpolant_side_free(&inv->side[k]);
    memory_release(inv);
}

void interpolant_free(struct interpolant *c)
{
    if (!c) return;
    for (int k = 0; k < 2; k++) interpolant_side_free(&c->side[k]);
    quantile_interpolant_free(c->quantile_interpolant);
    memory_release(c);
}
