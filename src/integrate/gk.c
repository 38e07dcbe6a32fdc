/* integrate/gk.c: how the parts of a range are cut for the rule of Gauss and Kronrod (interval.h): into
 * GK_PANELS intervals, or GK_PANELS_ZERO where all was 0. */
#include "interval.h"
#include "limits.h"

static size_t begin(const struct integral_job *j, size_t i, int panels, void *room)
{
    struct interval *to = room, v = { .piece = { .integral = i, .is_new = 1 } };
    struct parts parts = parts_of(j, i);
    struct part p;
    size_t count = 0;
    while (parts_next(&parts, &p))
        for (int k = 0; k < panels; k++) {
            v.part = part_panel(p, k, panels);
            to[count++] = v;
        }
    return count;
}

static size_t most(const struct integral_job *j, int panels)
{
    return (size_t)((j->break_count + 2) * panels);
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
    interval_halve(piece, left, right);
}

static int is_stuck(const void *piece)
{
    const struct interval *v = piece;
    return part_is_narrow(v->part.low, v->part.high);
}

int integrate_gk(const struct integral_job *job, const struct sampler *sampler, poll_function poll, struct status *st)
{
    static const struct cutting cut = {
        sizeof(struct interval), GK_POINTS, GK_POINTS, GK_PANELS, GK_PANELS_ZERO, 0, 0.0, begin, most, place, sum, halve,
        is_stuck
    };
    return integrate_adaptive(job, &cut, sampler, poll, st);
}
