/* Fourier integrals on a device (quadrature/double_exponential/fourier.h).
 *
 * A group of work items computes one integral at a time: the work items share the nodes of a level, and their sums are
 * combined pairwise.
 */
#include "../ranges_kernel.h"
#include "fourier.h"

/* Returns the sums over the nodes of a transform to all work items of the group. */
static struct fourier_sums transform_sums(const struct fourier_integral *f, int transform,
                                          const struct fourier_level *l, double *x, POOL pool, TABLES table,
                                          __local struct fourier_sums *partial)
{
    struct fourier_sums sums = fourier_sums_empty();
    for (int k = (int) get_local_id(0); k < l->count; k += REFINE_ITEMS) {
        struct fourier_node node = fourier_node(f, transform, l, l->first + k);
        x[0] = node.x;
        if (node.weight != 0.0) fourier_add_value(&sums, integrand(x, pool, table), &node, l->m / f->p);
    }
    REDUCE_GROUP(sums, REFINE_ITEMS, partial, fourier_joined);
    return sums;
}

__kernel __attribute__((reqd_work_group_size(REFINE_ITEMS, 1, 1))) void fourier(ARGUMENTS)
{
    __local struct fourier_sums partial[REFINE_ITEMS];
    __local int number;
    double x[INPUTS], low, high;
    int i;

    RETURN_VALUES
    while ((i = next_integral(list, &number)) < job.n) {
        struct fourier s = fourier_begin();
        double sign = range_of(&job, column, i, 0, &low, &high), omega = column_at(&job, column, job.columns - 1, i);
        int status = status_before(&job, column, i), is_trivial = status != INTEGRAL_NOT_DONE;
        struct fourier_integral f = fourier_transforms(low, high, omega, job.option.fourier.weight == FOURIER_COSINE);
        set_parameters(&job, column, i, x);
        for (int level = 0; status == INTEGRAL_NOT_DONE && s.evaluations <= job.launch_eval; level++) {
            struct fourier_level l = fourier_level(level);
            fourier_begin_level(&s);
            for (int k = 0; k < f.count; k++) {
                struct fourier_sums sums = transform_sums(&f, k, &l, x, pool, table, partial);
                fourier_add_sums(&s, level, &sums);
            }
            status = fourier_end_level(&s, level, f.count, job.rel_tol, job.abs_tol, job.max_eval);
        }
        if (get_local_id(0) == 0 && is_trivial) store_trivial_result(&job, out, i, status);
        else if (get_local_id(0) == 0)
            store_result(&job, out, i, sign * s.value, s.error, (uint) s.evaluations, status);
    }
}
