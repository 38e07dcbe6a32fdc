/* Densities and probabilities of one law, read off its chart
 * (packed_kernel.h).
 *
 * One work item per element: where it lies, the piece's number from the bits of that, twelve
 * coefficients, a polynomial, one exponential at most.  What the chart does not hold goes to a list,
 * in `index`, whose length is bins[0]; eval_rest, which comes after this kernel, sees to it.
 *
 * What limits, by count.  An element has 16 bytes of traffic with device memory, some 75 operations
 * in double precision, and 96 bytes of coefficients to gather.  On an H100 (132 multiprocessors at
 * 1.7 GHz), 8e10 elements per second leave 90 cycles to the 32 elements of a warp: the operations
 * take 38 of them, so that the gathers decide.  Piece by piece, each element would touch a line of
 * its own.  The pairs (c_0, c_1), (c_2, c_3), ... of all pieces therefore lie next to each other,
 * pair after pair: the pieces that hold nine tenths of a law (14 of 70 for alpha = 1.5, 47 of 300
 * for alpha = 0.3) are two to six lines of 128 bytes in each of six requests.  An ordinary chart
 * (7 to 30 kB) stays in the first cache as a whole; copies in local memory would have to be made
 * by every group, and would bound the size of a chart.  A lower degree would need so many more
 * pieces for the same error (a third of the terms less, four times the pieces) that its fewer
 * requests touch more lines.
 */
#include "arguments_kernel.h"
#include "../../interpolant/packed_kernel.h"

__kernel void eval_interpolant(ARGUMENTS)
{
    int i = (int) get_global_id(0);
    struct point_values v = { 0.0, 0.0, 0.0, 0.0 };

    if (i >= job.n) return;
    if (read_packed(&job.interpolant, interpolant, X_OF(i), job.what, job.give_log, &v)) write_values(&job, &v, i, out);
    else index[atomic_inc(bins)] = i;
}
