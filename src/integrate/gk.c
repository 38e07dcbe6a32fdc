/* integrate/gk.c: how a range is cut for the rule of Gauss and Kronrod (interval.h): into PANELS intervals, or
 * PANELS_ZERO where all was 0; at breaks; and the whole line into two half-lines. */
#include "interval.h"
#include "limits.h"

#define PANELS      4
#define PANELS_ZERO 256

static size_t add_panels(struct interval v, int panels, struct interval *to)
{
    double low = v.low, high = v.high;
    for (int k = 0; k < panels; k++) {
        v.low = k == 0 ? low : low + (high - low) * k / panels;
        v.high = k == panels - 1 ? high : low + (high - low) * (k + 1) / panels;
        to[k] = v;
    }
    return (size_t)panels;
}

/* Between two neighbours of limits and breaks, of which one or both may be infinite. */
static size_t add_part(size_t i, double a, double b, int panels, struct interval *to)
{
    struct interval v = { { 0.0, 0.0, 0.0, i, 1, 0, 0.0, 0.0 }, a, b, 0.0, 0 };
    size_t count = 0;
    if (isfinite(a) && isfinite(b)) return add_panels(v, panels, to);
    v.low = 0.0;
    v.high = 1.0;
    if (isinf(a)) {
        v.side = -1;
        v.origin = isfinite(b) ? b : 0.0;
        count = add_panels(v, panels, to);
    }
    if (isinf(b)) {
        v.side = 1;
        v.origin = isfinite(a) ? a : 0.0;
        count += add_panels(v, panels, to + count);
    }
    return count;
}

static size_t begin(const struct integral_job *j, size_t i, int panels, void *room)
{
    struct interval *to = room;
    size_t count = 0;
    double a, b;
    range_of(j, i, 0, &a, &b);
    for (int k = 0; k < j->break_count; k++) {
        if (!(j->breaks[k] > a && j->breaks[k] < b)) continue;
        count += add_part(i, a, j->breaks[k], panels, to + count);
        a = j->breaks[k];
    }
    return count + add_part(i, a, b, panels, to + count);
}

static size_t most(const struct integral_job *j, int panels)
{
    return (size_t)(2 * (j->break_count + 1) * panels);
}

static void place(const void *piece, double *const *x)
{
    interval_points(piece, x[0]);
}

static void sum(void *piece, const double *f)
{
    interval_sum(piece, f);
}

static void halve(const void *piece, void *left, void *right)
{
    const struct interval *v = piece;
    struct interval *l = left, *r = right;
    *l = *r = *v;
    l->high = r->low = 0.5 * v->low + 0.5 * v->high;
}

static int is_stuck(const void *piece)
{
    return interval_is_stuck(piece);
}

int integrate_gk(const struct integral_job *job, const struct sampler *sampler, poll_function poll, struct status *st)
{
    static const struct cutting cut = {
        sizeof(struct interval), GK_POINTS, PANELS, PANELS_ZERO, 0, begin, most, place, sum, halve, is_stuck
    };
    return integrate_adaptive(job, &cut, sampler, poll, st);
}
