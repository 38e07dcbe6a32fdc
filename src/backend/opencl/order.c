#include <math.h>
#include <stdlib.h>
#include "headers.h"
#ifdef STABLECL_OPENCL
#include "order.h"
#include "../columns.h"
#include "../threads.h"

#define ALPHA_BINS 64
#define SIZE_BINS  16                   /* of |x|: powers of 2 around 1 */
#define BETA_BINS  16                   /* of beta, as the side of x sees it */
#define BINS       (ALPHA_BINS * SIZE_BINS * BETA_BINS)
#define ALONE      ((size_t)1 << 16)    /* elements that one thread sees to alone */

static int limited(double value, int bins)
{
    return value >= bins ? bins - 1 : value > 0 ? (int)value : 0;       /* NaN: 0 */
}

/* Up and down in turns, so that the ends of neighbours are alike, too. */
static int folded(int bin, int bins, int outer)
{
    return outer & 1 ? bins - 1 - bin : bin;
}

static int bin_of(double x, double alpha, double beta)
{
    int exponent = 0;
    frexp(x, &exponent);
    int first = limited(0.5 * ALPHA_BINS * alpha, ALPHA_BINS);
    int size = limited(exponent + 0.5 * SIZE_BINS, SIZE_BINS);
    int side = limited(0.5 * BETA_BINS * (1.0 + (x > 0 ? beta : -beta)), BETA_BINS);
    return (first * SIZE_BINS + folded(size, SIZE_BINS, first)) * BETA_BINS + folded(side, BETA_BINS, size);
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

/* A counting sort in parts, each of which counts and places elements of its own: part p has
 * the places from[p][bin], ... of each bin. */
struct part_counts { int from[BINS]; };

static size_t part_begin(int p, int parts, size_t count)
{
    return count * (size_t)p / (size_t)parts;
}

static void place_parts(struct part_counts *c, int parts)
{
    int next = 0;
    for (int k = 0; k < BINS; k++) {
        for (int p = 0; p < parts; p++) {
            int here = c[p].from[k];
            c[p].from[k] = next;
            next += here;
        }
    }
}

int order_alike(struct order *o, const struct column *x, const struct column *alpha, const struct column *beta,
                size_t first, size_t count, struct status *st)
{
    int parts = count > ALONE ? threads_limit() : 1;
    struct part_counts *c = calloc((size_t)parts, sizeof *c);

    if (!c) return fail(st, ST_MEMORY, "no memory for a chunk");
    if (make_room(o, count, st)) {
        free(c);
        return st->code;
    }
#ifdef _OPENMP
#pragma omp parallel for num_threads(parts) schedule(static) if (parts > 1)
#endif
    for (int p = 0; p < parts; p++) {
        for (size_t i = part_begin(p, parts, count); i < part_begin(p + 1, parts, count); i++) {
            size_t e = first + i;
            o->bin[i] = (unsigned short)bin_of(column_value(*x, e), column_value(*alpha, e), column_value(*beta, e));
            c[p].from[o->bin[i]]++;
        }
    }
    place_parts(c, parts);
#ifdef _OPENMP
#pragma omp parallel for num_threads(parts) schedule(static) if (parts > 1)
#endif
    for (int p = 0; p < parts; p++)
        for (size_t i = part_begin(p, parts, count); i < part_begin(p + 1, parts, count); i++)
            o->index[c[p].from[o->bin[i]]++] = (int)i;
    free(c);
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
