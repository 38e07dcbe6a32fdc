/* run/single_thread.c: what cpu.c does over threads, on one. */
#include "../base/memory.h"
#include "single_thread.h"
#include "block_sums.h"
#include "interpolated.h"
#include "approximate.h"
#include "ranges.h"
#include "interpolable.h"
#include "columns.h"

struct solo {
    struct worker worker;
    struct crew crew;                   /* of one */
    struct chart *chart;                /* of the last law that had one; NULL: none yet */
    double *sum;                        /* of blocks: room for the sums of either kind */
    size_t blocks;
};

struct solo *solo_new(void)
{
    struct solo *s = memory_zeroed(1, sizeof *s);
    if (!s) return NULL;
    s->worker.shape = shape_new();
    int is_ready = score_prepare(&s->worker) && quick_prepare(&s->worker) && loglik_prepare(&s->worker);
    if (s->worker.shape && is_ready && crew_hire(&s->crew, 1)) return s;
    solo_free(s);
    return NULL;
}

void solo_free(struct solo *s)
{
    if (!s) return;
    worker_clear(&s->worker);
    crew_free(&s->crew);
    chart_free(s->chart);
    memory_release(s->sum);
    memory_release(s);
}

static int make_room(struct solo *s, size_t blocks, struct status *st)
{
    if (blocks <= s->blocks) return ST_OK;
    double *sum = memory_resize(s->sum, blocks * QUICK_SUMS * sizeof *sum);
    if (!sum) return fail(st, ST_MEMORY, "no memory for the sums of %.0f blocks", (double)blocks);
    s->sum = sum;
    s->blocks = blocks;
    return ST_OK;
}

/* NULL: the exact path is faster, or all there is. */
static const struct chart *chart_for(struct solo *s, const struct laws *laws, size_t n)
{
    struct user_law l = first_law(laws);
    if (n < LAY_CHART || !is_chartable(laws, n)) return NULL;
    if (s->chart && s->chart->alpha == l.alpha && s->chart->beta == l.beta) return s->chart;
    chart_free(s->chart);
    s->chart = chart_new(&s->crew, l.alpha, l.beta);
    return s->chart;
}

int solo_quick(struct solo *s, const struct quick_job *job, double *sum, struct status *st)
{
    struct quick_job own = *job;
    struct sketched_job sketched = { &own, first_law(&job->laws), NULL };

    if (make_room(s, blocks_of(job->n), st)) return st->code;
    own.sum = s->sum;
    sketched.sketch = sketch_for(&s->worker.sketch, &sketched.law);
    quick_range(&sketched, &s->worker, 0, blocks_of(job->n));
    blocks_sums(&own, sum);
    return ST_OK;
}

int solo_loglik(struct solo *s, const struct loglik_job *job, double *sum, struct status *st)
{
    struct loglik_job own = *job;
    struct charted_job charted = { &own, first_law(&job->laws), chart_for(s, &job->laws, job->n) };

    if (make_room(s, blocks_of(job->n), st)) return st->code;
    own.block = (struct twofold *)s->sum;
    loglik_range(&charted, &s->worker, 0, blocks_of(job->n));
    *sum = blocks_total(&own);
    return ST_OK;
}

int solo_eval(struct solo *s, const struct eval_job *job, struct status *st)
{
    struct charted_job charted = { job, first_law(&job->laws), chart_for(s, &job->laws, job->n) };

    if (charted.chart) charted_range(&charted, &s->worker, 0, job->n);
    else eval_range(job, &s->worker, 0, job->n);
    return st->code;
}

void solo_quantile(struct solo *s, const struct quantile_job *job)
{
    quantile_range(job, &s->worker, 0, job->n);
}

void solo_score(struct solo *s, const struct score_job *job)
{
    score_range(job, &s->worker, 0, job->n);
}

void solo_random(struct solo *s, const struct random_job *job, uint64 first)
{
    random_stretch(job, &s->worker, first, 0, job->n);
}
