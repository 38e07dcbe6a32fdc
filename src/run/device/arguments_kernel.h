/* The arguments, which are the same for all kernels. */
#ifndef STABLECL_RUN_DEVICE_ARGUMENTS_KERNEL_H
#define STABLECL_RUN_DEVICE_ARGUMENTS_KERNEL_H

#include "shared.h"

#define ARGUMENTS                                                                                   \
    const struct device_job job,                                                                    \
    __global const double *x, __global const double *alpha, __global const double *beta,            \
    __global const double *gamma, __global const double *delta, __global const double *weight,      \
    __global const struct device_shape *shape, __global const struct device_node_set *node_sets,          \
    __global const int *slot, __global double *nodes, __global const double *interpolant,                 \
    __global int *missing, __global int *flags, __global uchar *state, __global double *out,        \
    __global double *sums, __global int *index, __global int *bins, __global const double *approximation,      \
    __global double *modes

#define ARGUMENT_NAMES                                                                              \
    job, x, alpha, beta, gamma, delta, weight, shape, node_sets, slot, nodes, interpolant, missing, flags,   \
    state, out, sums, index, bins, approximation, modes

/* The x, or p, of element i of a chunk. */
#define X_OF(i)                                                                                     \
    (job.is_resident ? x[(((uint64) job.first_high << 32) | job.first_low) + (uint64) (i)] : x[(i) * job.stride[0]])

/* The law of element i of a chunk whose elements share (alpha, beta). */
#define SHARED_LAW(i)                                                                               \
    { shape->alpha, shape->beta, gamma[(i) * job.stride[3]], delta[(i) * job.stride[4]], job.pm }

/* The law of element i of a chunk in which everything may vary. */
#define LAW_OF(i)                                                                                  \
    { alpha[(i) * job.stride[1]], beta[(i) * job.stride[2]], gamma[(i) * job.stride[3]],            \
      delta[(i) * job.stride[4]], job.pm }

/* The mode of element i of a chunk, as user_frame() requires it. */
#define MODE_OF(i) (job.modes ? modes[job.modes > 1 ? (i) : 0] : shape->mode)

/* The derivatives of the mode of element i with respect to alpha and beta, each with its error, behind the modes. */
#define SLOPES_OF(i) (modes + job.modes + 4 * (job.modes > 1 ? (i) : 0))

/* The element that a work-item processes, in the order determined by order.cl if there is one. */
#define ELEMENT_OF(item) (job.is_ordered && (item) < job.n ? index[item] : (item))

/* Writes the wanted outputs one after the other, job.n elements each. */
static void write_values(const struct device_job *job, const struct point_values *y, int i, __global double *out)
{
    int at = i;
    if (job->what & WANT_PDF)   { out[at] = y->pdf;  at += job->n; }
    if (job->what & WANT_CDF)   { out[at] = y->cdf;  at += job->n; }
    if (job->what & WANT_SF)    { out[at] = y->sf;   at += job->n; }
    if (job->what & WANT_ERROR) { out[at] = y->error; }
}

#endif
