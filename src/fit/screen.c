#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "starting_values.h"
#include "../special/elementary.h"
#include "../stable/law.h"

/* Laws far from the quantile estimate from which a search may reach a higher maximum of the likelihood.
 *
 * The likelihood of a sample that no stable law fits well, such as one with two clusters, may have maxima far apart: a
 * nearly normal law for the whole sample, and a law whose peak lies on one cluster and whose long tail covers the
 * other.  For each of a few shapes (alpha, beta), scale and location are found by a grid and a pattern search (Hooke
 * and Jeeves 1961, doi:10.1145/321062.321069) on the likelihood of a reduced sample, whose log densities are
 * interpolated in a table (data-raw/quantile-start.R).  This costs less than one evaluation of the likelihood of a
 * thousand values.
 */
#define MAX_REPRESENTATIVES  48         /* largest size of the reduced sample */
#define LOCATIONS  9                    /* locations of the grid, for each scale */
#define SCALES     6                    /* scales of the grid */
#define LARGEST    1.0                  /* the largest of them, in interquartile ranges; then 1/2, 1/4, ... of it */
#define FIRST_STEP 0.4                  /* first step of the pattern search, in location/scale and in the log scale */
#define LAST_STEP  0.06                 /* the search ends with a step of this size or less */
#define HOPELESS   0.3                  /* shapes this far below the best or the least value (log-likelihood/weight) are
                                           not refined, ... */
#define HOPELESS_LATER 0.15             /* ... beyond the first step if they are this far below the least value after
                                           it; the other steps gained 0.07 at most for 600 samples of many kinds */
#define NEAR_ALPHA 0.45                 /* largest differences between laws that are near each other */
#define NEAR_BETA  1.0
#define NEAR_SCALE 0.35                 /* in the log interquartile range, and in the median relative to that range */

/* The reduced sample: a few values, and the fraction of the weight that each represents; 0 for unused entries. */
struct reduced { int count; double z[MAX_REPRESENTATIVES], share[MAX_REPRESENTATIVES]; };

/* The positions of the standardised values of a reduced sample in the table: the node to the left, and the fraction of
 * the interval from there.  size: the sizes of these values; beyond: the sum of share * log(|z| / end) over the values
 * z outside the table, to which a power tail extends the density. */
struct cells {
    int node[MAX_REPRESENTATIVES];
    double part[MAX_REPRESENTATIVES], size[MAX_REPRESENTATIVES], beyond;
};

/* Scale and location, and the approximate log-likelihood per unit of weight. */
struct location_scale { double gamma, delta, value; };

/* The tabulated shapes with their reflections, those that a problem allows, and for each of these the best scale and
 * location so far. */
struct screen {
    const struct problem *p;
    struct reduced r;
    double excess;                      /* that of the sample (sample.h), divided by its weight */
    int is_allowed[MAX_SHAPES];
    struct location_scale best[MAX_SHAPES];
};

/* --- the reduced sample -------------------------------------------------------- */

/* Reduces a sample to the middle values of m blocks that end at the probabilities (1 - cos(pi k/m))/2.  These are
 * narrow in the tails, whose few values matter most. */
static void reduce(const struct sample *s, struct reduced *r)
{
    size_t from = 0;
    double total = 0.0;
    memset(r, 0, sizeof *r);
    for (int k = 1; k <= MAX_REPRESENTATIVES && from < s->n; k++) {
        double p = 0.5 * (1.0 - cos(PI * k / MAX_REPRESENTATIVES)), weight = 0.0;
        size_t to = k == MAX_REPRESENTATIVES ? s->n : (size_t)(p * (double)s->n + 0.5);
        if (to <= from) continue;
        for (size_t i = from; i < to; i++) weight += sample_weight(s, i);
        r->z[r->count] = s->z[from + (to - from) / 2];
        r->share[r->count++] = weight;
        total += weight;
        from = to;
    }
    for (int k = 0; k < r->count; k++) r->share[k] /= total;
}

/* --- the approximate likelihood -------------------------------------------------- */

/* Sets the positions in the table, for linear interpolation in v = z/(1 + |z|), of the values for this scale and
 * location.  A value outside the table is assigned to its end. */
WIDE void set_positions(const struct start_tables *t, const struct reduced *restrict r, double gamma, double delta,
                        struct cells *restrict c)
{
    double over_gamma = 1.0 / gamma, last = t->nodes - 1, reach = t->reach, density = t->nodes_per_unit;
    int maximum = t->nodes - 2;
    for (int k = 0; k < MAX_REPRESENTATIVES; k++) {
        double z = (r->z[k] - delta) * over_gamma, at = (z / (1.0 + fabs(z)) + reach) * density;
        at = at > 0.0 ? at : 0.0;
        at = at < last ? at : last;
        int node = (int)at;
        node = node < maximum ? node : maximum;
        c->node[k] = node;
        c->part[k] = at - node;
        c->size[k] = fabs(z);
    }
}

static void set_cells(const struct screen *s, double gamma, double delta, struct cells *c)
{
    double reach = s->p->tables->reach, end = reach / (1.0 - reach);
    set_positions(s->p->tables, &s->r, gamma, delta, c);
    c->beyond = 0.0;
    for (int k = 0; k < s->r.count; k++)
        if (c->size[k] > end) c->beyond += s->r.share[k] * log(c->size[k] / end);
}

/* Computes the mean log densities of all shapes, except for the tails beyond the table. */
WIDE void means_of_all(const double *restrict log_f, const struct reduced *restrict r, const struct cells *restrict c,
                       double *restrict mean)
{
    double sum[MAX_SHAPES] = { 0.0 };
    for (int k = 0; k < MAX_REPRESENTATIVES; k++) {
        const double *f = log_f + MAX_SHAPES * c->node[k], part = c->part[k], share = r->share[k];
        for (int i = 0; i < MAX_SHAPES; i++) sum[i] += share * (f[i] + part * (f[MAX_SHAPES + i] - f[i]));
    }
    memcpy(mean, sum, sizeof sum);
}

/* Returns the mean log density of shape i over the reduced sample. */
static double mean_of(const double *log_f, const struct reduced *r, const struct cells *c, int i)
{
    double lane[LANES] = { 0.0 };
    for (int k = 0; k < MAX_REPRESENTATIVES; k += LANES)
        for (int l = 0; l < LANES; l++) {
            const double *f = log_f + MAX_SHAPES * c->node[k + l] + i;
            lane[l] += r->share[k + l] * (f[0] + c->part[k + l] * (f[MAX_SHAPES] - f[0]));
        }
    return lanes_sum(lane);
}

/* Keeps a scale and location if it is the best one for shape i; mean: as above. */
static void keep_best(struct screen *s, int i, const struct cells *c, double gamma, double delta, double mean)
{
    double value = mean - (1.0 + s->p->tables->shape_alpha[i]) * (c->beyond + s->excess) - log(gamma);
    struct location_scale here = { gamma, delta, value };
    if (here.value > s->best[i].value) s->best[i] = here;
}

/* Tries a scale and location for all shapes. */
static void try_all(struct screen *s, double gamma, double delta)
{
    struct cells c;
    double mean[MAX_SHAPES];
    set_cells(s, gamma, delta, &c);
    means_of_all(s->p->tables->log_f, &s->r, &c, mean);
    for (int i = 0; i < MAX_SHAPES; i++)
        if (s->is_allowed[i]) keep_best(s, i, &c, gamma, delta, mean[i]);
}

/* Tries a scale and location for shape i. */
static void try_one(struct screen *s, int i, double gamma, double delta)
{
    struct cells c;
    set_cells(s, gamma, delta, &c);
    keep_best(s, i, &c, gamma, delta, mean_of(s->p->tables->log_f, &s->r, &c, i));
}

/* --- grid and pattern search ----------------------------------------------------- */

static void try_grid(struct screen *s)
{
    const struct problem *p = s->p;
    int scales = p->is_fixed[GAMMA] ? 1 : SCALES, locations = p->is_fixed[DELTA] ? 1 : LOCATIONS;
    for (int i = 0; i < scales; i++)
        for (int j = 0; j < locations; j++) {
            double gamma = p->is_fixed[GAMMA] ? p->fixed[GAMMA] : ldexp(LARGEST, -i);
            double delta = p->is_fixed[DELTA] ? p->fixed[DELTA] : s->r.z[(2 * j + 1) * s->r.count / (2 * LOCATIONS)];
            try_all(s, gamma, delta);
        }
}

/* Improves scale and location of shape i by a pattern search, which ends early if the value cannot reach `minimum`. */
static void refine(struct screen *s, int i, double minimum)
{
    const int *is_fixed = s->p->is_fixed;
    for (double step = FIRST_STEP; step > LAST_STEP;) {
        struct location_scale at = s->best[i];
        for (int side = -1; side <= 1 && !is_fixed[DELTA]; side += 2)
            try_one(s, i, at.gamma, at.delta + side * step * at.gamma);
        for (int side = -1; side <= 1 && !is_fixed[GAMMA]; side += 2)
            try_one(s, i, at.gamma * exp(side * step), s->best[i].delta);
        if (s->best[i].value > at.value) continue;
        if (at.value < minimum - HOPELESS_LATER) return;
        step *= 0.5;
    }
}

/* --- candidates ------------------------------------------------------------------ */

static int by_value(const void *a, const void *b)
{
    double x = ((const struct candidate *)a)->value, y = ((const struct candidate *)b)->value;
    return (x < y) - (x > y);
}

/* TRUE unless shape i is far from a fixed alpha or beta. */
static int is_allowed(const struct problem *p, int i)
{
    const struct start_tables *t = p->tables;
    if (i >= t->shapes || (p->is_fixed[ALPHA] && fabs(p->fixed[ALPHA] - t->shape_alpha[i]) > NEAR_ALPHA)) return 0;
    return !p->is_fixed[BETA] || fabs(p->fixed[BETA] - t->shape_beta[i]) <= NEAR_BETA;
}

/* Returns the law of shape i with its best scale and location. */
static struct candidate candidate_of(const struct screen *s, int i)
{
    const struct start_tables *t = s->p->tables;
    struct candidate c = {
        { t->shape_alpha[i], t->shape_beta[i], s->best[i].gamma, s->best[i].delta }, s->best[i].value, 1
    };
    for (int j = ALPHA; j <= BETA; j++)
        if (s->p->is_fixed[j]) c.theta[j] = s->p->fixed[j];
    return c;
}

/* Clears is_maximum of the candidates that have a more likely one near them, towards which the likelihood rises.  `out`
 * must be sorted. */
static void mark_maxima(const struct problem *p, struct candidates *out)
{
    for (int i = 0; i < out->count; i++)
        for (int j = 0; j < i && out->law[i].is_maximum; j++)
            if (screen_is_near(p, out->law[i].theta, out->law[j].theta)) out->law[i].is_maximum = 0;
}

void screen_laws(const struct problem *p, const struct sample *sample, double minimum, struct candidates *out)
{
    struct screen s = { .p = p, .excess = sample->excess / sample->total };
    double highest = -INFINITY;

    reduce(sample, &s.r);
    for (int i = 0; i < MAX_SHAPES; i++) {
        s.is_allowed[i] = is_allowed(p, i);
        s.best[i].value = -INFINITY;
    }
    try_grid(&s);
    for (int i = 0; i < MAX_SHAPES; i++) highest = fmax(highest, s.best[i].value);
    highest = fmax(highest, minimum);
    out->is_known = 1;
    out->count = 0;
    for (int i = 0; i < MAX_SHAPES; i++) {
        if (!s.is_allowed[i]) continue;
        if (s.best[i].value > highest - HOPELESS) refine(&s, i, minimum);
        out->law[out->count++] = candidate_of(&s, i);
    }
    qsort(out->law, (size_t)out->count, sizeof *out->law, by_value);
    mark_maxima(p, out);
}

int screen_is_near(const struct problem *p, const double *a, const double *b)
{
    double distance[2], median[2];
    const double *law[2] = { a, b };
    for (int i = 0; i < 2; i++) start_quartiles(p->tables, law[i], &distance[i], &median[i]);
    double apart = fabs(median[0] - median[1]) / fmin(distance[0], distance[1]);
    return fabs(a[ALPHA] - b[ALPHA]) < NEAR_ALPHA && fabs(a[BETA] - b[BETA]) < NEAR_BETA
        && fabs(log(distance[0] / distance[1])) < NEAR_SCALE && apart < NEAR_SCALE;
}
