#include <string.h>
#include "build.h"
#include "../base/parallel.h"

static size_t limit = CACHE_LIMIT;      /* also read by threads of other packages */

/* Moves entry k to the front. */
static void to_front(struct interpolants *s, int k)
{
    struct interpolant *c = s->entry[k];
    memmove(&s->entry[1], &s->entry[0], (size_t)k * sizeof s->entry[0]);
    s->entry[0] = c;
}

/* Returns the number of entries. */
static int count(const struct interpolants *s)
{
    int n = 0;
    while (n < CACHE_MAX && s->entry[n]) n++;
    return n;
}

/* Discards entry n - 1, the least recently used one. */
static void evict_last(struct interpolants *s, int n)
{
    interpolant_free(s->entry[n - 1]);
    s->entry[n - 1] = NULL;
}

struct interpolant *cache_find(struct interpolants *s, double alpha, double beta)
{
    for (int k = 0; k < CACHE_MAX && s->entry[k]; k++) {
        if (s->entry[k]->alpha != alpha || s->entry[k]->beta != beta) continue;
        to_front(s, k);
        return s->entry[0];
    }
    return NULL;
}

/* Returns the size of a cache. */
static size_t bytes_of(const struct interpolants *s)
{
    size_t bytes = 0;
    for (int k = 0; k < CACHE_MAX && s->entry[k]; k++) bytes += s->entry[k]->bytes;
    return bytes;
}

/* Inserts an interpolant as the most recently used one, and evicts others until the limit is met. */
static void insert(struct interpolants *s, struct interpolant *c)
{
    int n = count(s);
    if (n == CACHE_MAX) evict_last(s, n--);
    s->entry[n] = c;
    to_front(s, n++);
    while (n > 1 && bytes_of(s) > cache_limit()) evict_last(s, n--);
}

struct interpolant *cache_build(struct interpolants *s, struct shape_pool *shape_pool, double alpha, double beta)
{
    struct interpolant *c = interpolant_new(shape_pool, alpha, beta);
    if (c) insert(s, c);
    return c;
}

void cache_set_limit(size_t bytes)
{
    ATOMIC_WRITE(&limit, bytes);
}

size_t cache_limit(void)
{
    return ATOMIC_READ(&limit);
}

void cache_trim(struct interpolants *s, size_t bytes)
{
    for (int n = count(s); n > 0 && bytes_of(s) > bytes; n--) evict_last(s, n);
}

void cache_clear(struct interpolants *s)
{
    cache_trim(s, 0);
}
