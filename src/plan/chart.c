/* plan/chart.c: how a chart is laid.
 *
 * Pieces are laid binade by binade from the centre outwards.  A piece takes its nodes
 * from the exact path, at the zeros of the Chebyshev polynomial T_12, and is checked at
 * places between them; a binade one of whose pieces misses is cut finer.  A side ends where
 * the tail is below CHART_TAIL, where the density underflows, or where MAX_CUT does not help.
 *
 * The centre is zeta for alpha < 1, next to which such a law has structure on all scales
 * down to that of its Taylor series there (an asymptotic one), and 0 otherwise.  A
 * one-sided law vanishes at zeta faster than any power: its chart begins where log f
 * can be drawn.
 */
#include <stdlib.h>
#include <string.h>
#include "chart.h"
#include "inverse.h"
#include "polynomial.h"

#define CHART_ERROR 4e-14            /* on the log scale (value.h): 1e-12 of what a side holds */
#define CHART_TAIL  1e-8
#define LOG_LOWEST  (-690.0)            /* log f where a side ends */
#define LOG_HIGHEST 600.0
#define MAX_CUT     6                   /* 2^6 pieces of a binade */
#define MAX_BINADES 1200
#define FAR_ZETA    8.0                 /* beyond, the bulk of the law is not at zeta */
#define FINEST      (-900)              /* exponent of the smallest s */
#define WORTH_MORE  0.02                /* probability beyond a gap that is worth to go on for */
#define MAX_SKIPPED 80                  /* binades next to the centre that may be left out */
#define LOG_2       0.69314718055994530942
#define TOGETHER    32                  /* panels laid for one binade with which a thread for each side is worth it */

/* A side in the making. */
struct draft {
    struct shape *shape;
    const struct chart *chart;
    double sign;                        /* of x - centre */
    double left;                        /* where the next binade begins */
    int cut;                            /* that the last one took */
    int *start, *shift;
    double *pdf, *tail;
    unsigned char *upper;
    int skipped, binades, pieces, room;
    int is_short;                       /* of memory */
};

/* The law at w; from zeta itself, without a difference, if that is the centre. */
static void value_at(const struct draft *d, double w, struct stable_value *v)
{
    struct abscissa x = { d->sign * (w - d->chart->s), 0.0, d->chart->at_zeta };
    shape_eval(d->shape, x, v);
}

static double log_tail(const struct stable_value *v, int upper)
{
    return value_cdf(v, !upper, 1);
}

static int misses(double drawn, double right)
{
    double size = fabs(right) > 1.0 ? fabs(right) : 1.0;
    return !(fabs(drawn - right) <= CHART_ERROR * size);
}

/* Lay the piece [left, left + width) as number i; 0 if it is not good enough. */
static int lay_piece(struct draft *d, const struct transform *m, int i, double left, double width)
{
    double pdf[CHART_TERMS], tail[CHART_TERMS];
    struct stable_value at[CHART_TERMS], v;
    for (int k = 0; k < CHART_TERMS; k++) value_at(d, left + 0.5 * (1.0 + m->node[k]) * width, &at[k]);
    int upper = at[CHART_TERMS / 2].upper;
    for (int k = 0; k < CHART_TERMS; k++) {
        pdf[k] = value_pdf(&at[k], 1);
        tail[k] = log_tail(&at[k], upper);
        if (!(pdf[k] > LOG_LOWEST && pdf[k] < LOG_HIGHEST && tail[k] > LOG_LOWEST)) return 0;
    }
    double *c = d->pdf + (size_t)i * CHART_TERMS, *e = d->tail + (size_t)i * CHART_TERMS;
    transform_apply(m, pdf, c);
    transform_apply(m, tail, e);
    d->upper[i] = (unsigned char)upper;
    for (int k = 0; k < CHECKS; k++) {
        value_at(d, left + 0.5 * (1.0 + check_at[k]) * width, &v);
        if (misses(chart_value(c, check_at[k]), value_pdf(&v, 1))) return 0;
        if (misses(chart_value(e, check_at[k]), log_tail(&v, upper))) return 0;
    }
    return 1;
}

static void *resized(void *old, size_t count, size_t size, int *failed)
{
    void *more = realloc(old, count * size);
    if (!more) *failed = 1;
    return more ? more : old;
}

/* Room for 2^MAX_CUT more pieces; 0 if memory is short. */
static int grow(struct draft *d)
{
    int failed = 0, room = 2 * d->room + (2 << MAX_CUT);
    size_t n = (size_t)room;
    if (d->pieces + (1 << MAX_CUT) <= d->room) return 1;
    d->pdf = resized(d->pdf, n * CHART_TERMS, sizeof(double), &failed);
    d->tail = resized(d->tail, n * CHART_TERMS, sizeof(double), &failed);
    d->upper = resized(d->upper, n, 1, &failed);
    if (!failed) d->room = room;
    return !failed;
}

/* Lay the next binade, beginning with 2^cut pieces; the cut it took, or -1. */
static int lay_binade(struct draft *d, const struct transform *m, int cut)
{
    for (; cut <= MAX_CUT; cut++) {
        double width = d->left / (1 << cut);
        int i = 0;
        while (i < 1 << cut && lay_piece(d, m, d->pieces + i, d->left + i * width, width)) i++;
        if (i < 1 << cut) continue;
        d->start[d->binades] = d->pieces;
        d->shift[d->binades++] = cut;
        d->pieces += 1 << cut;
        return cut;
    }
    return -1;
}

/* The probability beyond w; 1 on the near side of the median. */
static double beyond(const struct draft *d, double w)
{
    struct stable_value v;
    value_at(d, w, &v);
    return v.upper == (d->sign > 0.0) ? v.tail * exp(v.tail_scale) : 1.0;
}

/* Leave out what was laid, and the binade after it. */
static void skip(struct draft *d)
{
    d->skipped += d->binades + 1;
    d->binades = d->pieces = 0;
}

static void begin_side(struct draft *d, struct shape *shape, const struct chart *c, int k)
{
    memset(d, 0, sizeof *d);
    d->shape = shape;
    d->chart = c;
    d->sign = k ? -1.0 : 1.0;
    d->left = c->s;
    d->cut = 3;
    d->start = malloc(MAX_BINADES * sizeof(int));
    d->shift = malloc(MAX_BINADES * sizeof(int));
}

/* Lay the side's next binade.  0: there is none, or memory is short. */
static int lay_next(struct draft *d, const struct transform *m)
{
    double rest;
    d->is_short = !d->start || !d->shift || !grow(d);
    if (d->is_short) return 0;
    if (d->binades == MAX_BINADES || d->left >= 1e300 || (rest = beyond(d, d->left)) < CHART_TAIL) return 0;
    int cut = lay_binade(d, m, d->cut > 0 ? d->cut - 1 : 0);
    if (cut >= 0) d->cut = cut;
    else if (rest > WORTH_MORE && d->skipped < MAX_SKIPPED) skip(d);
    else return 0;
    d->left *= 2.0;
    return 1;
}

/* The first binade tells what the others will cost.  Sides do not depend on each other. */
static void lay_sides(struct draft *side, struct crew *crew, const struct transform *m)
{
    int goes_on[2] = { lay_next(&side[0], m), 1 }, together = crew->count > 1 && shape_laid(crew->shape[0]) > TOGETHER;
    if (together) side[1].shape = crew->shape[1];
#ifdef _OPENMP
#pragma omp parallel for num_threads(2) if (together)
#endif
    for (int k = 0; k < 2; k++)
        while (goes_on[k]) goes_on[k] = lay_next(&side[k], m);
}

/* As a side of the chart, in no more memory than it takes. */
static void hand_over(struct chart *c, int k, struct draft *d)
{
    struct chart_side *side = &c->side[k];
    size_t n = (size_t)(d->pieces ? d->pieces : 1), binades = (size_t)(d->binades ? d->binades : 1);
    int exponent, failed = 0;
    d->start = resized(d->start, binades, sizeof(int), &failed);
    d->shift = resized(d->shift, binades, sizeof(int), &failed);
    d->pdf = resized(d->pdf, n * CHART_TERMS, sizeof(double), &failed);
    d->tail = resized(d->tail, n * CHART_TERMS, sizeof(double), &failed);
    d->upper = resized(d->upper, n, 1, &failed);
    frexp(c->s, &exponent);
    side->first = exponent + 1022 + d->skipped;
    side->binades = d->binades;
    side->start = d->start;
    side->shift = d->shift;
    side->pdf = d->pdf;
    side->tail = d->tail;
    side->upper = d->upper;
    c->bytes += n * (2 * CHART_TERMS * sizeof(double) + 1) + 2 * binades * sizeof(int);
}

/* The exponent of s.  At zeta, for alpha < 1, the Taylor series of f has coefficients of
 * the size Gamma((k + 1)/alpha)/(k! pi alpha): s is such that a polynomial of degree 11
 * leaves some 1e-13 on (0, s/4), which Chebyshev nodes divide by 2^23. */
static int structure(const struct chart *c)
{
    double a = c->alpha, terms = CHART_TERMS, size;
    if (!c->at_zeta) return 0;
    size = (log(1e-13) + (2.0 * terms - 1.0) * LOG_2 - lgamma((terms + 1.0) / a) + lgamma(1.0 / a)
            + lgamma(terms + 1.0)) / (terms * LOG_2) + 2.0;
    return size > 0.0 ? 0 : size < FINEST ? FINEST : (int)size;
}

static void set_centre(struct chart *c, const struct standard *law)
{
    struct twofold zeta = law->law.zeta, none = { 0.0, 0.0 };
    c->at_zeta = c->alpha < 1.0 && fabs(zeta.hi) < FAR_ZETA;
    c->centre[0] = c->at_zeta ? zeta : none;
    c->centre[1] = c->at_zeta ? none : two_neg(zeta);
}

struct chart *chart_new(struct crew *crew, double alpha, double beta)
{
    struct chart *c = calloc(1, sizeof *c);
    struct draft side[2];
    struct transform m;
    if (!c) return NULL;
    crew_set(crew, alpha, beta);
    c->alpha = alpha;
    c->beta = beta;
    set_centre(c, shape_law(crew->shape[0]));
    transform_set(&m);
    c->s = ldexp(1.0, structure(c));
    c->bytes = sizeof *c;
    for (int k = 0; k < 2; k++) begin_side(&side[k], crew->shape[0], c, k);
    lay_sides(side, crew, &m);
    for (int k = 0; k < 2; k++) hand_over(c, k, &side[k]);
    if (!side[0].is_short && !side[1].is_short) return c;
    chart_free(c);
    return NULL;
}

void chart_side_free(struct chart_side *side)
{
    free((void *)side->start);
    free((void *)side->shift);
    free((void *)side->pdf);
    free((void *)side->tail);
    free((void *)side->upper);
}

void chart_free(struct chart *c)
{
    if (!c) return;
    for (int k = 0; k < 2; k++) chart_side_free(&c->side[k]);
    inverse_free(c->inverse);
    free(c);
}
