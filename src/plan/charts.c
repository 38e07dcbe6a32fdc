#include <string.h>
#include "charts.h"

/* Moves number k to the front. */
static void to_front(struct charts *s, int k)
{
    struct chart *c = s->kept[k];
    memmove(&s->kept[1], &s->kept[0], (size_t)k * sizeof s->kept[0]);
    s->kept[0] = c;
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

void charts_keep(struct charts *s, struct chart *c)
{
    if (!c) return;
    chart_free(s->kept[CHARTS_MAX - 1]);
    s->kept[CHARTS_MAX - 1] = c;
    to_front(s, CHARTS_MAX - 1);
}

void charts_clear(struct charts *s)
{
    for (int k = 0; k < CHARTS_MAX; k++) chart_free(s->kept[k]);
    memset(s, 0, sizeof *s);
}
