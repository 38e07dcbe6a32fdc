/* Both tails of a distribution, from the one that is computed.
 *
 * A tail is stored as exp(log_scale) factor, so that its logarithm is available if it underflows.  The other tail is
 * 1 minus this one, which is at most about 0.7.
 */
#ifndef STABLECL_SPECIAL_TAILS_H
#define STABLECL_SPECIAL_TAILS_H

#include "dialect.h"

struct tails {
    double log_scale, factor;
    int upper;                          /* 1: the upper tail is stored, 0: the lower */
};

FN double tails_value(struct tails t)
{
    return exp(t.log_scale) * t.factor;
}

/* Returns the upper or lower tail, or its logarithm. */
FN double tails_take(struct tails t, int upper, int give_log)
{
    if (t.upper == upper) return give_log ? t.log_scale + log(t.factor) : tails_value(t);
    return give_log ? log1p(-tails_value(t)) : 1.0 - tails_value(t);
}

/* Smaller shape parameters are treated as 0. */
#define SHAPE_LEAST 1e-300

/* Returns the probability 1 (here) or 0, or its logarithm. */
FN double tails_all(int here, int give_log)
{
    if (give_log) return here ? 0.0 : -INFINITY;
    return here ? 1.0 : 0.0;
}

#endif
