/* Polynomials of one law in single precision, for devices with or without double precision: no type but float occurs
 * here.  See interpolant/encoding.h for the words, and for what the host adds.
 *
 * One work-item per element: 4 bytes in, 4 bytes out, a gather of 48 bytes, 11 multiplications with additions and at
 * most one exponential.  The term in t is added last, so that the rounding errors are those of r itself.
 */
__kernel void single_values(__global const uint *word, __global const float4 *coefficient, __global float *out,
                            const int n, const int pieces, const int bits, const float step, const int give_exp)
{
    int i = (int) get_global_id(0);
    if (i >= n) return;
    uint w = word[i];
    int piece = min((int) (w >> (32 - bits)), pieces - 1);      /* elements outside have a piece beyond the last */
    float t = ((float) ((int) ((w << bits) >> bits) - (1 << (31 - bits))) + 0.5f) * step;
    float4 a = coefficient[piece], b = coefficient[pieces + piece], c = coefficient[2 * pieces + piece];
    float high = c.x + t * (c.y + t * c.z);
    float middle = b.x + t * (b.y + t * (b.z + t * (b.w + t * high)));
    float r = t * (a.x + t * (a.y + t * (a.z + t * (a.w + t * middle))));
    out[i] = give_exp ? exp(r) : r;
}
