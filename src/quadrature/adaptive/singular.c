/* Completes integrals whose remaining error lies next to a few singular points.
 *
 * Bisection towards a singular point needs many intervals and ends where numbers are no longer dense enough.  Once the
 * intervals with large errors form few clusters, each cluster is replaced: its singular point is located, and the
 * integrals on both sides of it are extrapolated (singular.h).  If the errors then add up to less than the tolerance,
 * the integral has converged.  Otherwise bisection goes on, and the next attempt follows when the evaluations have
 * doubled, unless the errors fall so slowly that the tolerance cannot be reached, as for oscillations that accumulate
 * at a point.
 *
 * A cluster (clusters.c) whose narrowest interval lies at an end of its part has its singular point there, any other
 * one where |f| is largest in or next to that interval: of some points, the one with the largest |f| and its neighbours
 * limit the next search.  The errors include that of the joint with the interval next to the cluster: a jump may lie
 * between the outermost points on both sides of it.
 */
#include <math.h>
#include "singular.h"
#include "../integrals.h"

#define NARROW   (1.0 / 32.0)           /* an attempt requires an interval of at most this share of its part */
#define GROWTH   1.01                   /* least factor by which an unbounded |f| grows towards its singular point */
#define BESIDE   2                      /* neighbours on either side of which |f| is examined */
#define SEARCHES 30                     /* largest number of searches for one point, */
#define SEARCHED 16                     /* with this number of points each */
#define PROBES_MIN   8.0                /* least number of points of a probe */
#define PROBE_NEAR 64.0                 /* least distance of a probe in units of the spacing of numbers */
#define HOPELESS 3e4                    /* evaluations after which an integral may be hopeless */
#define CONCENTRATED 0.125              /* largest length of intervals with large errors that are concentrated */

/* One attempt for an integral. */
struct attempt {
    const struct region_store *store;
    size_t integral;
    double tolerance;
    int thread, failed;                 /* failed: the sampler stopped */
    struct totals sum;
};

/* A side of a singular point: `part` ends there, at its lower limit if way is 1, at its upper limit if it is -1.
 * beyond: the interval at its other end; NULL if the range ends there. */
struct side { struct part part; int direction; const struct gk_interval *beyond; };

/* --- evaluation ---------------------------------------------------------------------- */

/* Returns the array for the points of a call of values_of(). */
static double *points_for(const struct attempt *a)
{
    const struct sampler *s = a->store->sampler;
    return s->input(s->self, a->thread, 0);
}

/* Returns the values at `count` points.  Returns NULL if the evaluations are used up or the sampler failed. */
static const double *values_of(struct attempt *a, int count)
{
    const struct integral_job *j = a->store->job;
    if (j->evaluations[a->integral] + count > j->max_eval) return NULL;
    j->evaluations[a->integral] += count;
    const double *f = each_integral_values(j, a->store->sampler, a->thread, a->integral, count);
    a->failed |= !f;
    return f;
}

/* Evaluates the rule on RULES intervals of the integral.  Returns NULL as values_of(). */
static const double *evaluate(struct attempt *a, const struct part *v)
{
    gk_points(v, points_for(a));
    return values_of(a, GK_POINTS * RULES);
}

/* Returns the interval between the distances H/3^k and H/3^(k + 1) from the singular point; *near is the latter. */
static struct part level_interval(const struct side *side, int k, double *near)
{
    struct part v = side->part;
    double far = (v.high - v.low) * pow(3.0, -k);
    *near = far / 3.0;
    if (side->direction > 0) {
        v.high = k > 0 ? side->part.low + far : side->part.high;
        v.low = side->part.low + *near;
    } else {
        v.low = k > 0 ? side->part.high - far : side->part.low;
        v.high = side->part.high - *near;
    }
    return v;
}

/* Returns the spacing of numbers at t, or, if it is coarser, that at x divided by dx/dt. */
static double spacing_at(const struct part *p, double t)
{
    double error = ROUNDING * fabs(t);
    return p->side == 0 ? error : fmax(error, ROUNDING * fabs(p->origin) * t * t);
}

/* Returns f dx/dt at t. */
static double scaled(const struct part *p, double t, double f)
{
    return p->side == 0 ? f : f / (t * t);
}

/* The points of a probe: their distance from the singular point, and t. is_whole: the estimates there become as small
 * as requested before points are too close to each other. */
struct probe { double near[GK_POINTS * RULES], t[GK_POINTS * RULES]; int count, is_whole; };

/* Sets the points, the middles of the intervals from `level` on, until their integrals should be below `minimum`. */
static void probe_points(const struct side *side, const struct extrapolation *seen, int level, double spacing,
                         double minimum, struct probe *to)
{
    double needed = log(minimum / fabs(seen->last)) / log(fmax(seen->ratio, 1.0 / 3.0));
    int count = needed < GK_POINTS * RULES ? (int)fmax(needed, PROBES_MIN) : GK_POINTS * RULES;
    to->is_whole = needed < GK_POINTS * RULES;
    for (to->count = 0; to->count < count; to->count++) {
        struct part v = level_interval(side, level + to->count, &to->near[to->count]);
        to->t[to->count] = 0.5 * v.low + 0.5 * v.high;
        if (to->near[to->count] >= PROBE_NEAR * spacing && to->near[to->count] >= 0x1p-1000) continue;
        to->is_whole = 0;
        return;
    }
}

/* Returns the error of the limit that one-point estimates of the first `levels` integrals have, according to estimates
 * that follow: one point is a poor estimate of an integral, but sums of these estimates have a limit if and only if
 * those of the integrals have one, and the points reach much nearer to the singular point.  A quarter of the tail
 * beyond a point and its rounding are not counted, but the tail beyond the last point if more points could have
 * followed. */
static double probe(struct attempt *a, const struct side *side, const struct extrapolation *seen, int levels,
                    double spacing, double minimum)
{
    struct probe p;
    double *x = points_for(a), sum = seen->sum, last = seen->last, tail = 0.0, error = 0.0;

    probe_points(side, seen, levels, spacing, minimum, &p);
    if (!p.count) return 0.0;
    for (int k = 0; k < p.count; k++) x[k] = part_x(side->part, p.t[k]);
    const double *f = values_of(a, p.count);
    if (!f) return INFINITY;
    for (int k = 0; k < p.count; k++) {
        double term = 2.0 * p.near[k] * scaled(&side->part, p.t[k], f[k]), ratio = last != 0.0 ? term / last : 0.0;
        tail = fabs(ratio) < EXTRAPOLATE_RATIO ? term * ratio / (1.0 - ratio) : term;
        sum += term;
        last = term;
        double off = fabs(sum + tail - seen->value) - 0.25 * fabs(tail) - fabs(term) * (spacing / p.near[k]);
        if (!(off <= error)) error = isfinite(off) ? off : INFINITY;
    }
    return p.is_whole ? error + fabs(tail) : error;
}

/* The sequences of one side: integrals, one-point estimates of them, sums of the integrals of |f| and of the errors at
 * joints.  before, half_length: estimate and half the length of the interval before the next one; half_length is 0 if
 * there is none. */
struct sequences {
    struct extrapolation integrals, points;
    double size, joints, half_length;
    struct estimate before;
    int levels;
};

static struct sequences sequences_begin(const struct side *side)
{
    struct sequences s = { .integrals = extrapolation_begin(), .points = extrapolation_begin() };
    if (!side->beyond) return s;
    s.before = side->beyond->estimate;
    s.half_length = interval_half_length(side->beyond->part);
    return s;
}

/* Adds the error at the joint of an interval with the one before it. */
static void add_joint(struct sequences *s, int direction, struct part v, struct estimate e)
{
    double half_length = interval_half_length(v), joint = 0.0;
    if (s->half_length > 0.0) joint = direction > 0 ? interval_joint(e, s->before) : interval_joint(s->before, e);
    s->joints += joint * (half_length + s->half_length);
    s->before = e;
    s->half_length = half_length;
}

/* Evaluates the next RULES integrals and adds those at sufficient distances.  Returns 0 if none follows, -1 if the side
 * cannot be extrapolated. */
static int add_levels(struct attempt *a, const struct side *side, double spacing, struct sequences *s)
{
    struct part v[RULES];
    struct estimate e[RULES];
    double near[RULES];

    for (int p = 0; p < RULES; p++) v[p] = level_interval(side, s->levels + p, &near[p]);
    if (near[0] < EXTRAPOLATE_NEAR * spacing) return 0;
    const double *f = evaluate(a, v);
    if (!f) return -1;
    gk_estimates(v, f, e);
    for (int p = 0; p < RULES; p++) {
        if (near[p] < EXTRAPOLATE_NEAR * spacing) return 0;
        if (!isfinite(e[p].error)) return -1;
        double middle = scaled(&v[p], interval_t(v[p], GK_MIDDLE), f[GK_MIDDLE * RULES + p]);
        extrapolation_add(&s->integrals, e[p].value, e[p].error, spacing, near[p]);
        extrapolation_add(&s->points, 2.0 * near[p] * middle, 0.0, spacing, near[p]);
        add_joint(s, side->direction, v[p], e[p]);
        s->size += e[p].size;
        s->levels++;
    }
    return s->levels < EXTRAPOLATE_MAX;
}

/* Adds the extrapolated integral on one side, of which the tolerance is about `share` of the integral's.  Returns 0 if
 * it has no limit. */
static int add_side(struct attempt *a, const struct side *side, double share)
{
    struct sequences s = sequences_begin(side);
    double spacing = spacing_at(&side->part, side->direction > 0 ? side->part.low : side->part.high);
    int more = 1;

    while (more > 0 && !(s.integrals.error + s.joints <= share * a->tolerance))
        more = add_levels(a, side, spacing, &s);
    if (more < 0 || !isfinite(s.integrals.error) || !isfinite(s.points.error)) return 0;
    double probed = probe(a, side, &s.points, s.levels, spacing, 0.1 * share * a->tolerance);
    a->sum.value += s.integrals.value;
    a->sum.error += s.integrals.error + s.joints + 2.0 * probed;
    a->sum.size += s.size + s.before.size * s.integrals.ratio / (1.0 - s.integrals.ratio);
    return isfinite(a->sum.error);
}

/* --- singular points ------------------------------------------------------------------- */

/* Returns point q of those at which an interval is searched. */
static double search_t(const struct part *v, int q)
{
    return v->low + (v->high - v->low) * ((q + 1.0) / (SEARCHED + 1.0));
}

/* A maximum of |f dx/dt|, and t there. */
struct peak { double height, at; };

/* Evaluates f at the search points of an interval, and replaces *p if |f dx/dt| is larger there.  Returns 0 as
 * values_of(). */
static int update_maximum(struct attempt *a, const struct part *v, struct peak *p)
{
    double *x = points_for(a);
    for (int q = 0; q < SEARCHED; q++) x[q] = part_x(*v, search_t(v, q));
    const double *f = values_of(a, SEARCHED);
    for (int q = 0; f && q < SEARCHED; q++) {
        double t = search_t(v, q), g = fabs(scaled(v, t, f[q]));
        if (g > p->height) *p = (struct peak){ g, t };    /* never if g is NaN */
    }
    return f != NULL;
}

/* Returns the t in an interval at which |f dx/dt| is largest; NaN if it appears to be bounded, because the maximum
 * hardly grows when points are added around it, or if there are no values. */
static double find_maximum(struct attempt *a, struct part v)
{
    struct peak p = { -1.0, 0.5 * v.low + 0.5 * v.high };
    for (int k = 0, bounded = 0; k < SEARCHES; k++) {
        double before = p.height, step = (v.high - v.low) / (SEARCHED + 1.0);
        if (!update_maximum(a, &v, &p)) return NAN;
        if (isinf(p.height)) break;
        bounded = p.height > GROWTH * before ? 0 : bounded + 1;
        if (bounded == 2) return NAN;
        v.low = fmax(v.low, p.at - step);
        v.high = fmin(v.high, p.at + step);
        if (part_is_narrow(v.low, v.high)) break;
    }
    return p.at;
}

/* Returns the singular point of a cluster: the one found in its shortest interval and those next to it, because farther
 * away |f| may be larger for other reasons, or else in the whole cluster; NaN if there is none. */
static double singular_point(struct attempt *a, const struct gk_interval *r, size_t count, size_t narrowest)
{
    struct part near = r[narrowest].part, all = r[0].part;
    all.high = r[count - 1].part.high;
    if (narrowest > 0) near.low = r[narrowest - 1].part.low;
    if (narrowest + 1 < count) near.high = r[narrowest + 1].part.high;
    double at = find_maximum(a, near);
    return at > near.low && at < near.high ? at : find_maximum(a, all);
}

/* Adds the extrapolated integrals over a cluster.  Returns 0 if there is no limit. */
static int add_cluster(struct attempt *a, const struct gk_interval *r, size_t count, int is_first, int is_last,
                       double share)
{
    struct side low = { r[0].part, 1, is_last ? NULL : r + count }, high = { r[0].part, -1, is_first ? NULL : r - 1 };
    size_t narrowest = narrowest_of(r, 0, count);
    low.part.high = high.part.high = r[count - 1].part.high;
    if (is_first && narrowest == 0) return add_side(a, &low, share);
    if (is_last && !(interval_half_length(r[count - 1].part) > interval_half_length(r[narrowest].part)))
        return add_side(a, &high, share);
    double at = singular_point(a, r, count, narrowest);
    if (a->failed || !(at > low.part.low && at < low.part.high)) return 0;
    high.part.high = low.part.low = at;
    return add_side(a, &high, 0.5 * share) && add_side(a, &low, 0.5 * share);
}

/* --- an attempt over all clusters ----------------------------------------------------------- */

/* Replaces the clusters.  Returns 0 if there are too many or one has no limit. */
static int replace_clusters(struct attempt *a, const struct gk_interval *r, size_t count)
{
    struct cluster c[CLUSTERS_MAX];
    int found = clusters_of(r, count, REST * a->tolerance / (double)count, c);
    if (found > CLUSTERS) return 0;
    for (int i = 0; i < found; i++) if (!is_around_one_point(r, c[i].from, c[i].to)) return 0;
    for (size_t k = 0, next = 0; k < count; k++) {
        if (next < (size_t)found && k == c[next].from) {
            size_t to = c[next].to;
            int is_first = k == 0 || r[k - 1].number != r[k].number;
            int is_last = to == count || r[to].number != r[k].number;
            if (!add_cluster(a, r + k, to - k, is_first, is_last, 0.5 / found)) return 0;
            k = to - 1;
            next++;
        } else {
            a->sum.value += r[k].subregion.value;
            a->sum.error += r[k].subregion.error;
            a->sum.size += r[k].subregion.size;
        }
    }
    return 1;
}

/* TRUE if the means of |f| over interval k and the two next to it, in one direction, fall with the distance
 * from interval k as far as they lie in the same part.  A neighbour with the same mean may lie on the other side of the
 * singular point: is_symmetric is then set, and the fall begins there. */
static int means_decrease(const struct gk_interval *r, size_t count, size_t k, int direction, int *is_symmetric)
{
    double mean = INFINITY;
    for (int step = 0; step <= BESIDE + *is_symmetric; step++, k += (size_t)direction) {
        double next = r[k].estimate.size / interval_half_length(r[k].part);
        int is_same = step == 1 && !*is_symmetric && next <= GROWTH * mean;
        if (mean < GROWTH * next && !is_same) return 0;
        *is_symmetric |= mean < GROWTH * next;
        if (k == (direction > 0 ? count - 1 : 0) || r[k].number != r[k + (size_t)direction].number) return 1;
        mean = next;
    }
    return 1;
}

/* TRUE if |f| appears to grow without limit within interval k: its mean exceeds those of its neighbours, or is
 * infinite, and the values indicate a singularity. */
static int appears_unbounded(const struct gk_interval *r, size_t count, size_t k)
{
    int is_symmetric = 0;
    if (isinf(r[k].estimate.error)) return 1;
    if (!r[k].estimate.is_singular && r[k].estimate.split_share == 0.5) return 0;
    return means_decrease(r, count, k, 1, &is_symmetric) && means_decrease(r, count, k, -1, &is_symmetric);
}

/* The concentration of the error.  length: that of the intervals with most of the error, in units of their parts;
 * any_unbounded: |f| appears to be unbounded in a narrow one of them. */
struct concentration { double length; int any_unbounded; };

static struct concentration concentration_of(const struct gk_interval *r, size_t count, double tolerance, double error)
{
    double small = REST * tolerance / (double)count, large = REST * error / (double)count;
    struct concentration b = { 0.0, 0 };
    for (size_t k = 0; k < count; k++) {
        double share = 2.0 * interval_half_length(r[k].part) / (r[k].last - r[k].first);
        if (r[k].subregion.error <= small) continue;
        b.length += r[k].subregion.error > large ? share : 0.0;
        b.any_unbounded |= share <= NARROW && appears_unbounded(r, count, k);
    }
    return b;
}

/* --- an attempt, and the end of bisection --------------------------------------------------- */

/* Returns the logarithm by which the error falls in `periods` further periods if it falls by `fall` in the last one,
 * and if this number grows in each by the same factor of 1 to 2.  It remains the same for errors that are a power of
 * the evaluations, and doubles with them for an exponential, as for many oscillations that are damped. */
static double expected_fall(double fall, double fall_before, double periods)
{
    double growth = fall_before > 0.0 ? fmin(fmax(fall / fall_before, 1.0), 2.0) : 1.0, sum = 0.0;
    for (double left = periods, next = growth; left > 0.0; left -= 1.0, next *= growth) sum += next * fmin(left, 1.0);
    return fall * sum;
}

/* TRUE if the error is concentrated and, at the rate at which it falls, will exceed the tolerance when the evaluations
 * allowed are used up.  fall: logarithm by which it has fallen since the last check. */
static int is_hopeless(const struct integral_job *j, const struct attempts *t, double length, double fall, double error,
                       double evaluations, double tolerance)
{
    if (!(t->before > 0.0) || evaluations <= HOPELESS || length > CONCENTRATED) return 0;
    double periods = log2(j->max_eval / evaluations) / log2(evaluations / t->checked);
    return !(log(error) - expected_fall(fall, t->fall, periods) <= log(tolerance));
}

/* Returns the better result of former attempts and of bisection; that of bisection if it has certainly found more of
 * the integral since.  A point next to a singular point may make the integral of |f| far too large, and the error even
 * larger.  If bisection has found no more, the values may differ: next to f = |x|^p with p near -1 the error of
 * bisection is far too small. */
static struct totals better_result(const struct attempts *t, const struct region_sums *sum)
{
    struct totals totals = { sum->value, refinement_error(sum), sum->size };
    const struct totals *best = &t->best;
    int agrees = fabs(best->value - totals.value) <= best->error + totals.error &&
        best->size >= 0.5 * (totals.size - totals.error);
    int is_complete = best->size >= totals.size;
    return best->error > 0.0 && totals.error > best->error && (agrees || is_complete) ? *best : totals;
}

/* Tries to extrapolate.  The next attempt is due when the evaluations have doubled, or, after one that needed none
 * because bisection has not isolated the singular points yet, have increased by a quarter. */
static void attempt(struct attempt *a, struct attempts *t, const struct gk_interval *r, size_t count,
                    const struct region_sums *sum)
{
    const double *evaluations = &a->store->job->evaluations[a->integral];
    double before = *evaluations;
    int found = replace_clusters(a, r, count);
    t->best = better_result(t, sum);
    if (found && !a->failed && !(a->sum.error > t->best.error)) t->best = a->sum;
    t->due = (*evaluations > before ? 2.0 : 1.25) * *evaluations;
}

enum completion singular_complete(struct region_store *f, size_t from, size_t to, const struct region_sums *sum,
                                  double tolerance, int is_last, struct totals *result)
{
    const struct integral_job *j = f->job;
    const struct gk_interval *r = (const struct gk_interval *)(void *)subregion_at(f, f->at, from);
    struct attempts *t = &f->refinement->attempts[r->subregion.listed];
    struct attempt a = { .store = f, .integral = r->subregion.integral, .tolerance = tolerance,
                         .thread = f->thread == ALL_THREADS ? 0 : f->thread };
    size_t count = to - from;
    double evaluations = j->evaluations[a.integral];
    enum completion end = COMPLETION_NONE;

    if (isnan(sum->value)) return COMPLETION_NONE;  /* f is NaN throughout an interval */
    struct concentration concentration = concentration_of(r, count, tolerance, sum->error);
    if (evaluations > 2.0 * t->checked) {
        double fall = t->before > 0.0 ? log(t->before / sum->error) : 0.0;
        if (is_hopeless(j, t, concentration.length, fall, sum->error, evaluations, tolerance))
            end = COMPLETION_HOPELESS;
        t->best = better_result(t, sum);
        t->checked = evaluations;
        t->before = sum->error;
        t->fall = fall;
    }
    int is_due = (evaluations >= t->due && concentration.any_unbounded) || is_last || end != COMPLETION_NONE;
    if (is_due) attempt(&a, t, r, count, sum);
    if (a.failed) stop_interrupted(&f->refinement->stop_flag);
    *result = better_result(t, sum);
    return end == COMPLETION_NONE && (is_due || result->error <= tolerance) ? COMPLETION_FOUND : end;
}
