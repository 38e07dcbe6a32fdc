/* Densities, probabilities and quantiles of one law in single precision: one work-item per element, 4 bytes in, 4 bytes
 * out, and at most one exponential. */
#include "encoded_kernel.h"

__kernel void single_values(__global const uint *word, __global const float4 *coefficient, __global float *out,
                            const int n, const int pieces, const int bits, const float step, const int give_exp)
{
    int i = (int) get_global_id(0);
    if (i >= n) return;
    uint w = word[i];
    float r = encoded_r(w, min(piece_of(w, bits), pieces - 1), coefficient, pieces, bits, step);
    out[i] = give_exp ? exp(r) : r;
}
