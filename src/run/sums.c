#include "sums.h"
#include "columns.h"

size_t block_length(size_t k, size_t n)
{
    size_t first = k * TOTAL_BLOCK;
    return n - first < TOTAL_BLOCK ? n - first : TOTAL_BLOCK;
}

static void weigh(struct column weight, size_t first, size_t count, double *value)
{
    for (size_t i = 0, at = first % weight.length; i < count; i++) {
        value[i] = total_term(weight.at[at], value[i]);
        if (++at == weight.length) at = 0;
    }
}

struct double_double block_total(const struct element_job *job, size_t k, double *value)
{
    struct double_double lane[TOTAL_LANES] = { { 0.0, 0.0 } };
    size_t count = block_length(k, job->n);

    if (job->weight.length) weigh(job->weight, k * TOTAL_BLOCK, count, value);
    for (size_t i = 0; i < count; i++) lane[i % TOTAL_LANES] = total_take(lane[i % TOTAL_LANES], value[i]);
    for (int half = TOTAL_LANES / 2; half > 0; half /= 2)
        for (int i = 0; i < half; i++) lane[i] = total_join(lane[i], lane[i + half]);
    return lane[0];
}

static double loglik_total(const struct element_job *job)
{
    struct double_double total = { 0.0, 0.0 };
    for (size_t k = 0; k < blocks_of(job->n); k++) {
        struct double_double block = { job->sum[2 * k], job->sum[2 * k + 1] };
        total = total_join(total, block);
    }
    return total.hi + total.lo;
}

void blocks_total(const struct element_job *job, double *sum)
{
    if (job->quantity == JOB_LOGLIK) {
        *sum = loglik_total(job);
        return;
    }
    for (int c = 0; c < APPROXIMATE_SUMS; c++) {
        struct double_double total = { 0.0, 0.0 };
        for (size_t k = 0; k < blocks_of(job->n); k++)
            total = total_take(total, job->sum[k * APPROXIMATE_SUMS + (size_t)c]);
        sum[c] = total.hi + total.lo;
    }
}
