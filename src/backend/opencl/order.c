#include <math.h>
#include "headers.h"
#ifdef STABLECL_OPENCL
#include "order.h"

#define ALPHA_BINS 64
#define SIZE_BINS  16                   /* of each sign of x: powers of 4 around 1 */
#define BINS       (ALPHA_BINS * 2 * SIZE_BINS)

static int limited(double value, int bins)
{
    return value >= bins ? bins - 1 : value > 0 ? (int)value : 0;       /* NaN: 0 */
}

static int bin_of(double x, double alpha)
{
    int exponent = 0;
    frexp(x, &exponent);
    int size = limited(0.5 * exponent + 0.5 * SIZE_BINS, SIZE_BINS);
    return (limited(0.5 * ALPHA_BINS * alpha, ALPHA_BINS) * 2 + (x > 0)) * SIZE_BINS + size;
}

static double at(const struct column *c, size_t i)
{
    return c->at[c->length == 1 ? 0 : i % c->length];
}

void order_alike(const struct column *x, const struct column *alpha, size_t first, size_t count, int *index)
{
    int start[BINS + 1] = { 0 };
    for (size_t i = 0; i < count; i++) start[bin_of(at(x, first + i), at(alpha, first + i)) + 1]++;
    for (int k = 0; k < BINS; k++) start[k + 1] += start[k];
    for (size_t i = 0; i < count; i++) index[start[bin_of(at(x, first + i), at(alpha, first + i))]++] = (int)i;
}

#endif
