#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "distant_starts.h"
#include "quantile_start.h"
#include "../stable/law.h"

#define MOST_REPRESENTATIVES 48
#define LOCATIONS  9                    /* of the grid, for each scale */
#define SCALES     6
#define LARGEST    1.0                  /* scale, quartile distances; the others are halves of it, and so on */
#define FIRST_STEP 0.4                  /* of the pattern search, in units of the scale and of its logarithm */
#define LAST_STEP  0.06
#define HOPELESS   0.3                  /* of log-likelihood for each unit of weight, below the best of the grid */
#define NEAR_ALPHA 0.45                 /* differences of laws that are near each other */
#define NEAR_BETA  1.0
#define NEAR_SCALE 0.35                 /* of the logarithm of the quartile distance */

/* A sample of few values, each with a share of the weight. */
struct reduced { int count; double z[MOST_REPRESENTATIVES], share[MOST_REPRESENTATIVES]; };

/* Where the values of a reduced sample, standardised, lie in the table: between which nodes, and the mean of what a
 * power tail adds to the logarithm beyond its ends. */
struct cells { int node[MOST_REPRESENTATIVES]; double part[MOST_REPRESENTATIVES], beyond; };

/* A tabulated shape; node 0, which is the last one of a mirror image, and the way to the next. */
struct shape { const double *log_f; double alpha, beta; int step; };

/* Scale and location, and the approximate log-likelihood. */
struct place { double gamma, delta, value; };

/* The shapes that a problem allows, and the best place of each so far. */
struct screen {
    const struct problem *p;
    struct reduced r;
    struct shape shape[MOST_SHAPES];
    struct place best[MOST_SHAPES];
    int shapes;
};

/* --- the reduced sample -------------------------------------------------------- */

/* Blocks of values whose ends lie at the probabilities (1 - cos(pi k/m))/2: narrow in the tails, whose few values
 * matter most.  The middle value stands for each. */
static void reduce(const struct sample *s, struct reduced *r)
{
    size_t from = 0;
    double total = 0.0;
    r->count = 0;
    for (int k = 1; k <= MOST_REPRESENTATIVES && from < s->n; k++) {
        double p = 0.5 * (1.0 - cos(PI * k / MOST_REPRESENTATIVES)), weight = 0.0;
        size_t to = k == MOST_REPRESENTATIVES ? s->n : (size_t)(p * (double)s->n + 0.5);
        if (to <= from) continue;
        for (size_t i = from; i < to; i++) weight += s->weight ? s->weight[i] : 1.0;
        r->z[r->count] = s->z[from + (to - from) / 2];
        r->share[r->count++] = weight;
        total += weight;
        from = to;
    }
    for (int k = 0; k < r->count; k++) r->share[k] /= total;
}

/* --- the approximate likelihood -------------------------------------------------- */

/* Linear interpolation in v; a value beyond the table is at its end. */
static struct cells cells_of(const struct start_tables *t, const struct reduced *r, double gamma, double delta)
{
    struct cells c = { .beyond = 0.0 };
    double over_gamma = 1.0 / gamma, last = t->nodes - 1, end = t->reach / (1.0 - t->reach);
    for (int k = 0; k < r->count; k++) {
        double z = (r->z[k] - delta) * over_gamma, a = fabs(z);
        double at = fmin(fmax((z / (1.0 + a) + t->reach) * t->nodes_per_unit, 0.0), last);
        c.node[k] = at < last ? (int)at : t->nodes - 2;
        c.part[k] = at - c.node[k];
        if (a > end) c.beyond += r->share[k] * log(a / end);
    }
    return c;
}

static double value_at(const struct shape *s, const struct reduced *r, const struct cells *c, double gamma)
{
    double sum = 0.0;
    for (int k = 0; k < r->count; k++) {
        const double *f = s->log_f + s->step * c->node[k];
        sum += r->share[k] * (f[0] + c->part[k] * (f[s->step] - f[0]));
    }
    return sum - (1.0 + s->alpha) * c->beyond - log(gamma);
}

/* Keeps a place where it is the best one of some shapes, from number `from` to before `to`. */
static void try_start(struct screen *s, int from, int to, double gamma, double delta)
{
    struct cells c = cells_of(s->p->tables, &s->r, gamma, delta);
    for (int i = from; i < to; i++) {
        struct place here = { gamma, delta, value_at(&s->shape[i], &s->r, &c, gamma) };
        if (here.value > s->best[i].value) s->best[i] = here;
    }
}

/* --- the search ------------------------------------------------------------------ */

static void try_grid(struct screen *s)
{
    const struct problem *p = s->p;
    int scales = p->is_fixed[GAMMA] ? 1 : SCALES, locations = p->is_fixed[DELTA] ? 1 : LOCATIONS;
    for (int i = 0; i < scales; i++)
        for (int j = 0; j < locations; j++) {
            double gamma = p->is_fixed[GAMMA] ? p->fixed[GAMMA] : ldexp(LARGEST, -i);
            double delta = p->is_fixed[DELTA] ? p->fixed[DELTA] : s->r.z[(2 * j + 1) * s->r.count / (2 * LOCATIONS)];
            try_start(s, 0, s->shapes, gamma, delta);
        }
}

/* From the best place of shape i. */
static void refine(struct screen *s, int i)
{
    const int *is_fixed = s->p->is_fixed;
    for (double step = FIRST_STEP; step > LAST_STEP;) {
        struct place at = s->best[i];
        for (int side = -1; side <= 1 && !is_fixed[DELTA]; side += 2)
            try_start(s, i, i + 1, at.gamma, at.delta + side * step * at.gamma);
        for (int side = -1; side <= 1 && !is_fixed[GAMMA]; side += 2)
            try_start(s, i, i + 1, at.gamma * exp(side * step), s->best[i].delta);
        if (s->best[i].value == at.value) step *= 0.5;
    }
}

/* --- candidates ------------------------------------------------------------------ */

static int by_value(const void *a, const void *b)
{
    double x = ((const struct candidate *)a)->value, y = ((const struct candidate *)b)->value;
    return (x < y) - (x > y);
}

/* Adds tabulated shape number k, or its mirror image, if it is near what is held fixed. */
static void add_shape(struct screen *s, int k, int is_mirrored)
{
    const struct problem *p = s->p;
    const struct start_tables *t = p->tables;
    double alpha = t->shape_alpha[k], beta = is_mirrored ? -t->shape_beta[k] : t->shape_beta[k];
    const double *log_f = t->log_f + k * t->nodes;
    struct shape here = { is_mirrored ? log_f + t->nodes - 1 : log_f, alpha, beta, is_mirrored ? -1 : 1 };
    if (p->is_fixed[ALPHA] && fabs(p->fixed[ALPHA] - alpha) > NEAR_ALPHA) return;
    if (p->is_fixed[BETA] && fabs(p->fixed[BETA] - beta) > NEAR_BETA) return;
    s->best[s->shapes].value = -INFINITY;
    s->shape[s->shapes++] = here;
}

/* The law of shape i at its best place. */
static struct candidate candidate_of(const struct screen *s, int i)
{
    struct candidate c = {
        { s->shape[i].alpha, s->shape[i].beta, s->best[i].gamma, s->best[i].delta }, s->best[i].value, 1
    };
    for (int j = ALPHA; j <= BETA; j++)
        if (s->p->is_fixed[j]) c.theta[j] = s->p->fixed[j];
    return c;
}

/* From a law with a more likely one near it the likelihood rises towards that one: `out` is in order. */
static void mark_maxima(const struct problem *p, struct candidates *out)
{
    for (int i = 0; i < out->count; i++)
        for (int j = 0; j < i && out->law[i].is_maximum; j++)
            if (screen_is_near(p, out->law[i].theta, out->law[j].theta)) out->law[i].is_maximum = 0;
}

void screen_laws(const struct problem *p, const struct sample *sample, struct candidates *out)
{
    struct screen s = { .p = p, .shapes = 0 };
    double highest = -INFINITY;

    reduce(sample, &s.r);
    for (int k = 0; k < p->tables->shapes; k++) {
        add_shape(&s, k, 0);
        if (p->tables->shape_beta[k] > 0.0) add_shape(&s, k, 1);
    }
    try_grid(&s);
    for (int i = 0; i < s.shapes; i++) highest = fmax(highest, s.best[i].value);
    for (int i = 0; i < s.shapes; i++) {
        if (s.best[i].value > highest - HOPELESS) refine(&s, i);
        out->law[i] = candidate_of(&s, i);
    }
    out->is_known = 1;
    out->count = s.shapes;
    qsort(out->law, (size_t)s.shapes, sizeof *out->law, by_value);
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
