/* Finds integrals over one axis whose convergence is in doubt, from two values of the integrand next to each limit and
 * break.
 *
 * A path leads from inside the range to a point or to infinity: its octave o lies at from + step 2^-o, or at
 * from + step 2^o if it leads outward.  The integral of |f| over one octave is about s = |f| times its length, and the
 * integral converges at the end of the path if s decreases geometrically.  R/quadrature-divergence.R gives the
 * derivation and examines the integrals found doubtful here, on the same paths (paths_on_line()).
 */
#include <math.h>
#include "integrals.h"

#define NEAR_OCTAVE  8.0
#define FAR_OCTAVE   80.0               /* if a path has over LONG_PATH octaves, else FAR_SHARE of them */
#define LONG_PATH    100.0
#define FAR_SHARE    0.9
#define OFF_OCTAVE   0.3071             /* offset from whole octaves, where integrands may have special values */
#define MIN_OCTAVES   10.0
#define DEEP_OCTAVES 1000.0             /* octaves_deep */
#define SPARE_OCTAVES 6.0               /* spare_least in R/quadrature-divergence.R */
#define MIN_SLOPE    0.05               /* least decrease of log2(s) per octave */

struct path { double from, step, octaves; int outward; };

/* Returns the number of octaves from the distance `step` down to the spacing of numbers at `from`, less the last
 * SPARE_OCTAVES (depth_to()). */
static double octaves_to(double from, double step)
{
    return fmin(DEEP_OCTAVES, log2(fabs(step)) + fmin(1020.0, 52.0 - SPARE_OCTAVES - log2(fabs(from))));
}

/* Returns the path from inside the range to the limit `end`; way is 1 for the lower limit, -1 for the upper one. */
static struct path path_to_end(double end, double other, double way)
{
    struct path p = { end, way * (isfinite(other) ? fabs(end - other) : fmax(fabs(end), 1.0)), DEEP_OCTAVES,
                      isinf(end) };
    if (p.outward) {
        p.from = isfinite(other) ? other : 0.0;
        p.step = -way;
    } else p.octaves = octaves_to(p.from, p.step);
    return p;
}

static struct path path_to_break(double at, double low, double high, double way)
{
    double length = fmin(fmin(at - low, high - at), fmax(fabs(at), 1.0));
    struct path p = { at, way * length, octaves_to(at, length), 0 };
    return p;
}

static double far_octave(struct path p)
{
    return (p.octaves > LONG_PATH ? FAR_OCTAVE : FAR_SHARE * p.octaves) + OFF_OCTAVE;
}

static double x_at(struct path p, double octave)
{
    return p.from + p.step * exp2(p.outward ? octave : -octave);
}

/* The points of a path at its near and its far octave.  s does not decrease fast enough between the two octaves, which
 * are `octaves` apart, if
 *
 *     log2|f(far)| - log2|f(near)| + l > -MIN_SLOPE octaves,     l = octaves outward, -octaves inward,
 *
 * that is, if |f(far)| > maximum |f(near)|.  is_valid: the path is long enough. */
struct probe { double near, far, maximum; int is_valid; };

static struct probe probe_of(struct path p)
{
    struct probe probe = { 0.0, 0.0, 0.0, isfinite(p.from) && isfinite(p.step) && p.octaves >= MIN_OCTAVES };
    if (!probe.is_valid) return probe;
    double octaves = far_octave(p) - (NEAR_OCTAVE + OFF_OCTAVE), length = p.outward ? octaves : -octaves;
    probe.near = x_at(p, NEAR_OCTAVE + OFF_OCTAVE);
    probe.far = x_at(p, far_octave(p));
    probe.maximum = exp2(-MIN_SLOPE * octaves - length);
    return probe;
}

/* One thread's block of points: those of each probe, and the index of the integral that it belongs to.  low, high, end:
 * the last range, NaN if there is none, and the probes of its ends; most integrals share theirs. */
struct block {
    struct probe probe[BLOCK / 2];
    size_t owner[BLOCK / 2];
    int count;
    double low, high;
    struct probe end[2];
};

/* Evaluates the integrand at the points of a block, assesses the values, and empties the block.  Returns 0 if the
 * sampler failed. */
static int finish_block(const struct screened *j, const struct sampler *s, int thread, struct block *b,
                        unsigned char *is_examined)
{
    double *x = s->input(s->self, thread, 0);

    if (!b->count) return 1;
    for (int q = 0; q < b->count; q++) {
        x[2 * q] = b->probe[q].near;
        x[2 * q + 1] = b->probe[q].far;
    }
    for (int k = 0; k < j->parameters; k++) {
        double *to = s->input(s->self, thread, k + 1);
        for (int q = 0; q < b->count; q++)
            to[2 * q] = to[2 * q + 1] = column_value(j->parameter[k], b->owner[q]);
    }
    const double *f = s->run(s->self, thread, 2 * b->count);
    if (!f) return 0;
    for (int q = 0; q < b->count; q++)
        is_examined[b->owner[q]] |= (unsigned char)(fabs(f[2 * q + 1]) > b->probe[q].maximum * fabs(f[2 * q]));
    b->count = 0;
    return 1;
}

static int add_probe(const struct screened *j, const struct sampler *s, int thread, struct block *b, size_t i,
                     struct probe p, unsigned char *is_examined)
{
    if (!p.is_valid) return 1;
    b->probe[b->count] = p;
    b->owner[b->count++] = i;
    return b->count < BLOCK / 2 || finish_block(j, s, thread, b, is_examined);
}

/* Sets the range of the next integral. */
static void set_range(struct block *b, double low, double high)
{
    if (low == b->low && high == b->high) return;
    b->low = low;
    b->high = high;
    b->end[0] = probe_of(path_to_end(low, high, 1.0));
    b->end[1] = probe_of(path_to_end(high, low, -1.0));
}

static int has_value(const struct screened *j, size_t i)
{
    if (j->status[i] == INTEGRAL_CONVERGED) return 1;
    return j->status[i] == INTEGRAL_ROUNDOFF && j->evaluations[i] <= j->resolved &&
           j->error[i] <= j->rounded * fabs(j->value[i]);
}

/* Adds the probes of the paths to the limits and breaks of integral i to a block.  Returns 0 if the sampler failed. */
static int add_probes(const struct screened *j, const struct sampler *s, int thread, struct block *b, size_t i,
                      unsigned char *is_examined)
{
    double one = column_value(j->lower, i), other = column_value(j->upper, i);
    double low = fmin(one, other), high = fmax(one, other);

    if (isnan(one) || isnan(other)) return 1;
    set_range(b, low, high);
    int succeeded = add_probe(j, s, thread, b, i, b->end[0], is_examined) &&
                add_probe(j, s, thread, b, i, b->end[1], is_examined);
    for (size_t c = 0; c < j->break_count && succeeded; c++) {
        double at = j->breaks[c];
        if (!(low < at && at < high)) continue;
        succeeded = add_probe(j, s, thread, b, i, probe_of(path_to_break(at, low, high, -1.0)), is_examined) &&
                add_probe(j, s, thread, b, i, probe_of(path_to_break(at, low, high, 1.0)), is_examined);
    }
    return succeeded;
}

#define SHARE 1024                      /* integrals that a thread processes at a time */

struct screening {
    const struct screened *job;
    const struct sampler *sampler;
    unsigned char *is_examined;
    struct stop_flag stop_flag;
};

static void screen_share(void *context, int thread, size_t from, size_t to)
{
    struct screening *s = context;
    const struct screened *j = s->job;
    struct block b = { .low = NAN };
    int succeeded = 1;

    for (size_t i = from; i < to && succeeded; i++) {
        int is_open = status_is_examined(j->status[i], j->evaluations[i], j->examined_above);
        int is_screened = is_open && has_value(j, i);
        s->is_examined[i] = (unsigned char)(is_open && !is_screened);
        if (is_screened) succeeded = add_probes(j, s->sampler, thread, &b, i, s->is_examined);
    }
    if (!succeeded || !finish_block(j, s->sampler, thread, &b, s->is_examined)) stop_interrupted(&s->stop_flag);
}

int screen_lines(const struct screened *j, const struct sampler *s, poll_function poll, unsigned char *is_examined,
                 struct status *st)
{
    struct screening all = { j, s, is_examined, { .poll = poll, .st = st } };
    parallel_for(j->n, SHARE, s->threads, screen_share, &all, &all.stop_flag);
    return st->code;
}
