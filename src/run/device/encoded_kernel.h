/* Polynomials of one law in single precision; see interpolant/encoding.h for the words and the coefficients.  No type
 * but float occurs here, for devices with or without double precision.
 *
 * Each element causes a gather of 48 bytes and 11 multiplications with additions.  The term in t is added last, so that
 * the rounding errors are those of r itself.
 */
#ifndef STABLECL_RUN_DEVICE_ENCODED_KERNEL_H
#define STABLECL_RUN_DEVICE_ENCODED_KERNEL_H

/* Returns the piece of a word; elements outside have a piece of number `pieces` or more. */
static int piece_of(uint w, int bits)
{
    return (int) (w >> (32 - bits));
}

/* Returns r of a word on this piece. */
static float encoded_r(uint w, int piece, __global const float4 *coefficient, int pieces, int bits, float step)
{
    float t = ((float) ((int) ((w << bits) >> bits) - (1 << (31 - bits))) + 0.5f) * step;
    float4 a = coefficient[piece], b = coefficient[pieces + piece], c = coefficient[2 * pieces + piece];
    float high = c.x + t * (c.y + t * c.z);
    float middle = b.x + t * (b.y + t * (b.z + t * (b.w + t * high)));
    return t * (a.x + t * (a.y + t * (a.z + t * (a.w + t * middle))));
}

#endif
