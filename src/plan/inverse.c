/* plan/inverse.c: how quantiles are drawn.
 *
 * A side is laid binade by binade from q = 1/2 down to 2^-LAID.  A piece takes its nodes, at
 * the zeros of the Chebyshev polynomial T_12, from the chart, and is checked against the exact
 * path at places between them; a binade one of whose pieces misses is cut finer.  If that does
 * not help it gets one piece, of NaN.
 */
#include <stdlib.h>
#include "inverse.h"
#include "polynomial.h"
#include "../core/evaluate.h"

#define INVERSE_ERROR 2e-13             /* relative to x and to x - zeta ... */
#define ULPS_OF_Q     4.0               /* ... or what so many ulp of q make of x */
#define LAID          20                /* binades */
#define MAX_CUT       6                 /* 2^6 pieces of a binade */
#define TOGETHER      200               /* panels laid for the chart with which a thread for each side is worth it */
#define NEWTON_STEPS  12
#define NEWTON_DONE   1e-9              /* a step whose square is nothing */

/* A side in the making. */
struct draft {
    struct shape *shape;
    const struct chart *chart;
    int lower;
    struct transform transform;
    double *c;
    double last;                        /* x - c that was found last */
    int start[LAID], shift[LAID];       /* of the binades from 1/2 downwards */
    int pieces;
};

/* The wanted tail and the density at y = x - c by the chart; 0 if they are not there. */
static int on_chart(const struct draft *d, double y, double *tail, double *pdf)
{
    const struct chart_side *side = &d->chart->side[y < 0.0];
    double t;
    int piece = chart_find(side, d->chart->s + fabs(y), &t);
    if (piece < 0) return 0;
    *tail = exp(chart_value(side->tail + (size_t)piece * CHART_TERMS, t));
    *pdf = exp(chart_value(side->pdf + (size_t)piece * CHART_TERMS, t));
    if (side->upper[piece] == d->lower) *tail = 1.0 - *tail;
    return 1;
}

/* The law at y = x - c by the exact path, and what its tail exceeds q by. */
static double excess(const struct draft *d, double y, double q, struct stable_value *v)
{
    struct abscissa x = { y, 0.0, d->chart->at_zeta };
    shape_eval(d->shape, x, v);
    return value_cdf(v, d->lower, 0) - q;
}

/* x - c at q: Newton's method, on the chart from the last one and then once by the exact path; or
 * all of it by the exact path. */
static double quantile_at(struct draft *d, double q)
{
    double y = d->last, tail, pdf, sign = d->lower ? 1.0 : -1.0;
    struct stable_value v;
    for (int i = 0; i < NEWTON_STEPS && on_chart(d, y, &tail, &pdf); i++) {
        double step = sign * (tail - q) / pdf;
        y -= step;
        if (fabs(step) > NEWTON_DONE * fabs(y)) continue;
        y -= sign * excess(d, y, q, &v) / value_pdf(&v, 0);
        return d->last = y;
    }
    return d->last = shape_quantile(d->shape, q, d->lower, 0, d->chart->at_zeta).hi;
}

/* Is y = x - c the quantile of q? */
static int is_right(const struct draft *d, double y, double q)
{
    struct stable_value v;
    double from_zeta = d->chart->at_zeta ? y : y + d->chart->centre[1].hi, size = fabs(y), miss;
    if (fabs(from_zeta) < size) size = fabs(from_zeta);
    miss = fabs(excess(d, y, q, &v));
    return miss <= INVERSE_ERROR * size * value_pdf(&v, 0) + ULPS_OF_Q * EPSILON * q;
}

static int lay_piece(struct draft *d, int i, double left, double width)
{
    double y[CHART_TERMS], *c = d->c + (size_t)i * CHART_TERMS;
    for (int k = 0; k < CHART_TERMS; k++) {
        y[k] = quantile_at(d, left + 0.5 * (1.0 + d->transform.node[k]) * width);
        if (!isfinite(y[k])) return 0;
    }
    transform_apply(&d->transform, y, c);
    for (int k = 0; k < CHECKS; k++)
        if (!is_right(d, chart_value(c, check_at[k]), left + 0.5 * (1.0 + check_at[k]) * width)) return 0;
    return 1;
}

/* Binade number k, from 2^-(k+2) to 2^-(k+1), now has 2^cut pieces. */
static void keep_binade(struct draft *d, int k, int cut)
{
    d->start[k] = d->pieces;
    d->shift[k] = cut;
    d->pieces += 1 << cut;
}

/* Lay a binade, beginning with 2^cut pieces; the cut it took. */
static int lay_binade(struct draft *d, int k, int cut)
{
    double left = ldexp(1.0, -k - 2);
    for (int finer = cut; finer <= MAX_CUT; finer++) {
        double width = left / (1 << finer);
        int i = 0;
        while (i < 1 << finer && lay_piece(d, d->pieces + i, left + i * width, width)) i++;
        if (i < 1 << finer) continue;
        keep_binade(d, k, finer);
        return finer;
    }
    d->c[(size_t)d->pieces * CHART_TERMS] = NAN;
    keep_binade(d, k, 0);
    return cut;
}

/* As a side of a chart, whose binades rise. */
static int hand_over(struct draft *d, struct chart_side *side)
{
    int *start = malloc(LAID * sizeof(int)), *shift = malloc(LAID * sizeof(int));
    double *c = realloc(d->c, (size_t)d->pieces * CHART_TERMS * sizeof(double));
    side->start = start;
    side->shift = shift;
    side->pdf = c ? c : d->c;
    if (!start || !shift) return 0;
    for (int k = 0; k < LAID; k++) {
        start[LAID - 1 - k] = d->start[k];
        shift[LAID - 1 - k] = d->shift[k];
    }
    side->first = 1023 - 1 - LAID;                       /* the exponent of 2^-(LAID + 1) */
    side->binades = LAID;
    return 1;
}

static int lay_side(struct chart_side *side, struct shape *shape, const struct chart *chart, int lower)
{
    struct draft d = { .shape = shape, .chart = chart, .lower = lower, .last = NAN };
    int cut = 3;
    d.c = malloc((size_t)LAID * ((size_t)CHART_TERMS << MAX_CUT) * sizeof(double));
    if (!d.c) return 0;
    transform_set(&d.transform);
    for (int k = 0; k < LAID; k++) cut = lay_binade(&d, k, cut > 0 ? cut - 1 : 0);
    return hand_over(&d, side);
}

/* A side's pieces are numbered from the last binade on. */
static size_t side_bytes(const struct chart_side *s)
{
    size_t pieces = (size_t)s->start[0] + ((size_t)1 << s->shift[0]);
    return pieces * CHART_TERMS * sizeof(double) + 2 * LAID * sizeof(int);
}

/* Each side begins anew, so that they may be laid at once. */
struct inverse *inverse_new(struct crew *crew, const struct chart *chart)
{
    struct inverse *inv = calloc(1, sizeof *inv);
    int laid = 0, together;
    if (!inv) return NULL;
    crew_set(crew, chart->alpha, chart->beta);
    together = crew->count > 1 && shape_laid(crew->shape[0]) > TOGETHER;
#ifdef _OPENMP
#pragma omp parallel for num_threads(2) reduction(+:laid) if (together)
#endif
    for (int lower = 0; lower < 2; lower++) {
        struct shape *shape = crew->shape[together ? lower : 0];
        laid += lay_side(&inv->side[!lower], shape, chart, lower);
    }
    if (laid < 2) {
        inverse_free(inv);
        return NULL;
    }
    inv->bytes = sizeof *inv + side_bytes(&inv->side[0]) + side_bytes(&inv->side[1]);
    return inv;
}

void inverse_free(struct inverse *inv)
{
    if (!inv) return;
    for (int k = 0; k < 2; k++) chart_side_free(&inv->side[k]);
    free(inv);
}
