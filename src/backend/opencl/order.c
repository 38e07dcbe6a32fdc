#include <math.h>
#include <stdlib.h>
#include "headers.h"
#ifdef STABLECL_OPENCL
#include "order.h"
#include "../threads.h"

#define ALPHA_BINS 64
#define SIZE_BINS  16                   /* of each sign of x: powers of 4 around 1 */
#define ALONE      ((size_t)1 << 16)    /* elements that one thread sees to alone */
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
    return c->at[i < c->length ? i : i % c->length];
}

static int make_room(struct order *o, size_t count, struct status *st)
{
    if (count <= o->room) return ST_OK;
    order_free(o);
    o->index = malloc(count * sizeof *o->index);
    o->bin = malloc(count * sizeof *o->bin);
    if (!o->index || !o->bin) return fail(st, ST_MEMORY, "no memory for a chunk");
    o->room = count;
    return ST_OK;
}

/* The bins take most of the time, and are had in parallel; the counting sort that follows
 * is not worth it. */
int order_alike(struct order *o, const struct column *x, const struct column *alpha, size_t first, size_t count,
                struct status *st)
{
    int start[BINS + 1] = { 0 }, threads = count > ALONE ? threads_limit() : 1;

    if (make_room(o, count, st)) return st->code;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
#endif
    for (ptrdiff_t i = 0; i < (ptrdiff_t)count; i++)
        o->bin[i] = (unsigned short)bin_of(at(x, first + (size_t)i), at(alpha, first + (size_t)i));
    for (size_t i = 0; i < count; i++) start[o->bin[i] + 1]++;
    for (int k = 0; k < BINS; k++) start[k + 1] += start[k];
    for (size_t i = 0; i < count; i++) o->index[start[o->bin[i]]++] = (int)i;
    (void)threads;
    return ST_OK;
}

void order_free(struct order *o)
{
    free(o->index);
    free(o->bin);
    o->index = NULL;
    o->bin = NULL;
    o->room = 0;
}

#endif
