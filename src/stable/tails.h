/* Both tails of a law, from the one that is computed.
 *
 * A tail is exp(log_scale) factor: so its logarithm is there where it underflows, and the other tail is 1 less
 * the value, which is no more than about 0.7.
 */
#ifndef STABLECL_STABLE_TAILS_H
#define STABLECL_STABLE_TAILS_H

#include "../special/dialect.h"

struct tails {
    double log_scale, factor;
    int upper;                          /* which tail that is */
};

FN double tails_value(struct tails t)
{
    return exp(t.log_scale) * t.factor;
}

FN double tails_take(struct tails t, int upper, int give_log)
{
    if (t.upper == upper) return give_log ? t.log_scale + log(t.factor) : tails_value(t);
    return give_log ? log1p(-tails_value(t)) : 1.0 - tails_value(t);
}

/* Shapes below that count as 0. */
#define SHAPE_LEAST 1e-300

/* All of the probability on one side. */
FN double tails_all(int here, int give_log)
{
    if (give_log) return here ? 0.0 : -INFINITY;
    return here ? 1.0 : 0.0;
}

#endif
