#include <string.h>
#include "cache.h"
#include "../base/atomic.h"

static size_t limit = CHARTS_LIMIT;     /* other packages' threads read it, too */

/* Moves number k to the front. */
static void to_front(struct charts *s, int k)
{
    struct chart *c = s->kept[k];
    memmove(&s->kept[1], &s->kept[0], (size_t)k * sizeof s->kept[0]);
    s->kept[0] = c;
}

static int count(const struct charts *s)
{
    int n = 0;
    while (n < CHARTS_MAX && s->kept[n]) n++;
    return n;
}

static void drop_last(struct charts *s, int n)
{
    chart_free(s->kept[n - 1]);
    s->kept[n - 1] = NULL;
}

struct chart *charts_find(struct charts *s, double alpha, double beta)
{
    for (int k = 0; k < CHARTS_MAX && s->kept[k]; k++) {
        if (s->kept[k]->alpha != alpha || s->kept[k]->beta != beta) continue;
        to_front(s, k);
        return s->kept[0];
    }
    return NULL;
}

static void keep(struct charts *s, struct chart *c)
{
    int n = count(s);
    if (n == CHARTS_MAX) drop_last(s, n--);
    s->kept[n] = c;
    to_front(s, n++);
    while (n > 1 && charts_bytes(s) > charts_limit()) drop_last(s, n--);
}

struct chart *charts_lay(struct charts *s, struct crew *crew, double alpha, double beta)
{
    struct chart *c = chart_new(crew, alpha, beta);
    if (c) keep(s, c);
    return c;
}

void charts_set_limit(size_t bytes)
{
    ATOMIC_WRITE(&limit, bytes);
}

size_t charts_limit(void)
{
    return ATOMIC_READ(&limit);
}

size_t charts_bytes(const struct charts *s)
{
    size_t bytes = 0;
    for (int k = 0; k < CHARTS_MAX && s->kept[k]; k++) bytes += s->kept[k]->bytes;
    return bytes;
}

void charts_trim(struct charts *s, size_t bytes)
{
    for (int n = count(s); n > 0 && charts_bytes(s) > bytes; n--) drop_last(s, n);
}

void charts_clear(struct charts *s)
{
    charts_trim(s, 0);
}
