/* A bounded store of node sets with a hash index (open addressing, linear probing). */
#include "node_sets.h"
#include "../base/memory.h"

struct node_sets *node_sets_new(void)
{
    return memory_zeroed(1, sizeof(struct node_sets));
}

void node_sets_clear(struct node_sets *s)
{
    if (!s->count) return;
    for (int i = 0; i < s->count; i++) memory_release(s->node_set[i].dg);
    memset(s->index, 0, sizeof s->index);
    s->count = 0;
}

void node_sets_free(struct node_sets *s)
{
    if (!s) return;
    node_sets_clear(s);
    memory_release(s);
}

/* Returns the slot of the index that holds the key, or the free slot for it. */
static unsigned place_of(const struct node_sets *s, long long key)
{
    unsigned i = (unsigned) ((unsigned long long) key * 0x9E3779B97F4A7C15ull >> 40) % NODE_SETS_INDEX;
    while (s->index[i] && s->key[s->index[i] - 1] != key) i = (i + 1) % NODE_SETS_INDEX;
    return i;
}

const struct node_set *node_sets_find(const struct node_sets *s, long long key)
{
    int k = s->index[place_of(s, key)];
    return k ? &s->node_set[k - 1] : NULL;
}

const struct node_set *node_sets_keep(struct node_sets *s, long long key, const struct node_set *built)
{
    if (s->count == NODE_SETS_MAX) node_sets_clear(s);
    size_t n = (size_t) built->n;
    double *room = memory_allocate(3 * n * sizeof(double));
    if (!room) return NULL;
    struct node_set *p = &s->node_set[s->count];
    *p = *built;
    p->dg = memcpy(room, built->dg, n * sizeof(double));
    p->pdf = memcpy(room + n, built->pdf, n * sizeof(double));
    p->tail = memcpy(room + 2 * n, built->tail, n * sizeof(double));
    s->key[s->count] = key;
    s->index[place_of(s, key)] = (short) ++s->count;
    return p;
}
