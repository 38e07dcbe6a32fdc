#include <float.h>
#include <math.h>
#include <string.h>
#include "starting_values.h"
#include "../stable/law.h"

#define NEAREST 41                      /* observations next to a point on which the mode is tried, ... */
#define SPREAD  40                      /* ... and over the whole sample */
#define MAX_SCANNED  (NEAREST + SPREAD) /* at most MAX_AT_ONCE */
#define CLOSE_TO_TABLES 0.25            /* alpha above which positions are compared at TABLES_BEGIN */
#define EXPECTED 0.1                    /* expected number of observations nearer to a fixed location */
#define RESOLVED 4.0                    /* least distance of a fixed location from an observation, in rounding errors */
#define DISTANCES (1.0 / 256.0)         /* its distance is a power of exp(DISTANCES), unless something else limits it */
#define MAX_SLOPE  0.9                  /* largest slope of the distance that belongs to an estimate */
#define NEAR_SOLUTION 1.0               /* change of the log distance up to which a secant is used */
#define MAX_CHANGES  2                  /* changes of the observation next to a fixed location in one search */
#define SMOOTH  20.0                    /* gaps between observations: a wider mode covers many of them */
#define FEW_OBSERVATIONS 60             /* observations up to which more starting values are used, ... */
#define FLAT_OBSERVATIONS 500           /* ... and those with large |beta| where the likelihood is flat */
#define WIDE_ALPHA 0.4                  /* alpha below which the range of a sample is wide */

/* --- starting values --------------------------------------------------------- */

/* TRUE if the lower bound of alpha is in the range of narrow modes but so large that the mode has a realistic width
 * there, so that peaks on single observations cannot drive alpha further down. */
static int is_floor(double alpha_min)
{
    return alpha_min >= TABLES_BEGIN && alpha_min < NARROW_ALPHA;
}

/* The starting values so far. */
struct starts { const struct problem *p; const double *from; double mode; double (*theta)[PARAMETERS]; int count; };

/* Adds `from` with this shape, and with fixed parameters at their values, unless it is there already.  Below the range
 * of the tables the mode is so narrow that its position is kept instead of the location. */
static void add(struct starts *s, double alpha, double beta)
{
    double *theta = s->theta[s->count];
    memcpy(theta, s->from, sizeof *s->theta);
    theta[ALPHA] = fmax(fmin(alpha, 1.98), 1.5 * s->p->alpha_min);
    theta[BETA] = beta;
    for (int j = 0; j < PARAMETERS; j++)
        if (s->p->is_fixed[j]) theta[j] = s->p->fixed[j];
    if (s->from[ALPHA] < TABLES_BEGIN && !s->p->is_fixed[DELTA]) theta[DELTA] = s->mode + delta_minus_zeta(theta);
    for (int k = 0; k < s->count; k++)
        if (memcmp(theta, s->theta[k], sizeof *s->theta) == 0) return;
    s->count++;
}

/* Adds a law with a narrow mode: a small sample may also consist of values next to the mode and outliers. */
static void add_narrow(struct starts *s, double alpha)
{
    double *theta = s->theta[s->count];
    int before = s->count;
    add(s, alpha, 0.0);
    if (s->count == before) return;
    if (!s->p->is_fixed[ALPHA]) theta[ALPHA] = alpha;
    if (!s->p->is_fixed[DELTA]) theta[DELTA] = s->mode + delta_minus_zeta(theta);
}

int starts_are_wide(const struct sample *s)
{
    double largest = fmax(fabs(s->z[0]), fabs(s->z[s->n - 1]));
    return log(largest) * WIDE_ALPHA > log((double)s->n);
}

int starts_list(const struct problem *p, const double *from, const struct sample *sample,
                double theta[MAX_STARTS][PARAMETERS])
{
    struct starts s = { p, from, sample->mode, theta, 0 };
    double total = sample->total;
    double alpha = from[ALPHA], beta = from[BETA], inner = fmax(fmin(beta, 0.95), -0.95);
    if (alpha > 1.9) inner *= 0.5;
    add(&s, alpha, inner);
    if (fabs(beta) > 0.9) add(&s, alpha, beta > 0.0 ? 0.6 : -0.6);
    if (alpha > FLAT_ALPHA) {
        add(&s, 1.9, 0.0);
        add(&s, 1.98, 0.0);
    }
    if (total <= FEW_OBSERVATIONS) {
        add(&s, alpha, -inner);
        add(&s, 1.3, 0.9);
        add(&s, 1.3, -0.9);
    }
    if (alpha > FLAT_ALPHA && total <= FLAT_OBSERVATIONS) {
        add(&s, 1.9, 0.9);
        add(&s, 1.9, -0.9);
        add(&s, 1.98, 0.9);
        add(&s, 1.98, -0.9);
    }
    if (alpha < 0.25) add(&s, alpha + 0.3, 0.5 * inner);
    if (total <= FEW_OBSERVATIONS && alpha > NARROW_ALPHA) add_narrow(&s, NARROW_ALPHA);
    if (total <= FEW_OBSERVATIONS && alpha > NARROW_ALPHA && starts_are_wide(sample)) add_narrow(&s, TABLES_BEGIN);
    if (total <= FEW_OBSERVATIONS && is_floor(p->alpha_min)) add_narrow(&s, p->alpha_min);
    return s.count;
}

/* --- the support ------------------------------------------------------------- */

/* TRUE if the support of the laws with this shape ends at zeta. */
static int is_one_sided(const struct coordinates *c)
{
    return c->base[ALPHA] < 1.0 && fabs(c->base[BETA]) == 1.0;
}

int starts_are_nearly_one_sided(const struct sample *s, const double *y)
{
    return y[ALPHA] < BORDERED && fabs(y[BETA]) >= (s->total <= ROUGH ? INSIDE : NEAR_BORDER);
}

int starts_fit_support(struct evaluator *e, struct coordinates *c, struct status *st)
{
    double side = c->base[BETA], centre = c->centre, best = centre, highest = -INFINITY, value;
    if (!is_one_sided(c) || !c->moves[DELTA]) return ST_OK;
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

/* --- positions of the mode --------------------------------------------------- */

/* Sets `near` to up to `maximum` values of the sample nearest to a point, the nearest one first; returns their
 * number. */
static int nearest(const struct sample *s, double point, int maximum, double *near)
{
    size_t left = numbers_below(s->n, s->z, point), right = left;
    int count = 0;
    for (; count < maximum && (left > 0 || right < s->n); count++) {
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
 * other values. */
static double gap_at(const struct sample *s, double value)
{
    double near[4];
    int count = nearest(s, value, 4, near);
    return fabs(near[count - 1] - value) / 3.0;
}

int starts_are_smooth(const struct sample *s, const struct coordinates *c)
{
    double near;
    if (!c->moves[DELTA] || c->pm != 1) return 1;
    nearest(s, c->centre, 1, &near);
    return c->unit > SMOOTH * gap_at(s, near);
}

/* --- fixed locations ---------------------------------------------------------
 *
 * The likelihood increases without bound as alpha -> 0 and zeta approaches an observation, so that a location
 * which is estimated with alpha makes alpha too small.  The distance of zeta from the nearest observation is
 * therefore fixed at one that is typical of small distances in a sample of this size.  For alpha -> 0 the
 * characteristic function of S1 at |t| = exp(s/alpha)/gamma tends to exp(-exp(s)), and
 *
 *     P(|X - zeta| < d) = exp(-(d/gamma)^-alpha),
 *
 * so that EXPECTED of n observations are nearer than
 *
 *     d = gamma log(n/EXPECTED)^(-1/alpha).
 *
 * Zeta is at about this distance from an observation, which is on the side of the longer tail, or in the middle of
 * the gap between observations if that is nearer.  The support of a one-sided law ends outside the sample.  The
 * distance is a power of exp(DISTANCES), so that rounding errors of the estimate do not change the location.  If the
 * shape of a one-sided law is given, its location is estimated: its density vanishes at the end of the support, so that
 * the likelihood is bounded.
 *
 * The distance also depends on the estimate for this location.  If a search with the location at exp(s) finds the law
 * to which exp(F(s)) belongs, then s = F(s) is solved by secants.  Without them, s = F(s) is approached linearly: the
 * observation next to the location contributes to the estimate of alpha, so that F' is about 0.6 for 20 observations
 * and 0.03 for 1000. */

/* Returns the power of exp(DISTANCES) next to exp(logarithm), or the least distance from this value, if that is
 * larger. */
static double discrete_distance(const struct sample *s, double value, double logarithm)
{
    double rounding = DBL_EPSILON * (fabs(s->centre) / s->scale + fabs(value));
    return fmax(exp(DISTANCES * rint(logarithm / DISTANCES)), RESOLVED * rounding);
}

double starts_power(const struct sample *s) { return log(s->total / EXPECTED); }

double starts_distance(const struct sample *s, double value, double alpha, double gamma)
{
    return discrete_distance(s, value, log(gamma) - log(starts_power(s)) / alpha);
}

/* Returns the location at a distance d from an observation, or in the middle of the gap between observations: below the
 * observation if beta is positive, else above it. */
static double location_at(const struct sample *s, const struct coordinates *c, double value, double d)
{
    int is_below = c->base[BETA] > 0.0;
    size_t next = numbers_below(s->n, s->z, is_below ? value : nextafter(value, INFINITY));
    if (is_below && next > 0) d = fmin(d, 0.5 * (value - s->z[next - 1]));
    if (!is_below && next < s->n) d = fmin(d, 0.5 * (s->z[next] - value));
    return is_below ? value - d : value + d;
}

/* Returns the fixed location next to an observation. */
static double fixed_location(const struct sample *s, const struct coordinates *c, double value)
{
    if (is_one_sided(c)) value = s->z[c->base[BETA] > 0.0 ? 0 : s->n - 1];
    return location_at(s, c, value, starts_distance(s, value, c->base[ALPHA], exp(c->base[GAMMA])));
}

/* Returns F' by the last two searches with the location next to this observation; 0 if there is only one, or if the
 * distance is far from the solution. */
static double slope_of(const struct placement *p, double value, double here, double target)
{
    if (!p->is_known || p->value != value || p->here == here || fabs(target - here) > NEAR_SOLUTION) return 0.0;
    return fmax(0.0, fmin((target - p->target) / (here - p->here), MAX_SLOPE));
}

/* Moves a fixed location towards the distance from its observation that belongs to the base of the coordinates, which
 * is a maximum or at an end of the range of alpha.  Returns TRUE if the location has to be moved. */
static int update_fixed_location(const struct sample *s, struct coordinates *c, int is_maximum, struct placement *p)
{
    int is_below = c->base[BETA] > 0.0;
    size_t next = numbers_below(s->n, s->z, is_below ? c->centre : nextafter(c->centre, INFINITY));
    double value = s->z[is_below ? (next < s->n ? next : s->n - 1) : (next > 0 ? next - 1 : 0)];
    double here = log(fabs(c->centre - value));
    c->centre = fixed_location(s, c, value);
    double target = log(fabs(c->centre - value)), slope = slope_of(p, value, here, target);
    int changes = p->changes + (p->is_known && p->value != value);
    *p = (struct placement) { is_maximum, changes, value, here, target };
    if (fabs(target - here) < 0.5 * DISTANCES || changes > MAX_CHANGES) return 0;
    if (slope > 0.0) {
        double logarithm = here + (target - here) / (1.0 - slope);
        c->centre = location_at(s, c, value, discrete_distance(s, value, logarithm));
    }
    return 1;
}

int starts_fix_location(const struct sample *s, double share, struct coordinates *c)
{
    double near, gap;
    if (c->pm != 1 || !c->moves[DELTA]) return 0;
    if (is_one_sided(c) && !c->moves[ALPHA] && !c->moves[BETA]) return 0;
    if (c->base[ALPHA] == c->alpha_min && is_floor(c->alpha_min)) return 0;
    nearest(s, c->centre, 1, &near);
    gap = gap_at(s, near);
    if (gap > 0.0 && c->unit >= share * gap) return 0;
    c->centre = fixed_location(s, c, near);
    c->moves[DELTA] = 0;
    return 1;
}

int starts_must_continue(const struct sample *s, const struct coordinates *old, const double *y, struct coordinates *c,
                         struct placement *p)
{
    c->moves[DELTA] = old->moves[DELTA];
    int is_at_end = coordinates_at_range_end(old, y);
    int is_placed = c->pm != 1 || c->moves[DELTA] || !update_fixed_location(s, c, !is_at_end, p);
    return starts_fix_location(s, FIXED_SHARE_LATE, c) || !is_placed || is_at_end;
}

/* Sets `best` to the indices of the MAX_MODES highest values, the highest one first, and to -1 after the last one
 * above -Inf.  Returns the highest value. */
static double rank(const double *value, int count, int *best)
{
    int is_taken[MAX_SCANNED] = { 0 };
    for (int b = 0; b < MAX_MODES; b++) {
        best[b] = -1;
        for (int k = 0; k < count; k++)
            if (!is_taken[k] && value[k] > (best[b] < 0 ? -INFINITY : value[best[b]])) best[b] = k;
        if (best[b] >= 0) is_taken[best[b]] = 1;
    }
    return best[0] < 0 ? -INFINITY : value[best[0]];
}

/* Returns the alpha at which positions of the mode are compared.  For alpha slightly below the tables, this is
 * TABLES_BEGIN, which is faster and ranks the positions equally well. */
static double scanned_alpha(double alpha)
{
    return alpha < TABLES_BEGIN && alpha > CLOSE_TO_TABLES ? TABLES_BEGIN : alpha;
}

/* Computes the log-likelihood with the mode on each of `found` values; -Inf for a value equal to the one before. */
static int scan(struct evaluator *e, const struct coordinates *c, const double *near, int found, double *value,
                struct status *st)
{
    double y[MAX_SCANNED][PARAMETERS], different[MAX_SCANNED];
    int at[MAX_SCANNED], count = 0;
    for (int k = 0; k < found; k++) {
        value[k] = -INFINITY;
        if (k > 0 && near[k] == near[k - 1]) continue;
        memcpy(y[count], c->base, sizeof y[count]);
        y[count][ALPHA] = scanned_alpha(c->base[ALPHA]);
        y[count][DELTA] = (near[k] - c->centre) / c->unit;
        at[count++] = k;
    }
    if (evaluate_locations(e, c, count, y, different, st)) return st->code;
    for (int i = 0; i < count; i++) value[at[i]] = different[i];
    return ST_OK;
}

/* Replaces `count` observations by the fixed locations next to them if the location is fixed; returns `count`. */
static int set_fixed_locations(const struct sample *s, const struct coordinates *c, int count, double *point)
{
    for (int k = 0; k < count && !c->moves[DELTA]; k++) point[k] = fixed_location(s, c, point[k]);
    return count;
}

int starts_modes(struct evaluator *e, struct coordinates *c, int maximum, double margin, int *count, struct status *st)
{
    double near[MAX_SCANNED], value[MAX_SCANNED], highest;
    int best[MAX_MODES], close, found;

    *count = 1;
    if (starts_are_smooth(e->sample, c)) return ST_OK;
    starts_fix_location(e->sample, FIXED_SHARE, c);
    close = nearest(e->sample, c->centre, NEAREST, near);
    found = set_fixed_locations(e->sample, c, close + spread(e->sample, near + close), near);
    if (scan(e, c, near, found, value, st)) return st->code;
    highest = rank(value, found, best);
    if (best[0] >= close) {                                 /* not next to the centre */
        set_fixed_locations(e->sample, c, nearest(e->sample, near[best[0]], close, near), near);
        if (scan(e, c, near, close, value, st)) return st->code;
        highest = rank(value, found, best);
    }
    for (int b = 0; b < maximum && best[b] >= 0 && value[best[b]] >= highest - margin; b++) {
        c[b] = c[0];
        c[b].centre = near[best[b]];
        *count = b + 1;
    }
    return ST_OK;
}
