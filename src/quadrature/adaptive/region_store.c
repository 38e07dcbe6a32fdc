/* Memory for the subregions of several integrals, and the transition from one round to the next. */
#include <string.h>
#include "../../base/memory.h"
#include "refinement.h"

static int enlarge(void *where, size_t bytes)
{
    void *old, *new;
    memcpy(&old, where, sizeof old);
    new = memory_resize(old, bytes);
    if (new) memcpy(where, &new, sizeof new);
    return new != NULL;
}

int store_reserve(struct region_store *f, size_t count)
{
    if (count <= f->room) return ST_OK;
    size_t room = count + count / 2;
    if (!enlarge(&f->at, room * f->cut->bytes) || !enlarge(&f->next, room * f->cut->bytes) ||
        !enlarge(&f->work, room * sizeof *f->work) || !enlarge(&f->fresh, room * sizeof *f->fresh)) {
        stop_all(&f->refinement->stop_flag, ST_MEMORY, "no memory for more intervals or boxes");
        return ST_MEMORY;
    }
    f->room = room;
    return ST_OK;
}

void store_exchange(struct region_store *f)
{
    char *at = f->at;
    f->at = f->next;
    f->next = at;
    f->count = f->next_count;
    f->next_count = 0;
}

void store_release(struct region_store *f)
{
    memory_release(f->at);
    memory_release(f->next);
    memory_release(f->work);
    memory_release(f->fresh);
}

void store_keep(struct region_store *f, const struct subregion *p)
{
    memcpy(subregion_at(f, f->next, f->next_count++), p, f->cut->bytes);
}

void store_halve(struct region_store *f, const struct subregion *p, int again)
{
    struct subregion *left = subregion_at(f, f->next, f->next_count);
    struct subregion *right = subregion_at(f, f->next, f->next_count + 1);
    f->cut->halve(p, left, right);
    left->is_new = right->is_new = 1;
    left->sibling = 1;
    right->sibling = 2;
    left->before = right->before = p->value;
    f->next_count += 2;
    if (!again) return;
    struct subregion *end = subregion_at(f, f->next, f->next_count + 1);
    f->cut->halve(right, subregion_at(f, f->next, f->next_count), end);
    f->cut->halve(left, left, right);
    f->next_count += 2;
}

struct region_sums store_sums(const struct region_store *f, size_t from, size_t to)
{
    struct region_sums sum = region_sums_none();
    for (size_t k = from; k < to; k++) {
        const struct subregion *p = subregion_at(f, f->at, k);
        struct totals own = { p->value, p->error, p->size };
        double own_error = p->is_stuck && f->cut->own_error ? f->cut->own_error(p) : p->error;
        region_sums_add(&sum, own, own_error, p->is_stuck);
    }
    return sum;
}
