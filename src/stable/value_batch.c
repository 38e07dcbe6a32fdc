#include "value_batch.h"
#include "streamed_sum.h"

int value_batch_add(struct value_batch *s, double alpha, double beta, struct argument z)
{
    int k = s->count++;
    standard_set(&s->law[k], alpha, beta);
    s->is_active[k] = !value_without_sums(&s->law[k], z, &s->at[k], &s->v[k]);
    return k;
}

void value_batch_compute(struct value_batch *s, int without_tail)
{
    struct zolotarev_integrand peak[VALUE_BATCH];
    struct trapezoidal_rule rule[VALUE_BATCH];
    int n = 0;
    for (int k = 0; k < s->count; k++) if (s->is_active[k]) peak[n++] = standard_integrand(&s->law[k], &s->at[k]);
    if (!n) return;
    rules_set(n, peak, without_tail, rule);
    n = 0;
    for (int k = 0; k < s->count; k++) {
        struct sums sums;
        if (!s->is_active[k]) continue;
        streamed_sums_by(&rule[n], &peak[n], without_tail, &sums);
        value_from_sums(&s->law[k].law, &s->at[k], &sums, &s->v[k]);
        n++;
    }
}
