/* Densities, probabilities and quantiles of one law, computed from its packed interpolant (packed_kernel.h).
 *
 * One work-item per element computes the standardised argument, takes the number of the piece from its bits,
 * gathers twelve coefficients, and evaluates a polynomial and at most one exponential.  Elements outside the
 * interpolant are listed in `index`, with their number in bins[0]; eval_one or quantile_one, which follows this kernel,
 * evaluates them.
 *
 * The limiting factor, by operation counts: an element causes 16 bytes of traffic with device memory, about 75
 * operations in double precision, and a gather of 96 bytes of coefficients.  On an H100 (132 multiprocessors at 1.7
 * GHz), 8e10 elements per second leave 90 cycles for the 32 elements of a warp.  The operations take 38 of them, so
 * the gathers are decisive.  If the coefficients of a piece were contiguous, each element would touch its own cache
 * line.  The pairs (c_0, c_1), (c_2, c_3), ... of all pieces are therefore stored contiguously, one array per pair:
 * the pieces that contain nine tenths of the probability (14 of 70 for alpha = 1.5, 47 of 300 for alpha = 0.3)
 * occupy two to six lines of 128 bytes in each of six requests.  An ordinary interpolant (7 to 30 kB) fits into the
 * first-level cache; copies in local memory would have to be made by every work-group, and would limit the size of
 * an interpolant.  A lower degree would need more pieces for the same error (a third of the terms less, four times
 * the pieces), so that its fewer requests would touch more lines.
 */
#include "arguments_kernel.h"
#include "../../interpolant/packed_kernel.h"

__kernel void eval_interpolant(ARGUMENTS)
{
    int i = (int) get_global_id(0);
    struct point_values v = { 0.0, 0.0, 0.0, 0.0 };

    if (i >= job.n) return;
    if (packed_values(&job.interpolant, interpolant, X_OF(i), job.what, job.give_log, &v))
        write_values(&job, &v, i, out);
    else index[atomic_inc(bins)] = i;
}

__kernel void quantile_interpolant(ARGUMENTS)
{
    int i = (int) get_global_id(0);
    double q;

    if (i >= job.n) return;
    struct user_law l = SHARED_LAW(i);
    if (packed_quantile(&job.interpolant, interpolant, &l, X_OF(i), job.lower, job.give_log, &q)) out[i] = q;
    else index[atomic_inc(bins)] = i;
}
