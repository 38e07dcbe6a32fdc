/* Sorts the elements of a chunk, each of which has its own shape, so that neighbours take similar time.
 *
 * The work-items of a group wait for the slowest of them.  For a million random shapes, the slowest of 32 has 2.2
 * times the average number of nodes if the elements are sorted by alpha and x, and 1.3 times if they are also
 * sorted by beta (or -beta, for x <= 0).
 *
 * Three kernels implement a counting sort: they count the elements in each bin, compute where each bin begins, and
 * place the elements.  The order within a bin is arbitrary, and results do not depend on it.
 */
#include "arguments_kernel.h"

#define ALPHA_BINS 64
#define SIZE_BINS  16                   /* for |x|: powers of 2 around 1 */
#define BETA_BINS  (ORDER_BINS/(ALPHA_BINS*SIZE_BINS))      /* for beta if x > 0, for -beta otherwise */

static int clamped_bin(double value, int bins)
{
    return value >= bins ? bins - 1 : value > 0 ? (int) value : 0;      /* 0 for NaN */
}

/* Alternates between increasing and decreasing order, so that adjacent bins are also similar where an outer bin
 * begins. */
static int folded_bin(int bin, int bins, int outer)
{
    return outer & 1 ? bins - 1 - bin : bin;
}

/* Returns the bin; the exponent is taken from the bits of x, where that of 1 is 1023. */
static int bin_of(double x, double alpha, double beta)
{
    int exponent = (int) (bits_of_double(x) >> 52 & 0x7FF) - 1022;
    int first = clamped_bin(0.5 * ALPHA_BINS * alpha, ALPHA_BINS);
    int size = clamped_bin(exponent + 0.5 * SIZE_BINS, SIZE_BINS);
    int side = clamped_bin(0.5 * BETA_BINS * (1.0 + (x > 0 ? beta : -beta)), BETA_BINS);
    return (first * SIZE_BINS + folded_bin(size, SIZE_BINS, first)) * BETA_BINS + folded_bin(side, BETA_BINS, size);
}

#define BIN_OF(i) bin_of(X_OF(i), alpha[(i) * job.stride[1]], beta[(i) * job.stride[2]])

/* The bins must be zero initially. */
__kernel void order_count(ARGUMENTS)
{
    int i = (int) get_global_id(0);
    if (i < job.n) atomic_inc(&bins[BIN_OF(i)]);
}

/* Uses one work-group; each work-item processes a run of bins. */
__kernel __attribute__((reqd_work_group_size(ORDER_ITEMS, 1, 1))) void order_begin(ARGUMENTS)
{
    __local int total[ORDER_ITEMS];
    int item = (int) get_local_id(0), run = ORDER_BINS / ORDER_ITEMS, sum = 0;
    for (int k = item * run; k < (item + 1) * run; k++) sum += bins[k];
    total[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    int next = 0;
    for (int k = 0; k < item; k++) next += total[k];
    for (int k = item * run; k < (item + 1) * run; k++) {
        int here = bins[k];
        bins[k] = next;
        next += here;
    }
}

__kernel void order_place(ARGUMENTS)
{
    int i = (int) get_global_id(0);
    if (i < job.n) index[atomic_inc(&bins[BIN_OF(i)])] = i;
}
