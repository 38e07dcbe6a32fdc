/* Limits, parameters and results of integrals, and communication between the work items of a group. */
#ifndef STABLECL_QUADRATURE_RANGES_KERNEL_H
#define STABLECL_QUADRATURE_RANGES_KERNEL_H

#include "integrand_kernel.h"

#define ARGUMENTS                                                                                       \
    const struct device_integrals job, __global const double *column, POOL pool, TABLES table,         \
    __global int *list, __global double *scratch, __global double *out

/* Evaluates the integrand at job.n points instead, one for each work item, for comparison with the CPU
 * (quadrature/integrand_programs.c); `column` holds the inputs point by point.  Every kernel begins with this: with
 * a kernel of its own for these points, the machine code of a program with dstable() took 6.6 s instead of 5.0 s
 * (H200, driver 580, six programs at a time). */
#define RETURN_VALUES                                                                                       \
    if (job.values_only) {                                                                                  \
        evaluate_points(&job, column, pool, table, out);                                                    \
        return;                                                                                             \
    }

static void evaluate_points(const struct device_integrals *job, __global const double *column, POOL pool, TABLES table,
                            __global double *out)
{
    int i = (int) get_global_id(0);
    double x[INPUTS];
    if (i >= job->n) return;
    for (int k = 0; k < INPUTS; k++) x[k] = column[i * INPUTS + k];
    out[i] = integrand(x, pool, table);
}

static double column_at(const struct device_integrals *job, __global const double *column, int k, int i)
{
    return column[job->start[k] + i * job->stride[k]];
}

/* Sets *low <= *high to the limits of integral i along an axis.  Returns the sign of the integral: -1 if the limits
 * were reversed, else 1. */
static double range_of(const struct device_integrals *job, __global const double *column, int i, int axis,
                       double *low, double *high)
{
    double from = column_at(job, column, axis, i), to = column_at(job, column, AXES + axis, i);
    *low = from < to ? from : to;
    *high = from < to ? to : from;
    return from <= to ? 1.0 : -1.0;
}

static double sign_of(const struct device_integrals *job, __global const double *column, int i)
{
    double low, high, sign = 1.0;
    for (int axis = 0; axis < AXES; axis++) sign *= range_of(job, column, i, axis, &low, &high);
    return sign;
}

/* Copies the parameters of integral i to x, after the coordinates. */
static void set_parameters(const struct device_integrals *job, __global const double *column, int i, double *x)
{
    for (int k = AXES; k < INPUTS; k++) x[k] = column_at(job, column, AXES + k, i);
}

/* Returns the status of integral i if its limits or parameters determine the result, else INTEGRAL_NOT_DONE. */
static int status_before(const struct device_integrals *job, __global const double *column, int i)
{
    int missing = 0, empty = 0;
    for (int k = 0; k < job->columns; k++) missing |= isnan(column_at(job, column, k, i));
    for (int axis = 0; axis < AXES; axis++)
        empty |= column_at(job, column, axis, i) == column_at(job, column, AXES + axis, i);
    return missing ? INTEGRAL_NOT_FINITE : empty ? INTEGRAL_CONVERGED : INTEGRAL_NOT_DONE;
}

/* Stores the result of integral i; count is at most PACKED_MAX. */
static void store_result(const struct device_integrals *job, __global double *out, int i, double value, double error,
                         uint count, int status)
{
    __global uint *packed = (__global uint *) (out + job->doubles * job->n);
    out[i] = value;
    out[job->n + i] = error;
    packed[i] = count * PACKED_STATUSES + (uint) status;
}

/* Stores the result of an integral that limits or parameters determine. */
static void store_trivial_result(const struct device_integrals *job, __global double *out, int i, int status)
{
    double value = status == INTEGRAL_CONVERGED ? 0.0 : NAN;
    store_result(job, out, i, value, value, 0, status);
}

/* Returns the number of the next integral to all work items of the group; job.n or more if none is left. */
static int next_integral(__global int *list, __local int *number)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) *number = atomic_inc(list);
    barrier(CLK_LOCAL_MEM_FENCE);
    return *number;
}

/* Returns the sum of `count` over the work items before this one, and in *all the sum over the group. */
static int count_before(int count, int *total, __local int *counts)
{
    int item = (int) get_local_id(0), before = 0, sum = 0;
    counts[item] = count;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < REFINE_ITEMS; k++) {
        before += k < item ? counts[k] : 0;
        sum += counts[k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    *total = sum;
    return before;
}

#endif
