#include "log_likelihoods.h"
#include "block_sums.h"
#include "cursor.h"
#include "approximate.h"
#include "columns.h"

/* Returns the sum over all x.  Blocks are added in order, so that the result does not depend on the number of
 * threads. */
static double total_of(const struct logliks_job *job, const struct user_law *law, struct worker *w)
{
    struct approximation *approximation = approximation_for(&w->approximation, law);
    struct double_double total = { 0.0, 0.0 };

    for (size_t k = 0; k < blocks_of(job->x.length); k++) {
        double sum[APPROXIMATE_SUMS];
        struct column x = { job->x.at + k * TOTAL_BLOCK, block_length(k, job->x.length) };
        struct approximate_job block = { .n = x.length, .x = x, .only_value = 1, .sum = sum };
        struct approximated_job approximated = { &block, *law, approximation };
        approximate_range(&approximated, w, 0, 1);
        total = total_take(total, sum[0]);
    }
    return total.hi + total.lo;
}

int logliks_range(const void *p, struct worker *w, size_t from, size_t to)
{
    const struct logliks_job *job = p;
    struct law_cursor laws = laws_at(&job->laws, from);

    for (size_t i = from; i < to; i++) {
        struct user_law law = take_law(&laws);
        job->sum[i] = total_of(job, &law, w);
    }
    return 0;
}
