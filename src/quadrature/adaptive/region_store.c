/* Memory for the subregions of several integrals, loops over many of them, and the transition to the next round. */
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
    if (count <= f->capacity) return ST_OK;
    size_t capacity = count + count / 2;
    if (!enlarge(&f->at, capacity * f->rule->bytes) || !enlarge(&f->next, capacity * f->rule->bytes) ||
        !enlarge(&f->work, capacity * sizeof *f->work) || !enlarge(&f->fresh, capacity * sizeof *f->fresh) ||
        !enlarge(&f->times, capacity * sizeof *f->times) ||
        !enlarge(&f->block, (capacity / REGION_BLOCK + 1) * sizeof *f->block)) {
        stop_all(&f->refinement->stop_flag, ST_MEMORY, "no memory for more intervals or boxes");
        return ST_MEMORY;
    }
    f->capacity = capacity;
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
    memory_release(f->times);
    memory_release(f->block);
}

void store_keep(const struct region_store *f, const struct subregion *p, size_t *at)
{
    memcpy(subregion_at(f, f->next, (*at)++), p, f->rule->bytes);
}

void store_halve(const struct region_store *f, const struct subregion *p, int again, size_t *at)
{
    struct subregion *left = subregion_at(f, f->next, *at);
    struct subregion *right = subregion_at(f, f->next, *at + 1);
    f->rule->halve(p, left, right);
    left->is_new = right->is_new = 1;
    left->sibling = 1;
    right->sibling = 2;
    left->before = right->before = p->value;
    *at += 2;
    if (!again) return;
    struct subregion *end = subregion_at(f, f->next, *at + 1);
    f->rule->halve(right, subregion_at(f, f->next, *at), end);
    f->rule->halve(left, left, right);
    *at += 2;
}

/* The end lies between steps of doubled length, and is then found by bisection. */
size_t store_end(const struct region_store *f, char *base, const size_t *index, size_t from, size_t to)
{
    size_t integral = subregion_at(f, base, index ? index[from] : from)->integral, same = from, step = 1;
    while (to - same > 1) {
        size_t k = same + step < to ? same + step : same + (to - same) / 2;
        if (subregion_at(f, base, index ? index[k] : k)->integral == integral) {
            same = k;
            step *= 2;
        } else to = k;
    }
    return to;
}

/* --- loops over subregions ----------------------------------------------------------- */

#define SECONDS_EACH 1e-8               /* for a subregion in a loop, on one thread */

int store_threads(const struct region_store *f, size_t count)
{
    return f->thread == ALL_THREADS ? threads_for_repeated((double)count * SECONDS_EACH) : 1;
}

void store_loop(const struct region_store *f, size_t count, loop_body *body, void *context)
{
    if (count <= REGION_BLOCK) body(context, 0, 0, count);
    else parallel_for(count, REGION_BLOCK, store_threads(f, count), body, context, NULL);
}

size_t blocks_begin(const struct region_store *f, size_t count, size_t begin)
{
    for (size_t b = 0; b < region_blocks(count); b++) {
        f->block[b].begin = begin;
        begin += f->block[b].count;
    }
    return begin;
}

/* The subregions of an integral, from number `first` on, whose sums are added. */
struct summands { const struct region_store *store; size_t first; };

static void add_block(void *context, int thread, size_t from, size_t to)
{
    const struct summands *s = context;
    const struct region_store *f = s->store;
    struct region_sums sum = region_sums_empty();
    (void)thread;
    for (size_t k = s->first + from; k < s->first + to; k++) {
        const struct subregion *p = subregion_at(f, f->at, k);
        struct totals totals = { p->value, p->error, p->size };
        double estimate_error = p->is_stuck && f->rule->estimate_error ? f->rule->estimate_error(p) : p->error;
        region_sums_add(&sum, totals, estimate_error, p->noise, p->is_stuck, p->width_class);
    }
    f->block[from / REGION_BLOCK].sums = sum;
}

struct region_sums store_sums(const struct region_store *f, size_t from, size_t to)
{
    struct summands s = { f, from };
    store_loop(f, to - from, add_block, &s);
    struct region_sums sum = f->block[0].sums;
    for (size_t b = 1; b < region_blocks(to - from); b++) sum = region_sums_joined(sum, f->block[b].sums);
    return sum;
}
