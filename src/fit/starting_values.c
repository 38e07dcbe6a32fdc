#include <math.h>
#include <string.h>
#include "starting_values.h"
#include "../stable/law.h"

#define NEAREST 41                      /* observations next to a point on which the spike is tried, ... */
#define SPREAD  40                      /* ... and over the whole sample */
#define MOST_SCANNED (NEAREST + SPREAD)
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
    double side = c->base[BETA], centre = c->centre, best = centre, highest = -INFINITY, value;
    if (c->base[ALPHA] >= 1.0 || fabs(side) < 1.0 || !c->moves[DELTA]) return ST_OK;
    for (int k = -6; k <= 60; k++) {
        c->centre = k < -5 ? centre : centre - side * ldexp(c->unit, k);
        if (evaluate_value(e, c, c->base, &value, st)) return st->code;
        if (highest > -INFINITY && value <= highest) break;
        if (value > highest) best = c->centre;
        highest = value;
    }
    c->centre = best;
    return ST_OK;
}

/* --- spikes ------------------------------------------------------------------ */

/* Sets `near` to up to `most` values of the sample nearest to a point, the nearest one first; returns their number. */
static int nearest(const struct sample *s, double point, int most, double *near)
{
    size_t left = numbers_below(s->n, s->z, point), right = left;
    int count = 0;
    for (; count < most && (left > 0 || right < s->n); count++) {
        int go_left = right == s->n || (left > 0 && point - s->z[left - 1] <= s->z[right] - point);
        near[count] = go_left ? s->z[--left] : s->z[right++];
    }
    return count;
}

/* Sets `value` to SPREAD values of the sample, at equal distances in rank, if it is larger than NEAREST; returns their
 * number. */
static int spread(const struct sample *s, double *value)
{
    if (s->n <= NEAREST) return 0;
    for (int k = 0; k < SPREAD; k++) value[k] = s->z[(size_t)((k + 0.5) / SPREAD * (double)s->n)];
    return SPREAD;
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
    int is_taken[MOST_SCANNED] = { 0 };
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
    double y[MOST_SCANNED][PARAMETERS];
    int at[MOST_SCANNED], count = 0;
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

/* Moves `count` points from observations to half a gap beside them if the location is fixed; returns `count`. */
static int beside(const struct sample *s, const struct coordinates *c, int count, double *point)
{
    double half;
    for (int k = 0; k < count && !c->moves[DELTA]; k++) {
        gap_at(s, point[k], &half);
        point[k] += half;
    }
    return count;
}

int starts_spikes(struct evaluator *e, struct coordinates *c, int most, double margin, int *count, struct status *st)
{
    double near[MOST_SCANNED], value[MOST_SCANNED], highest;
    int best[MOST_SPIKES], close, found;

    *count = 1;
    if (starts_are_smooth(e->sample, c)) return ST_OK;
    starts_fix_location(e->sample, PINNED, c);
    close = nearest(e->sample, c->centre, NEAREST, near);
    found = beside(e->sample, c, close + spread(e->sample, near + close), near);
    if (scan(e, c, near, found, value, st)) return st->code;
    highest = rank(value, found, best);
    if (best[0] >= close) {                                 /* not next to the centre */
        beside(e->sample, c, nearest(e->sample, near[best[0]], close, near), near);
        if (scan(e, c, near, close, value, st)) return st->code;
        highest = rank(value, found, best);
    }
    for (int b = 0; b < most && best[b] >= 0 && value[best[b]] >= highest - margin; b++) {
        c[b] = c[0];
        c[b].centre = near[best[b]];
        *count = b + 1;
    }
    return ST_OK;
}
