#include "singles.h"
#include "streamed_sum.h"

int singles_add(struct singles *s, double alpha, double beta, struct argument z)
{
    int k = s->count++;
    standard_set(&s->law[k], alpha, beta);
    s->is_open[k] = !value_without_sums(&s->law[k], z, &s->at[k], &s->v[k]);
    return k;
}

void singles_compute(struct singles *s, int without_tail)
{
    struct integrand_peak peak[SINGLES];
    struct trapezoidal_rule rule[SINGLES];
    int n = 0;
    for (int k = 0; k < s->count; k++) if (s->is_open[k]) peak[n++] = standard_peak(&s->law[k], &s->at[k]);
    if (!n) return;
    rules_set(n, peak, without_tail, rule);
    n = 0;
    for (int k = 0; k < s->count; k++) {
        struct sums sums;
        if (!s->is_open[k]) continue;
        streamed_sums_by(&rule[n], &peak[n], without_tail, &sums);
        value_from_sums(&s->law[k].law, &s->at[k], &sums, &s->v[k]);
        n++;
    }
}
