/* quadrature/group_sums_kernel.h: sums that the work items of a group form together, in one order. */
#ifndef STABLECL_QUADRATURE_GROUP_SUMS_KERNEL_H
#define STABLECL_QUADRATURE_GROUP_SUMS_KERNEL_H

#include "../special/dialect.h"
#include "../run/device/group_kernel.h"

/* Sums over pieces or over points.  open: of the errors of those that can be halved, least and largest among them;
 * count: what is counted; lost: those that cannot be halved, with an infinite error. */
struct tally { double value, error, size, open, least, largest; int count, lost; };

static struct tally tally_none(void)
{
    struct tally none = { 0.0, 0.0, 0.0, 0.0, INFINITY, 0.0, 0, 0 };
    return none;
}

static struct tally tally_joined(struct tally a, struct tally b)
{
    struct tally both = { a.value + b.value, a.error + b.error, a.size + b.size, a.open + b.open,
                          fmin(a.least, b.least), fmax(a.largest, b.largest), a.count + b.count,
                          a.lost + b.lost };
    return both;
}

/* What `share` neighbouring lanes have together, for each of them; a power of 2. */
static struct tally tally_all(struct tally own, int share, __local struct tally *lanes)
{
    JOIN_LANES(own, share, lanes, tally_joined);
    return own;
}

#endif
