#include <string.h>
#include "../../opencl/headers.h"
#ifdef STABLECL_OPENCL
#include "tensor_tables_copy.h"
#include "../../base/memory.h"
#include "../../interpolant/polynomial.h"
#include "../../interpolant/tensor_tables.h"

#define POWERS ((size_t)TABLE_U * TABLE_U)

/* Copies `size` bytes to position *end and advances it; returns the position. */
static size_t put(struct tables_copy *p, size_t *end, const void *from, size_t size)
{
    size_t begin = *end;
    memcpy(p->data + begin, from, size);
    *end += size;
    return begin;
}

/* Base intervals and pieces are structs of two and of three ints. */
int tables_copy_update(struct tables_copy *p)
{
    const struct tables *t = tables_get();
    double powers[TABLE_U * TABLE_U];
    size_t end = 0, one = sizeof(int);

    if (p->data || !t) return p->data != NULL;
    p->size = sizeof powers + (size_t)t->bases * sizeof *t->base + (size_t)t->pieces * sizeof *t->piece
            + (t->lows + t->highs) * one + t->counts;
    p->data = memory_allocate(p->size);
    if (!p->data) return 0;
    chebyshev_powers(TABLE_U, powers);
    put(p, &end, powers, sizeof powers);
    p->at.base = (int)(put(p, &end, t->base, (size_t)t->bases * sizeof *t->base) / one);
    p->at.piece = (int)(put(p, &end, t->piece, (size_t)t->pieces * sizeof *t->piece) / one);
    p->at.low = (int)(put(p, &end, t->low, t->lows * one) / one);
    p->at.high = (int)(put(p, &end, t->high, t->highs * one) / one);
    p->at.count = (int)put(p, &end, t->count, t->counts);
    p->version++;
    return 1;
}

void tables_copy_free(struct tables_copy *p)
{
    memory_release(p->data);
}

#endif
