/* Double exponential quadrature on a device (quadrature/double_exponential/tanh_sinh.h).
 *
 * A group of work items computes one integral at a time: the work items share the nodes of a level, and their sums are
 * combined pairwise.
 */
#include "../ranges_kernel.h"
#include "tanh_sinh.h"

static struct tanhsinh_sums joined(struct tanhsinh_sums a, struct tanhsinh_sums b)
{
    a.value += b.value;
    a.size += b.size;
    a.evaluations += b.evaluations;
    a.not_finite |= b.not_finite;
    for (int side = 0; side < 2; side++) tanhsinh_update_end(&a.ends, side, b.ends.t[side], b.ends.term[side]);
    return a;
}

/* Returns the sums over the nodes of a level to all work items of the group. */
static struct tanhsinh_sums level_sums(double a, double b, int level, double *x, POOL pool, TABLES table,
                                       __local struct tanhsinh_sums *partial)
{
    struct tanhsinh_nodes nodes = tanhsinh_nodes(level);
    struct tanhsinh_sums sum = tanhsinh_sums_empty();
    double weight;

    for (int k = (int) get_local_id(0); k < nodes.count; k += REFINE_ITEMS) {
        double t = (nodes.first + k * nodes.stride) * nodes.step;
        if (tanhsinh_node(a, b, t, &x[0], &weight)) tanhsinh_add_value(&sum, integrand(x, pool, table), weight, t);
    }
    REDUCE_GROUP(sum, REFINE_ITEMS, partial, joined);
    return sum;
}

__kernel __attribute__((reqd_work_group_size(REFINE_ITEMS, 1, 1))) void tanhsinh(ARGUMENTS)
{
    __local struct tanhsinh_sums partial[REFINE_ITEMS];
    __local int number;
    double x[INPUTS], a, b;
    int i;

    RETURN_VALUES
    while ((i = next_integral(list, &number)) < job.n) {
        struct tanhsinh s = tanhsinh_begin();
        double sign = range_of(&job, column, i, 0, &a, &b);
        int status = status_before(&job, column, i), is_trivial = status != INTEGRAL_NOT_DONE;
        set_parameters(&job, column, i, x);
        for (int level = TANHSINH_FIRST; status == INTEGRAL_NOT_DONE && s.evaluations <= job.launch_eval; level++) {
            struct tanhsinh_sums more = level_sums(a, b, level, x, pool, table, partial);
            status = tanhsinh_add_level(&s, level, &more, job.rel_tol, job.abs_tol, job.max_eval);
        }
        if (get_local_id(0) == 0 && is_trivial) store_trivial_result(&job, out, i, status);
        else if (get_local_id(0) == 0)
            store_result(&job, out, i, sign * s.value, s.error, (uint) s.evaluations, status);
    }
}
