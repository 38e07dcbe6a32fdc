/* run/backend.c: the contract with what lies above (backend.h): jobs become tasks that run (run.c), in parts where
 * elements share their shapes (grouped.c).
 */
#include <math.h>
#include <stdlib.h>
#include "backend.h"
#include "selection.h"
#include "columns.h"
#include "crossover.h"
#include "block_sums.h"
#include "cpu.h"
#include "grouped.h"
#include "device_dispatch.h"
#include "run.h"
#include "sessions.h"
#include "../base/threads.h"
#include "verify.h"
#include "preference.h"
#include "../opencl/devices.h"
#include "../base/memory.h"
#include "../base/process.h"

static int eval_part(const void *like, const struct columns *c, poll_function poll, int *nans, struct status *st)
{
    struct eval_job job = *(const struct eval_job *)like;
    job.n = c->n;
    job.x = c->x;
    job.laws = c->laws;
    job.pdf = c->out[0];
    job.cdf = c->out[1];
    job.sf = c->out[2];
    job.error = c->out[3];
    return run_task(task_eval(&job), poll, nans, st);
}

int backend_eval(const struct eval_job *job, poll_function poll, int *nans, struct status *st)
{
    struct columns c = { job->n, job->x, job->laws, { job->pdf, job->cdf, job->sf, job->error } };
    return grouped_run(job, &c, eval_part, poll, nans, st);
}

static int quantile_part(const void *like, const struct columns *c, poll_function poll, int *nans, struct status *st)
{
    struct quantile_job job = *(const struct quantile_job *)like;
    job.n = c->n;
    job.p = c->x;
    job.laws = c->laws;
    job.q = c->out[0];
    return run_task(task_quantile(&job), poll, nans, st);
}

int backend_quantile(const struct quantile_job *job, poll_function poll, int *nans, struct status *st)
{
    struct columns c = { job->n, job->p, job->laws, { job->q, NULL, NULL, NULL } };
    return grouped_run(job, &c, quantile_part, poll, nans, st);
}

int backend_random(const struct random_job *job, poll_function poll, int *nans,
                   struct status *st)
{
    return run_task(task_random(job), poll, nans, st);
}

int backend_mode(const struct mode_job *job, poll_function poll, int *nans, struct status *st)
{
    return run_task(task_mode(job), poll, nans, st);
}

int backend_loglik(const struct loglik_job *job, poll_function poll, double *sum, struct status *st)
{
    struct loglik_job own = *job;
    size_t blocks = blocks_of(job->n);
    int nans;

    own.block = memory_zeroed(blocks + 1, sizeof *own.block);
    if (!own.block) return fail(st, ST_MEMORY, "no memory for the sums of %.0f blocks", (double)blocks);
    if (!run_task(task_loglik(&own), poll, &nans, st)) *sum = blocks_total(&own);
    memory_release(own.block);
    return st->code;
}

static int by_number(const void *a, const void *b)
{
    size_t i = *(const size_t *)a, k = *(const size_t *)b;
    return (i > k) - (i < k);
}

static int quick_sums(const struct quick_job *job, struct left *left, poll_function poll, double *sum, int *nans,
                      struct status *st)
{
    struct quick_job own = *job;
    size_t blocks = blocks_of(job->n);

    own.sum = memory_zeroed((blocks + 1) * QUICK_SUMS, sizeof *sum);
    own.left = left;
    if (!own.sum) return fail(st, ST_MEMORY, "no memory for the sums of %.0f blocks", (double)blocks);
    if (!run_task(task_quick(&own), poll, nans, st)) blocks_sums(&own, sum);
    memory_release(own.sum);
    return st->code;
}

/* Adds the sums over the elements that a device has left. */
static int add_left(const struct quick_job *job, struct left *left, poll_function poll, double *sum, int *nans,
                    struct status *st)
{
    size_t n = left->count;
    double *x = memory_allocate(2 * n * sizeof *x), *weight = x ? x + n : NULL, rest[QUICK_SUMS];
    struct quick_job others = *job;

    if (!x) return fail(st, ST_MEMORY, "no memory for %.0f elements", (double)n);
    qsort(left->at, n, sizeof *left->at, by_number);
    for (size_t k = 0; k < n; k++) {
        x[k] = column_value(job->x, left->at[k]);
        weight[k] = job->weight.length ? column_value(job->weight, left->at[k]) : 1.0;
    }
    others.n = others.x.length = others.weight.length = n;
    others.x.at = x;
    others.weight.at = weight;
    if (!quick_sums(&others, NULL, poll, rest, nans, st))
        for (int c = 0; c < QUICK_SUMS; c++) sum[c] += rest[c];
    memory_release(x);
    return st->code;
}

int backend_quick(const struct quick_job *job, poll_function poll, double *sum, int *nans, struct status *st)
{
    struct left left = { NULL, 0, 0 };

    if (!sum) return run_task(task_quick(job), poll, nans, st);
    if (!quick_sums(job, &left, poll, sum, nans, st) && left.count) add_left(job, &left, poll, sum, nans, st);
    memory_release(left.at);
    return st->code;
}

int backend_logliks(const struct logliks_job *job, poll_function poll, struct status *st)
{
    int nans;
    return run_task(task_logliks(job), poll, &nans, st);
}

unsigned long backend_data(void)
{
    static unsigned long last;
    return ++last;
}

void backend_forget(unsigned long data)
{
    sessions_forget_data(data);
}

int backend_score(const struct score_job *job, poll_function poll, int *nans, struct status *st)
{
    return run_task(task_score(job), poll, nans, st);
}

int backend_wish(enum wish_source source, const char *text, struct status *st)
{
    enum choice_kind kind;
    struct choice devices;

    int is_call = source == WISH_CALL;
    if (wish_check(text, st)) return st->code;
    if (is_call && !process_is_child() && choice_resolve(text, &kind, &devices, st)) return st->code;
    wish_set(source, text);
    if (is_call) {
        wish_try_again();
        offload_forget();
    }
    return ST_OK;
}

const char *backend_wished(enum wish_source source)
{
    return wish_of(source);
}

const char *backend_notice(void)
{
    return wish_notice();
}

const char *backend_given_up(void)
{
    return wish_given_up();
}

void backend_describe(struct backend_state *s)
{
    enum choice_kind kind;
    struct status ok = { ST_OK, "" };
    const struct choice *open = sessions_open_devices();

    s->wish = wish_in_force();
    s->source = wish_source_in_force();
    s->is_child = process_is_child();
    s->given_up = wish_given_up();
    s->wrong = ok;
    if (choice_resolve(s->wish, &kind, &s->devices, &s->wrong)) s->devices.count = 0;
    s->is_auto = kind == CHOICE_AUTO;
    if (s->is_auto && !wish_given_up()[0]) choice_auto(&s->devices);
    if (s->is_child) s->devices.count = 0;
    s->is_open = s->devices.count > 0 && open && choice_equal(open, &s->devices);
}

int backend_threads(void)
{
    return threads_limit();
}

/* More threads make the CPU faster: what was measured holds no longer. */
void backend_wish_threads(int call_wish, int option_wish)
{
    threads_wish(call_wish, option_wish);
    if (call_wish >= 0) crossover_forget();
}

int backend_cache_limit(double limit, double *before, struct status *st)
{
    struct place cpu;
    if (sessions_cpu(&cpu, st)) return st->code;
    *before = cpu_cache_limit(cpu.session, limit);
    return ST_OK;
}

int backend_cache_list(struct cache_entry *entries, int room, struct status *st)
{
    struct place cpu;
    return sessions_cpu(&cpu, st) ? -1 : cpu_cache_list(cpu.session, entries, room);
}

void backend_load(void)
{
    process_load();
    threads_load();
    wish_load();
}

void backend_unload(void)
{
    sessions_close_all();
    sessions_forget_tests();
    devices_forget();
    crossover_forget();
    crossover_force(NAN);
    choice_allow_cpu(0);
    offload_forget();
    verify_unload();
}
