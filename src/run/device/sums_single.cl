/* Sums of log densities of one law over blocks of elements in single precision, for devices with or without double
 * precision.
 *
 * One work-group processes a block, with the partial sums of special/double_double.h.  The log density of an element
 * is the origin of its piece, a pair of floats, plus r.  Two floats are returned for each block; their error is 6e-12
 * of the sum of |origin| + |r|, so that the rounding of t and r decides.  Elements outside the encoding are left out.
 */
#define SINGLE_PRECISION
#include "partial_sums_kernel.h"
#include "encoded_kernel.h"

__kernel __attribute__((reqd_work_group_size(PARTIAL_SUMS, 1, 1))) void single_sums(
    __global const uint *word, __global const float4 *coefficient, __global float2 *out, const int n, const int pieces,
    const int bits, const float step)
{
    __local struct double_double partial[PARTIAL_SUMS];
    __global const float2 *origin = (__global const float2 *) (coefficient + 3 * pieces);
    int item = (int) get_local_id(0), block = (int) get_group_id(0);
    struct double_double sum = { 0.0, 0.0 };

    for (int j = item; j < SUM_BLOCK; j += PARTIAL_SUMS) {
        int i = block * SUM_BLOCK + j;
        uint w = i < n ? word[i] : 0xFFFFFFFFu;
        int piece = piece_of(w, bits);
        if (piece >= pieces || isnan(origin[piece].x)) continue;
        struct double_double from = { origin[piece].x, origin[piece].y };
        sum = compensated_merge(sum, from);
        sum = compensated_add(sum, encoded_r(w, piece, coefficient, pieces, bits, step));
    }
    sum = add_partial_sums(sum, partial);
    if (item == 0) out[block] = (float2) (sum.hi, sum.lo);
}
