/* Random numbers; element i depends only on (key, i) and its law. */
#include "arguments_kernel.h"
#include "../../stable/random.h"

static double variate(const struct user_law *l, const struct draw_law *draw, double mode,
                      const struct device_job *job, int i)
{
    struct frame f = user_frame(l, mode);
    ulong first = (ulong) job->first_high << 32 | job->first_low;
    struct draw_frame frame = user_draw_frame(draw, l, &f);
    return draw_at(draw, &frame, job->key, first + (ulong) i);
}

__kernel void random_one(ARGUMENTS)
{
    int i = (int) get_global_id(0);
    if (i >= job.n) return;
    struct user_law l = SHARED_LAW(i);
    struct draw_law draw = shape->draw;
    double y;
    if (!user_is_constant(&l, &y)) y = variate(&l, &draw, shape->mode, &job, i);
    else if (isnan(y)) flags[FLAG_NANS] = 1;
    out[i] = y;
}

__kernel void random_each(ARGUMENTS)
{
    int i = (int) get_global_id(0);
    if (i >= job.n) return;
    struct user_law l = LAW_OF(i);
    double y;
    if (!user_is_constant(&l, &y)) {
        struct draw_law draw = draw_law_of(l.alpha, l.beta);
        y = variate(&l, &draw, MODE_OF(i), &job, i);
    } else if (isnan(y)) flags[FLAG_NANS] = 1;
    out[i] = y;
}
