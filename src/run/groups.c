#include <stdlib.h>
#include <string.h>
#include "columns.h"
#include "groups.h"
#include "../base/memory.h"

#define SAMPLE 1024                     /* size of the sample that is examined first */
#define FREE   ((size_t)-1)
#define POLLED ((size_t)1 << 22)        /* elements between two polls for interrupts */

struct shape_key { double alpha, beta; };

/* Hash table with open addressing that numbers the shapes in order of appearance. */
struct table {
    struct shape_key *key;              /* key[k]: shape number k */
    size_t *slot, mask, count, room;
};

static int table_set(struct table *t, size_t elements)
{
    t->mask = 15;
    while (t->mask < 2 * elements) t->mask = 2 * t->mask + 1;
    t->count = 0;
    t->room = elements;
    t->key = memory_allocate(elements * sizeof *t->key);
    t->slot = memory_allocate((t->mask + 1) * sizeof *t->slot);
    if (t->slot) memset(t->slot, 0xFF, (t->mask + 1) * sizeof *t->slot);
    return t->key && t->slot;
}

static void table_free(struct table *t)
{
    memory_release(t->key);
    memory_release(t->slot);
}

/* Returns the number of a shape, which is inserted if it is new; FREE if it is new and the table is full. */
static size_t table_number(struct table *t, double alpha, double beta)
{
    struct shape_key key = { alpha, beta };
    unsigned long long bits[2];
    memcpy(bits, &key, sizeof bits);
    size_t at = (size_t)((bits[0] * 0x9E3779B97F4A7C15ull ^ bits[1]) * 0xD6E8FEB86659FD93ull >> 20) & t->mask;
    for (; t->slot[at] != FREE; at = (at + 1) & t->mask)
        if (!memcmp(&t->key[t->slot[at]], &key, sizeof key)) return t->slot[at];
    if (t->count == t->room) return FREE;
    t->key[t->count] = key;
    return t->slot[at] = t->count++;
}

/* TRUE if shapes repeat within a sample of the elements. */
static int repeats(const struct laws *l, size_t n, struct status *st)
{
    struct table t;
    size_t taken = n < SAMPLE ? n : SAMPLE;
    if (table_set(&t, taken))
        for (size_t k = 0; k < taken; k++) {
            size_t i = n / taken * k;
            table_number(&t, column_value(l->alpha, i), column_value(l->beta, i));
        }
    else fail(st, ST_MEMORY, "no memory for %.0f elements", (double)n);
    table_free(&t);
    return !st->code && 10 * t.count < 9 * taken;
}

/* Sets the group of every element; returns 0 if the number of groups exceeds n/2, or on failure. */
static int number_all(const struct laws *l, size_t n, struct table *t, size_t *group, poll_function poll,
                      struct status *st)
{
    for (size_t i = 0; i < n; i++) {
        if (i % POLLED == POLLED - 1 && poll && poll()) return !fail(st, ST_INTERRUPTED, "interrupted");
        group[i] = table_number(t, column_value(l->alpha, i), column_value(l->beta, i));
        if (group[i] == FREE) return 0;
    }
    return 1;
}

/* Computes the starts of the groups in `order`, large groups first, from their sizes in first[1], ... */
static void place(struct groups *g, size_t *next)
{
    size_t at = 0, k = 0;
    for (int large = 1; large >= 0; large--) {
        for (size_t i = 0; i < g->count; i++) {
            size_t size = g->first[i + 1];
            if ((size >= GROUP_LARGE) != large) continue;
            next[i] = at;
            at += size;
            k++;
        }
        if (large) g->large = k;
    }
}

/* Orders the starts of the groups, which are numbered by appearance and not by their position in `order`. */
static int by_place(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static void arrange(struct groups *g, const size_t *group, size_t *next, size_t n)
{
    memset(g->first, 0, (g->count + 1) * sizeof *g->first);
    for (size_t i = 0; i < n; i++) g->first[group[i] + 1]++;
    place(g, next);
    memcpy(g->first, next, g->count * sizeof *next);
    qsort(g->first, g->count, sizeof *g->first, by_place);
    g->first[g->count] = n;
    for (size_t i = 0; i < n; i++) g->order[next[group[i]]++] = i;
}

int groups_find(struct groups *g, const struct laws *l, size_t n, poll_function poll, struct status *st)
{
    struct table t = { NULL, NULL, 0, 0, 0 };
    size_t *group = NULL, *next = NULL;

    memset(g, 0, sizeof *g);
    if (!repeats(l, n, st)) return st->code;
    g->order = memory_allocate(n * sizeof *g->order);
    g->first = memory_allocate((n / 2 + 1) * sizeof *g->first);
    group = memory_allocate(n * sizeof *group);
    next = memory_allocate(n / 2 * sizeof *next);
    if (!g->order || !g->first || !group || !next || !table_set(&t, n / 2))
        fail(st, ST_MEMORY, "no memory for %.0f elements", (double)n);
    else if (number_all(l, n, &t, group, poll, st)) {
        g->count = t.count;
        arrange(g, group, next, n);
    }
    table_free(&t);
    memory_release(group);
    memory_release(next);
    if (!g->count) groups_free(g);
    return st->code;
}

void groups_free(struct groups *g)
{
    memory_release(g->order);
    memory_release(g->first);
    memset(g, 0, sizeof *g);
}
