/* The arguments of random_single.cl, which the host computes in double precision and rounds: the layout is the same on
 * both sides. */
#ifndef STABLECL_RUN_DEVICE_SINGLE_SHARED_H
#define STABLECL_RUN_DEVICE_SINGLE_SHARED_H

#include "../../stable/variate.h"

#define FLOAT_MEMBER(name) float name;
struct single_sample {
    int64 zero;                         /* the zero V_0 of A, in units of 2^-62 pi/2 */
    uint32 key[2], first_low, first_high;  /* number of element 0 in the stream of the key */
    int n;
    int is_x0;                          /* results are variates X0 instead of X1 */
    int is_wide;                        /* results are the upper words of doubles instead of floats */
    int c_is_e;
    float power_high, power_low;        /* e/alpha; the first has 12 bits */
    float skew[2];                      /* 1 + beta and 1 - beta, for positive and negative angles V */
    float factor, angle;                /* of draw_factor(); alpha pi/2 2^-62 */
    DRAW_CONSTANTS(FLOAT_MEMBER)
};
#undef FLOAT_MEMBER

#endif
