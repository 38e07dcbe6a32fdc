/* Values of elements that each have their own (alpha, beta). */
#include "varying_shape_kernel.h"

__kernel void eval_each(ARGUMENTS)
{
    int i = ELEMENT_OF((int) get_global_id(0));
    if (is_skipped(&job, i, state)) return;
    struct user_law l = LAW_OF(i);
    struct point_values y;
    if (point_streamed(&l, MODE_OF(i), X_OF(i), job.what, job.give_log, &y)) flags[FLAG_NANS] = 1;
    write_values(&job, &y, i, out);
}
