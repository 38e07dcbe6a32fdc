/* run/cache.c: what users see of the charts that are kept. */
#include "cpu.h"
#include "../interpolant/cache.h"

double cpu_cache_limit(struct session *s, double limit)
{
    double before = (double)charts_limit();
    if (limit >= 0) {
        charts_set_limit((size_t)limit);
        charts_trim(cpu_charts(s), (size_t)limit);
    }
    return before;
}

int cpu_cache_list(struct session *s, struct cache_entry *entries, int room)
{
    const struct charts *charts = cpu_charts(s);
    int n = 0;
    for (; n < room && n < CHARTS_MAX && charts->kept[n]; n++) {
        const struct chart *c = charts->kept[n];
        entries[n].alpha = c->alpha;
        entries[n].beta = c->beta;
        entries[n].bytes = (double)c->bytes;
        entries[n].quantiles = c->inverse != NULL;
    }
    return n;
}
