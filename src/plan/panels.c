#include <stdlib.h>
#include "panels.h"

struct panels *panels_new(void)
{
    return calloc(1, sizeof(struct panels));
}

void panels_clear(struct panels *s)
{
    if (!s->count) return;
    for (int i = 0; i < 2 * PANELS_MAX; i++) {
        free(s->slot[i].panel.dg);
        s->slot[i].panel.dg = NULL;
        s->slot[i].panel.n = 0;
    }
    s->count = 0;
}

void panels_free(struct panels *s)
{
    if (!s) return;
    panels_clear(s);
    free(s);
}

/* The slot of the key, or the free one where it belongs. */
static unsigned slot_of(const struct panels *s, long long key)
{
    unsigned i = (unsigned) ((unsigned long long) key * 0x9E3779B97F4A7C15ull >> 40) % (2 * PANELS_MAX);
    while (s->slot[i].panel.n && s->slot[i].key != key) i = (i + 1) % (2 * PANELS_MAX);
    return i;
}

const struct panel *panels_find(const struct panels *s, long long key)
{
    const struct panel *p = &s->slot[slot_of(s, key)].panel;
    return p->n ? p : NULL;
}

const struct panel *panels_keep(struct panels *s, long long key, const struct panel *laid)
{
    if (s->count == PANELS_MAX) panels_clear(s);
    size_t n = (size_t) laid->n;
    double *room = malloc(3 * n * sizeof(double));
    if (!room) return NULL;
    unsigned i = slot_of(s, key);
    struct panel *p = &s->slot[i].panel;
    *p = *laid;
    p->dg = memcpy(room, laid->dg, n * sizeof(double));
    p->pdf = memcpy(room + n, laid->pdf, n * sizeof(double));
    p->tail = memcpy(room + 2 * n, laid->tail, n * sizeof(double));
    s->slot[i].key = key;
    s->count++;
    return p;
}
