#include "node_sets.h"
#include "../base/memory.h"

struct panels *panels_new(void)
{
    return memory_zeroed(1, sizeof(struct panels));
}

void panels_clear(struct panels *s)
{
    if (!s->count) return;
    for (int i = 0; i < s->count; i++) memory_release(s->panel[i].dg);
    memset(s->index, 0, sizeof s->index);
    s->count = 0;
}

void panels_free(struct panels *s)
{
    if (!s) return;
    panels_clear(s);
    memory_release(s);
}

/* Where the index holds the key, or is free for it. */
static unsigned place_of(const struct panels *s, long long key)
{
    unsigned i = (unsigned) ((unsigned long long) key * 0x9E3779B97F4A7C15ull >> 40) % PANELS_INDEX;
    while (s->index[i] && s->key[s->index[i] - 1] != key) i = (i + 1) % PANELS_INDEX;
    return i;
}

const struct panel *panels_find(const struct panels *s, long long key)
{
    int k = s->index[place_of(s, key)];
    return k ? &s->panel[k - 1] : NULL;
}

const struct panel *panels_keep(struct panels *s, long long key, const struct panel *laid)
{
    if (s->count == PANELS_MAX) panels_clear(s);
    size_t n = (size_t) laid->n;
    double *room = memory_allocate(3 * n * sizeof(double));
    if (!room) return NULL;
    struct panel *p = &s->panel[s->count];
    *p = *laid;
    p->dg = memcpy(room, laid->dg, n * sizeof(double));
    p->pdf = memcpy(room + n, laid->pdf, n * sizeof(double));
    p->tail = memcpy(room + 2 * n, laid->tail, n * sizeof(double));
    s->key[s->count] = key;
    s->index[place_of(s, key)] = (short) ++s->count;
    return p;
}
