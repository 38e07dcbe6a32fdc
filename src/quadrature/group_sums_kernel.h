/* Sums that the work items of a group form together, always in the same order. */
#ifndef STABLECL_QUADRATURE_GROUP_SUMS_KERNEL_H
#define STABLECL_QUADRATURE_GROUP_SUMS_KERNEL_H

#include "../special/dialect.h"
#include "../run/device/group_kernel.h"

/* Sums over subregions or points. open, least, largest: sum, minimum and maximum of the errors of subregions that can
 * be bisected; count: their number, or that of the points counted; lost: number of subregions with an infinite error
 * that cannot be bisected. */
struct accumulator { double value, error, size, open, least, largest; int count, lost; };

static struct accumulator accumulator_none(void)
{
    struct accumulator none = { 0.0, 0.0, 0.0, 0.0, INFINITY, 0.0, 0, 0 };
    return none;
}

static struct accumulator accumulator_joined(struct accumulator a, struct accumulator b)
{
    struct accumulator both = { a.value + b.value, a.error + b.error, a.size + b.size, a.open + b.open,
                          fmin(a.least, b.least), fmax(a.largest, b.largest), a.count + b.count,
                          a.lost + b.lost };
    return both;
}

/* Returns the joint sums of `share` neighbouring work items to each of them; share is a power of 2. */
static struct accumulator accumulator_all(struct accumulator own, int share, __local struct accumulator *lanes)
{
    JOIN_LANES(own, share, lanes, accumulator_joined);
    return own;
}

#endif
