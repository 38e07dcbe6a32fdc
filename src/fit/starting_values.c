#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "starting_values.h"
#include "../stable/law.h"

#define NEAREST 41                      /* observations on which the spike is tried */
#define CLOSE_TO_TABLES 0.25            /* alpha above which spikes are compared at TABLES_BEGIN */
#define SMOOTH  20.0                    /* gaps between observations: a wider spike covers many of them */
#define FEW     60                      /* observations up to which more starting values are used, ... */
#define SOME    500                     /* ... and those with large |beta| where the likelihood is flat */

/* --- starting values --------------------------------------------------------- */

/* TRUE if the lower bound of alpha is in the range of the spike but so large that the spike has a realistic width
 * there, so that peaks on single observations cannot drive alpha further down. */
static int is_floor(double alpha_min)
{
    return alpha_min >= TABLES_BEGIN && alpha_min < SPIKED_ALPHA;
}

/* The starting values so far. */
struct starts { const struct problem *p; const double *from; double spike; double (*theta)[PARAMETERS]; int count; };

/* Adds `from` with this shape, and with fixed parameters at their values, unless it is there already.  Below the range
 * of the tables the spike is so narrow that its position is kept instead of the location. */
static void add(struct starts *s, double alpha, double beta)
{
    double *theta = s->theta[s->count];
    memcpy(theta, s->from, sizeof *s->theta);
    theta[ALPHA] = fmax(fmin(alpha, 1.98), 1.5 * s->p->alpha_min);
    theta[BETA] = beta;
    for (int j = 0; j < PARAMETERS; j++)
        if (s->p->is_fixed[j]) theta[j] = s->p->fixed[j];
    if (s->from[ALPHA] < TABLES_BEGIN && !s->p->is_fixed[DELTA]) theta[DELTA] = s->spike + spike_shift(theta);
    for (int k = 0; k < s->count; k++)
        if (memcmp(theta, s->theta[k], sizeof *s->theta) == 0) return;
    s->count++;
}

/* Adds a law with a spike: a small sample may also consist of a spike and outliers. */
static void add_spiked(struct starts *s, double alpha)
{
    double *theta = s->theta[s->count];
    int before = s->count;
    add(s, alpha, 0.0);
    if (s->count == before) return;
    if (!s->p->is_fixed[ALPHA]) theta[ALPHA] = alpha;
    if (!s->p->is_fixed[DELTA]) theta[DELTA] = s->spike + spike_shift(theta);
}

int starts_list(const struct problem *p, const double *from, const struct sample *sample,
                double theta[MOST_STARTS][PARAMETERS])
{
    struct starts s = { p, from, sample->spike, theta, 0 };
    double total = sample->total;
    double alpha = from[ALPHA], beta = from[BETA], inner = fmax(fmin(beta, 0.95), -0.95);
    if (alpha > 1.9) inner *= 0.5;
    add(&s, alpha, inner);
    if (fabs(beta) > 0.9) add(&s, alpha, beta > 0.0 ? 0.6 : -0.6);
    if (alpha > FLAT_ALPHA) {
        add(&s, 1.9, 0.0);
        add(&s, 1.98, 0.0);
    }
    if (total <= FEW) {
        add(&s, alpha, -inner);
        add(&s, 1.3, 0.9);
        add(&s, 1.3, -0.9);
    }
    if (alpha > FLAT_ALPHA && total <= SOME) {
        add(&s, 1.9, 0.9);
        add(&s, 1.9, -0.9);
        add(&s, 1.98, 0.9);
        add(&s, 1.98, -0.9);
    }
    if (alpha < 0.25) add(&s, alpha + 0.3, 0.5 * inner);
    if (total <= FEW && alpha > SPIKED_ALPHA) add_spiked(&s, SPIKED_ALPHA);
    if (total <= FEW && is_floor(p->alpha_min)) add_spiked(&s, p->alpha_min);
    return s.count;
}

/* --- the support ------------------------------------------------------------- */

int starts_are_allowed(struct evaluator *e, struct coordinates *c, struct status *st)
{
    double side = c->base[BETA], centre = c->centre, value;
    if (c->base[ALPHA] >= 1.0 || fabs(side) < 1.0 || !c->moves[DELTA]) return ST_OK;
    for (int k = -6; k <= 60; k++) {
        c->centre = k < -5 ? centre : centre - side * ldexp(c->unit, k);
        if (evaluate_value(e, c, c->base, &value, st)) return st->code;
        if (value > -INFINITY) return ST_OK;
    }
    c->centre = centre;
    return ST_OK;
}

/* --- spikes ------------------------------------------------------------------ */

/* Sets `near` to up to `most` values of the sample nearest to a point, the nearest one first; returns their number. */
static int nearest(const struct sample *s, double point, int most, double *near)
{
    size_t left = 0, right = s->n;
    int count = 0;
    while (left < right) {
        size_t middle = left + (right - left) / 2;
        if (s->z[middle] < point) left = middle + 1;
        else right = middle;
    }
    for (; count < most && (left > 0 || right < s->n); count++) {
        int go_left = right == s->n || (left > 0 && point - s->z[left - 1] <= s->z[right] - point);
        near[count] = go_left ? s->z[--left] : s->z[right++];
    }
    return count;
}

/* Returns the gap between observations at a value of the sample: a third of the distance to the third-nearest of the
 * other values.  *half is half the distance to the nearest different value. */
static double gap_at(const struct sample *s, double value, double *half)
{
    double near[NEAREST], gap;
    int count = nearest(s, value, NEAREST, near), k = 0;
    gap = fabs(near[count > 3 ? 3 : count - 1] - value) / 3.0;
    while (k < count - 1 && near[k] == value) k++;
    *half = 0.5 * fabs(near[k] - value);
    return gap;
}

int starts_are_smooth(const struct sample *s, const struct coordinates *c)
{
    double near, half;
    if (!c->moves[DELTA] || c->pm != 1) return 1;
    nearest(s, c->centre, 1, &near);
    return c->unit > SMOOTH * gap_at(s, near, &half);
}

int starts_fix_location(const struct sample *s, double share, struct coordinates *c)
{
    double near, half, gap;
    if (c->pm != 1 || !c->moves[DELTA]) return 0;
    if (c->base[ALPHA] == c->alpha_min && is_floor(c->alpha_min)) return 0;
    nearest(s, c->centre, 1, &near);
    gap = gap_at(s, near, &half);
    if (gap > 0.0 && c->unit >= share * gap) return 0;
    c->centre = near + half;
    c->moves[DELTA] = 0;
    return 1;
}

/* Sets `best` to the indices of the MOST_SPIKES highest values, the highest one first, and to -1 after the last one
 * above -Inf.  Returns the highest value. */
static double rank(const double *value, int count, int *best)
{
    int is_taken[NEAREST] = { 0 };
    for (int b = 0; b < MOST_SPIKES; b++) {
        best[b] = -1;
        for (int k = 0; k < count; k++)
            if (!is_taken[k] && value[k] > (best[b] < 0 ? -INFINITY : value[best[b]])) best[b] = k;
        if (best[b] >= 0) is_taken[best[b]] = 1;
    }
    return best[0] < 0 ? -INFINITY : value[best[0]];
}

/* Returns the alpha at which spikes are compared.  For alpha slightly below the tables, this is TABLES_BEGIN, which is
 * faster and ranks the spikes equally well. */
static double scanned_alpha(double alpha)
{
    return alpha < TABLES_BEGIN && alpha > CLOSE_TO_TABLES ? TABLES_BEGIN : alpha;
}

/* Computes the log-likelihood with the spike on each of `found` values; -Inf for a value equal to the one before. */
static int scan(struct evaluator *e, const struct coordinates *c, const double *near, int found, double *value,
                struct status *st)
{
    double y[NEAREST][PARAMETERS];
    int at[NEAREST], count = 0;
    for (int k = 0; k < found; k++) {
        value[k] = -INFINITY;
        if (k > 0 && near[k] == near[k - 1]) continue;
        memcpy(y[count], c->base, sizeof y[count]);
        y[count][ALPHA] = scanned_alpha(c->base[ALPHA]);
        y[count][DELTA] = (near[k] - c->centre) / c->unit;
        at[count++] = k;
    }
    if (evaluate_ahead(e, c, count, y, REQUEST_VALUE, st)) return st->code;
    for (int i = 0; i < count; i++)
        if (evaluate_value(e, c, y[i], &value[at[i]], st)) return st->code;
    return ST_OK;
}

int starts_spikes(struct evaluator *e, struct coordinates *c, int most, double margin, int *count, struct status *st)
{
    double near[NEAREST], value[NEAREST], highest;
    int best[MOST_SPIKES], found;

    *count = 1;
    if (starts_are_smooth(e->sample, c) || starts_fix_location(e->sample, PINNED, c)) return ST_OK;
    found = nearest(e->sample, c->centre, NEAREST, near);
    if (scan(e, c, near, found, value, st)) return st->code;
    highest = rank(value, found, best);
    for (int b = 0; b < most && best[b] >= 0 && value[best[b]] >= highest - margin; b++) {
        c[b] = c[0];
        c[b].centre = near[best[b]];
        *count = b + 1;
    }
    return ST_OK;
}

/* --- laws far from the quantile estimate ---------------------------------------- */

/* Laws far from the quantile estimate from which a search may reach a higher maximum of the likelihood.
 *
 * The likelihood of a sample that no stable law fits well, such as one with two clusters, may have maxima far apart: a
 * nearly normal law for the whole sample, and a law whose peak lies on one cluster and whose long tail covers the
 * other.  For each of a few shapes (alpha, beta), scale and location are found by a grid and a pattern search (Hooke
 * and Jeeves 1961, doi:10.1145/321062.321069) on the likelihood of a reduced sample, whose log densities are
 * interpolated in a table (data-raw/quantile-start.R).  This costs less than one evaluation of the likelihood of a
 * thousand values.
 */
#define MOST_REPRESENTATIVES 48         /* largest size of the reduced sample */
#define LOCATIONS  9                    /* locations of the grid, for each scale */
#define SCALES     6                    /* scales of the grid */
#define LARGEST    1.0                  /* the largest of them, in interquartile ranges; then 1/2, 1/4, ... of it */
#define FIRST_STEP 0.4                  /* first step of the pattern search, in location/scale and in the log scale */
#define LAST_STEP  0.06                 /* the search ends with a step of this size or less */
#define HOPELESS   0.3                  /* shapes this far below the best (log-likelihood/weight) are not refined */
#define NEAR_ALPHA 0.45                 /* largest differences between laws that are near each other */
#define NEAR_BETA  1.0
#define NEAR_SCALE 0.35                 /* in the log interquartile range, and in the median relative to that range */

/* The reduced sample: a few values, and the fraction of the weight that each represents. */
struct reduced { int count; double z[MOST_REPRESENTATIVES], share[MOST_REPRESENTATIVES]; };

/* The positions of the standardised values of a reduced sample in the table: the node to the left, and the fraction of
 * the interval from there.  beyond: the sum of share * log(|z| / end) over the values z outside the table, to which a
 * power tail extends the density. */
struct cells { int node[MOST_REPRESENTATIVES]; double part[MOST_REPRESENTATIVES], beyond; };

/* A tabulated shape or its reflection.  log_f: its first node in increasing order of z, for a reflection the last
 * one of the table; step: 1 or -1, the distance to its next node. */
struct shape { const double *log_f; double alpha, beta; int step; };

/* Scale and location, and the approximate log-likelihood per unit of weight. */
struct location_scale { double gamma, delta, value; };

/* The shapes that a problem allows, and for each the best scale and location so far. */
struct screen {
    const struct problem *p;
    struct reduced r;
    struct shape shape[MOST_SHAPES];
    struct location_scale best[MOST_SHAPES];
    int shapes;
};

/* --- the reduced sample -------------------------------------------------------- */

/* Reduces a sample to the middle values of m blocks that end at the probabilities (1 - cos(pi k/m))/2.  These are
 * narrow in the tails, whose few values matter most. */
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

/* Returns the positions in the table, for linear interpolation in v = z/(1 + |z|), of the values for this scale and
 * location.  A value outside the table is assigned to its end. */
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

/* Returns the approximate log-likelihood per unit of weight. */
static double value_at(const struct shape *s, const struct reduced *r, const struct cells *c, double gamma)
{
    double sum = 0.0;
    for (int k = 0; k < r->count; k++) {
        const double *f = s->log_f + s->step * c->node[k];
        sum += r->share[k] * (f[0] + c->part[k] * (f[s->step] - f[0]));
    }
    return sum - (1.0 + s->alpha) * c->beyond - log(gamma);
}

/* Evaluates a scale and location for shapes from, ..., to - 1, and keeps it for each shape where it is the best one. */
static void try_start(struct screen *s, int from, int to, double gamma, double delta)
{
    struct cells c = cells_of(s->p->tables, &s->r, gamma, delta);
    for (int i = from; i < to; i++) {
        struct location_scale here = { gamma, delta, value_at(&s->shape[i], &s->r, &c, gamma) };
        if (here.value > s->best[i].value) s->best[i] = here;
    }
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
            try_start(s, 0, s->shapes, gamma, delta);
        }
}

/* Improves scale and location of shape i by a pattern search. */
static void refine(struct screen *s, int i)
{
    const int *is_fixed = s->p->is_fixed;
    for (double step = FIRST_STEP; step > LAST_STEP;) {
        struct location_scale at = s->best[i];
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

/* Adds tabulated shape k, or its reflection, unless it is far from a fixed alpha or beta. */
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

/* Returns the law of shape i with its best scale and location. */
static struct candidate candidate_of(const struct screen *s, int i)
{
    struct candidate c = {
        { s->shape[i].alpha, s->shape[i].beta, s->best[i].gamma, s->best[i].delta }, s->best[i].value, 1
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
