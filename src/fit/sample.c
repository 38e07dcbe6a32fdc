#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include "sample.h"
#include "../base/memory.h"
#include "../stable/law.h"

const double sample_level[SAMPLE_LEVELS] = { 0.05, 0.25, 0.5, 0.75, 0.95 };

int sample_is_tied(const struct sample *s, struct tie *maximum)
{
    double largest_weight = 0.0, tied = 0.0, smallest_weight = INFINITY;
    for (size_t i = 0, from = 0; i < s->n; from = i) {
        double run = 0.0;
        while (i < s->n && s->z[i] == s->z[from]) {
            smallest_weight = fmin(smallest_weight, sample_weight(s, i));
            run += sample_weight(s, i++);
        }
        if (i - from > 1) tied += run;
        if (run <= largest_weight) continue;
        largest_weight = run;
        maximum->values = i - from;
        maximum->at = s->z[from];
    }
    maximum->share = largest_weight / s->total;
    maximum->all = tied / s->total;
    maximum->alpha = maximum->values > 1 || largest_weight >= 2.0 * smallest_weight
        ? maximum->share / (1.0 - maximum->share) : 0.0;
    return 2.0 * largest_weight >= s->total;
}

/* Returns the p-quantile, interpolated linearly between the midpoints of the steps of the weighted distribution
 * function.  *i counts the values before it and *below is their weight; both carry over to calls with a larger p. */
static double quantile_at(const struct sample *s, double p, size_t *i, double *below)
{
    double at = p * s->total;
    while (*i < s->n && *below + 0.5 * sample_weight(s, *i) <= at) *below += sample_weight(s, (*i)++);
    if (*i == 0 || *i == s->n) return s->z[*i == 0 ? 0 : s->n - 1];
    double to = *below + 0.5 * sample_weight(s, *i), from = *below - 0.5 * sample_weight(s, *i - 1);
    double share = (at - from) / (to - from);
    return (1.0 - share) * s->z[*i - 1] + share * s->z[*i];
}

/* Returns this quantile for unit weights, where the position in z follows from p. */
static double plain_quantile(const struct sample *s, double p)
{
    double at = p * (double)s->n - 0.5;
    if (at <= 0.0) return s->z[0];
    size_t i = (size_t)at;
    if (i + 1 >= s->n) return s->z[s->n - 1];
    return (1.0 - (at - (double)i)) * s->z[i] + (at - (double)i) * s->z[i + 1];
}

/* Computes the quantiles of z, which must be sorted, in the units of z.  With unit weights they are those of type 5 of
 * R's quantile(), for which McCulloch's estimator is consistent. */
static void set_quantiles(struct sample *s)
{
    double below = 0.0;
    size_t i = 0;
    for (int k = 0; k < SAMPLE_LEVELS; k++)
        s->quantile[k] = s->weight ? quantile_at(s, sample_level[k], &i, &below) : plain_quantile(s, sample_level[k]);
}

/* Returns the start of the shortest of the n - h + 1 intervals of h values; of the middle one, if several are shortest,
 * which preserves symmetry under reflection. */
static size_t densest(const double *z, size_t n, size_t h)
{
    double minimum = INFINITY;
    size_t ties = 0, i = 0;
    for (size_t k = 0; k + h <= n; k++) {
        double width = z[k + h - 1] - z[k];
        if (width < minimum) ties = 0;
        if (width <= minimum) {
            minimum = width;
            ties++;
        }
    }
    for (size_t before = (ties - 1) / 2; ; i++)
        if (z[i + h - 1] - z[i] == minimum && before-- == 0) return i;
}

/* Returns the half-sample mode of Bickel and Fruehwirth (2006), doi:10.1016/j.csda.2005.07.011: the sample is reduced
 * to its densest half until at most three values are left.  Weights are ignored, since this is a starting value. */
static double half_sample_mode(const double *z, size_t n)
{
    while (n > 3) {
        size_t h = (n + 1) / 2;
        z += densest(z, n, h);
        n = h;
    }
    return n == 3 && z[2] - z[1] < z[1] - z[0] ? z[2] : z[0];
}

double delta_minus_zeta(const double *law)
{
    return law[BETA] * law[GAMMA] * tan(0.5 * PI * law[ALPHA]);
}

void sample_reflect(struct sample *s)
{
    set_quantiles(s);
    double right = s->quantile[4] - s->quantile[2], left = s->quantile[2] - s->quantile[0];
    s->side = right < left ? -1.0 : 1.0;
    for (size_t i = 0, j = s->n - 1; s->side < 0.0 && i <= j; i++, j--) {
        double z = s->z[i], w = sample_weight(s, i);
        s->z[i] = -s->z[j];
        s->z[j] = -z;
        if (s->weight) s->weight[i] = s->weight[j];
        if (s->weight) s->weight[j] = w;
        if (j == 0) break;
    }
    set_quantiles(s);
    s->mode = half_sample_mode(s->z, s->n);
}

/* Returns the canonical value of x, (x - centre)/scale unless this is far from 0. */
static double canonical(double x, double centre, double scale)
{
    double z = (x - centre) / scale, half = 0.5 * x - 0.5 * centre;
    if (fabs(z) <= SAMPLE_FAR) return z;
    double log_size = log(fabs(half)) - log(scale) - log(0.5 * SAMPLE_FAR);
    return log_size > 0.0 ? copysign(SAMPLE_FAR * (1.0 + log_size), half) : 2.0 * (half / scale);
}

static void set_excess(struct sample *s)
{
    s->excess = 0.0;
    for (size_t i = 0; i < s->n; i++) s->excess += sample_weight(s, i) * sample_log_excess(s->z[i]);
}

void sample_standardise(struct sample *s, int at_mode)
{
    double centre = at_mode ? s->mode : s->quantile[2];
    s->scale = s->quantile[3] - s->quantile[1];
    for (size_t i = 0; i < s->n; i++) s->z[i] = canonical(s->z[i], centre, s->scale);
    for (int k = 0; k < SAMPLE_LEVELS; k++) s->quantile[k] = canonical(s->quantile[k], centre, s->scale);
    s->mode = canonical(s->mode, centre, s->scale);
    s->centre = s->side * centre;
    set_excess(s);
}

/* Returns the first of the values that are nearest to a point. */
static double nearest_value(size_t n, const double *x, double point)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (fabs(x[i] - point) < fabs(x[best] - point)) best = i;
    return x[best];
}

void sample_standardise_by(struct sample *s, const double *x, const double *law, int at_mode, double *workspace)
{
    double peak = law[DELTA] - delta_minus_zeta(law);
    s->side = law[BETA] < 0.0 ? -1.0 : 1.0;
    s->scale = law[GAMMA];
    s->centre = at_mode ? nearest_value(s->n, x, peak) : law[DELTA];
    for (size_t i = 0; i < s->n; i++) s->z[i] = s->side * canonical(x[i], s->centre, s->scale);
    sort_numbers(s->n, s->z, NULL, workspace, NULL);
    set_excess(s);
    set_quantiles(s);
}

void sample_to_canonical(const struct sample *s, double *theta)
{
    theta[BETA] *= s->side;
    theta[GAMMA] /= s->scale;
    theta[DELTA] = s->side * (theta[DELTA] - s->centre) / s->scale;
}

void sample_from_canonical(const struct sample *s, double *theta)
{
    theta[BETA] = s->side * theta[BETA] + 0.0;          /* no negative zero */
    theta[GAMMA] *= s->scale;
    theta[DELTA] = s->centre + s->side * s->scale * theta[DELTA];
}

void sample_covariance(const struct sample *s, double cov[PARAMETERS][PARAMETERS])
{
    const double unit[PARAMETERS] = { 1.0, s->side, s->scale, s->side * s->scale };
    for (int i = 0; i < PARAMETERS; i++)
        for (int j = 0; j < PARAMETERS; j++) cov[i][j] *= unit[i] * unit[j];
}

/* Sets the part to `count` equally spaced values of the sorted sample and their weights, in `workspace`. */
static void select_equally_spaced(const struct sample *s, size_t count, double *workspace, struct sample *part)
{
    size_t apart = s->n / count;
    part->z = workspace;
    part->weight = s->weight ? workspace + count : NULL;
    part->n = count;
    part->total = s->weight ? 0.0 : (double)count;
    for (size_t i = 0; i < count; i++) {
        part->z[i] = s->z[i * apart + apart / 2];
        if (!s->weight) continue;
        part->weight[i] = s->weight[i * apart + apart / 2];
        part->total += part->weight[i];
    }
    set_excess(part);
}

int sample_part(const struct sample *s, size_t minimum, struct sample *part, double **workspace, struct status *st)
{
    *part = *s;
    *workspace = NULL;
    if (!s->z) {
        part->z = s->part;
        part->x = NULL;
        part->n = s->parts;
        part->total = (double)s->parts;
        return ST_OK;
    }
    size_t count = s->n / (s->n / minimum);
    *workspace = memory_allocate(2 * count * sizeof **workspace);
    if (!*workspace) return fail(st, ST_MEMORY, "no memory for a part of the sample");
    select_equally_spaced(s, count, *workspace, part);
    return ST_OK;
}

size_t numbers_below(size_t n, const double *x, double limit)
{
    size_t left = 0, right = n;
    while (left < right) {
        size_t middle = left + (right - left) / 2;
        if (x[middle] < limit) left = middle + 1;
        else right = middle;
    }
    return left;
}

/* Radix sort of doubles by their bytes, the least significant one first (Knuth, The Art of Computer Programming 3,
 * 5.2.5).
 *
 * With the sign bit set in positive numbers and all bits inverted in negative ones, the order of doubles is that of
 * their bits as integers.  A digit that is the same in all numbers is skipped.
 */

#define DIGITS 8                        /* bytes of a double */
#define GROUP  4                        /* digits that are counted in one pass */
#define VALUES 256                      /* of a digit */

static uint64_t key_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static int digit_of(double x, int digit)
{
    return (int)(key_of(x) >> (8 * digit) & (VALUES - 1));
}

/* Counts the values of digits first, ..., first + GROUP - 1. */
static void count_digits(size_t n, const double *x, int first, size_t count[GROUP][VALUES])
{
    memset(count, 0, GROUP * sizeof *count);
    for (size_t i = 0; i < n; i++) {
        uint64_t key = key_of(x[i]);
        key >>= 8 * first;
        for (int d = 0; d < GROUP; d++, key >>= 8) count[d][key & (VALUES - 1)]++;
    }
}

/* Distributes the numbers by one digit, of which the values have these counts. */
static void spread(size_t n, int digit, size_t *count, const double *x, const double *with, double *to, double *to_with)
{
    size_t at = 0;
    for (int v = 0; v < VALUES; v++) {
        size_t here = count[v];
        count[v] = at;
        at += here;
    }
    for (size_t i = 0; i < n; i++) {
        size_t index = count[digit_of(x[i], digit)]++;
        to[index] = x[i];
        if (with) to_with[index] = with[i];
    }
}

void sort_numbers(size_t n, double *x, double *with, double *workspace, double *workspace_with)
{
    size_t count[GROUP][VALUES];
    double *from = x, *from_with = with;

    for (int d = 0; d < DIGITS; d++) {
        if (d % GROUP == 0) count_digits(n, x, d, count);
        size_t *here = count[d % GROUP];
        if (here[digit_of(x[0], d)] == n) continue;
        double *to = from == x ? workspace : x, *to_with = !with ? NULL : from == x ? workspace_with : with;
        spread(n, d, here, from, from_with, to, to_with);
        from = to;
        from_with = to_with;
    }
    if (from == x) return;
    memcpy(x, from, n * sizeof *x);
    if (with) memcpy(with, from_with, n * sizeof *with);
}
