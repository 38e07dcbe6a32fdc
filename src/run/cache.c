/* Reports and limits the interpolants that the CPU backend keeps. */
#include "cpu.h"
#include "../interpolant/cache.h"

double cpu_cache_limit(struct session *s, double limit)
{
    double before = (double)cache_limit();
    if (limit >= 0) {
        cache_set_limit((size_t)limit);
        cache_trim(cpu_interpolants(s), (size_t)limit);
    }
    return before;
}

int cpu_cache_list(struct session *s, struct cache_entry *entries, int room)
{
    const struct interpolants *interpolants = cpu_interpolants(s);
    int n = 0;
    for (; n < room && n < CACHE_MAX && interpolants->kept[n]; n++) {
        const struct interpolant *c = interpolants->kept[n];
        entries[n].alpha = c->alpha;
        entries[n].beta = c->beta;
        entries[n].bytes = (double)c->bytes;
        entries[n].quantiles = c->quantile_interpolant != NULL;
    }
    return n;
}
