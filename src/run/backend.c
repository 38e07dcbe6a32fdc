/* Sums over all elements, log-likelihoods of many laws, data, preferences and state. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include "backend.h"
#include "selection.h"
#include "columns.h"
#include "element.h"
#include "cpu.h"
#include "../base/parallel.h"
#include "verify.h"
#include "../opencl/devices.h"
#include "../base/memory.h"
#include "../base/process.h"

static int by_number(const void *a, const void *b)
{
    size_t i = *(const size_t *)a, k = *(const size_t *)b;
    return (i > k) - (i < k);
}

/* Computes the totals of the sums of all blocks. */
static int total_sums(const struct element_job *job, struct deferred *deferred, poll_function poll, double *sum,
                      int *nans, struct status *st)
{
    struct element_job copy = *job;
    size_t blocks = blocks_of(job->n);

    copy.sum = memory_zeroed((blocks + 1) * sums_of_block(job), sizeof *sum);
    copy.deferred = deferred;
    if (!copy.sum) return fail(st, ST_MEMORY, "no memory for the sums of %.0f blocks", (double)blocks);
    if (!backend_run(&copy, poll, nans, st)) blocks_total(&copy, sum);
    memory_release(copy.sum);
    return st->code;
}

/* Adds the sums over the elements that a device has left to the CPU. */
static int add_deferred(const struct element_job *job, struct deferred *deferred, poll_function poll, double *sum,
                        int *nans, struct status *st)
{
    size_t n = deferred->count;
    double *x = memory_allocate(2 * n * sizeof *x), *weight = x ? x + n : NULL, rest[APPROXIMATE_SUMS];
    struct element_job others = *job;

    if (!x) return fail(st, ST_MEMORY, "no memory for %.0f elements", (double)n);
    qsort(deferred->at, n, sizeof *deferred->at, by_number);
    for (size_t k = 0; k < n; k++) {
        x[k] = column_value(job->x, deferred->at[k]);
        weight[k] = job->weight.length ? column_value(job->weight, deferred->at[k]) : 1.0;
    }
    others.n = others.x.length = others.weight.length = n;
    others.x.at = x;
    others.weight.at = weight;
    if (!total_sums(&others, NULL, poll, rest, nans, st))
        for (int c = 0; c < APPROXIMATE_SUMS; c++) sum[c] += rest[c];
    memory_release(x);
    return st->code;
}

int backend_sums(const struct element_job *job, poll_function poll, double *sum, int *nans, struct status *st)
{
    struct deferred deferred = { NULL, 0, 0 };
    struct deferred *wanted = job->quantity == JOB_APPROXIMATE ? &deferred : NULL;

    if (!total_sums(job, wanted, poll, sum, nans, st) && deferred.count)
        add_deferred(job, &deferred, poll, sum, nans, st);
    memory_release(deferred.at);
    return st->code;
}

/* --- log-likelihoods of many laws ---
 *
 * A device computes all of them in one job of many samples that share their values, and in a second one, exactly, those
 * of the laws without a tensor approximation.
 */

#define LOGLIK_SECONDS 2e-8             /* of one thread, for each value and law */

/* Computes the elements that devices leave to the CPU; created on first use. */
static struct context *deferred_context;

struct logliks {
    size_t n;                           /* requests, ... */
    struct many_request *request;
    double *sum;                        /* ... and their results; see struct many_job */
    int *deferred;
    size_t *law;                        /* indices of the laws without an approximation */
    unsigned long data;                 /* number under which devices keep x */
};

static void logliks_end(struct logliks *l, const struct element_job *job)
{
    if (!job->data) backend_forget(l->data);
    memory_release(l->request);
    memory_release(l->sum);
    memory_release(l->deferred);
    memory_release(l->law);
}

static int logliks_begin(struct logliks *l, const struct element_job *job, struct status *st)
{
    l->n = job->n;
    l->data = job->data ? job->data : backend_data();
    l->request = memory_zeroed(l->n, sizeof *l->request);
    l->sum = memory_allocate(l->n * APPROXIMATE_SUMS * sizeof *l->sum);
    l->deferred = memory_allocate(l->n * (MANY_DEFERRED + 1) * sizeof *l->deferred);
    l->law = memory_allocate(l->n * sizeof *l->law);
    if (!deferred_context) deferred_context = context_new();
    if (l->request && l->sum && l->deferred && l->law && deferred_context) return ST_OK;
    return fail(st, ST_MEMORY, "no memory for %.0f log-likelihoods", (double)l->n);
}

static void set_requests(struct logliks *l, const struct element_job *job)
{
    struct law_cursor laws = law_cursor_at(&job->laws, 0);
    for (size_t i = 0; i < l->n; i++) {
        struct user_law law = law_cursor_next(&laws);
        const struct many_request q = {
            law.alpha, law.beta, law.gamma, law.delta, job->laws.pm, 0, job->x.length, 1
        };
        l->request[i] = q;
    }
}

static struct many_job many_job_of(const struct logliks *l, const struct element_job *job, int exactly)
{
    const struct many_job many = { l->n, l->request, job->x, l->data, exactly, l->sum, l->deferred };
    return many;
}

/* Writes the results of the first job, and keeps the requests of those laws for which there are none. */
static int store_approximate(struct logliks *l, const struct element_job *job, struct status *st)
{
    const struct many_job many = many_job_of(l, job, 0);
    size_t kept = 0;

    for (size_t i = 0; i < l->n; i++) {
        double *sum = l->sum + i * APPROXIMATE_SUMS;
        if (l->deferred[i * (MANY_DEFERRED + 1)] == MANY_NOT_COMPUTED) {
            l->request[kept] = l->request[i];
            l->law[kept++] = i;
            continue;
        }
        if (context_add_deferred(deferred_context, &many, i, sum, st)) return st->code;
        job->out[0][i] = *sum;
    }
    l->n = kept;
    return ST_OK;
}

/* Runs the first job and, if laws without an approximation remain, the second. */
static int run_logliks(struct logliks *l, const struct element_job *job, poll_function poll, struct status *st)
{
    struct many_job many = many_job_of(l, job, 0);
    if (backend_many(&many, poll, st) || store_approximate(l, job, st) || l->n == 0) return st->code;
    many = many_job_of(l, job, 1);
    if (backend_many(&many, poll, st)) return st->code;
    for (size_t i = 0; i < l->n; i++) job->out[0][l->law[i]] = l->sum[i];
    return ST_OK;
}

static int logliks_on_device(const struct element_job *job, poll_function poll, struct status *st)
{
    struct logliks l = { 0 };
    if (!logliks_begin(&l, job, st)) {
        set_requests(&l, job);
        run_logliks(&l, job, poll, st);
    }
    logliks_end(&l, job);
    return st->code;
}

static int is_increasing(struct column x)
{
    for (size_t i = 1; i < x.length; i++)
        if (!(x.at[i - 1] <= x.at[i])) return 0;
    return 1;
}

int backend_logliks(const struct element_job *job, poll_function poll, struct status *st)
{
    double begin = threads_clock(), work = LOGLIK_SECONDS * (double)job->n * (double)job->x.length;
    double seconds = work / threads_for(work);
    int on_device = job->x.length > 0 && job->x.length <= INT_MAX && backend_many_on_device(seconds) &&
                    is_increasing(job->x);
    int nans;

    if (on_device && logliks_on_device(job, poll, st) == ST_UNSUPPORTED) {
        st->code = ST_OK;
        on_device = 0;
    }
    if (!on_device && !st->code) backend_run(job, poll, &nans, st);
    if (!st->code) backend_record_many(on_device, seconds, threads_clock() - begin);
    return st->code;
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

int backend_preference(enum preference_source source, const char *text, struct status *st)
{
    enum selection_kind kind;
    struct selection devices;

    int is_call = source == PREFERENCE_CALL;
    if (preference_check(text, st)) return st->code;
    if (is_call && !process_is_child() && selection_resolve(text, PRECISION_SINGLE, &kind, &devices, st))
        return st->code;
    preference_set(source, text);
    if (is_call) {
        preference_try_again();
        device_dispatch_forget();
    }
    return ST_OK;
}

const char *backend_preferred(enum preference_source source)
{
    return preference_of(source);
}

const char *backend_notice(void)
{
    return preference_notice();
}

const char *backend_given_up(void)
{
    return preference_given_up();
}

void backend_describe(struct backend_state *s)
{
    enum selection_kind kind;
    struct status ok = { ST_OK, "" };
    const struct selection *open = sessions_open_devices();

    s->preference = preference_in_force();
    s->source = preference_source_in_force();
    s->is_child = process_is_child();
    s->given_up = preference_given_up();
    s->wrong = ok;
    if (selection_resolve(s->preference, PRECISION_DOUBLE, &kind, &s->devices, &s->wrong) == ST_UNSUPPORTED) {
        s->wrong = ok;
        selection_resolve(s->preference, PRECISION_SINGLE, &kind, &s->devices, &s->wrong);
    }
    if (s->wrong.code) s->devices.count = 0;
    s->is_auto = kind == SELECTION_AUTO;
    if (s->is_auto && !preference_given_up()[0]) selection_auto(PRECISION_DOUBLE, &s->devices);
    if (s->is_child) s->devices.count = 0;
    s->is_open = s->devices.count > 0 && open && selection_equal(open, &s->devices);
}

int backend_threads(void)
{
    return threads_limit();
}

/* The measured crossovers are discarded, because they depend on the number of CPU threads. */
void backend_preference_threads(int call_preference, int option_preference)
{
    threads_preference(call_preference, option_preference);
    if (call_preference >= 0) crossover_forget();
}

int backend_cache_limit(double limit, double *before, struct status *st)
{
    struct target cpu;
    if (sessions_cpu(&cpu, st)) return st->code;
    *before = cpu_cache_limit(cpu.session, limit);
    return ST_OK;
}

int backend_cache_list(struct cache_entry *entries, int capacity, struct status *st)
{
    struct target cpu;
    return sessions_cpu(&cpu, st) ? -1 : cpu_cache_list(cpu.session, entries, capacity);
}

void backend_load(void)
{
    process_load();
    threads_load();
    preference_load();
}

void backend_unload(void)
{
    sessions_close_all();
    sessions_forget_tests();
    devices_forget();
    crossover_forget();
    crossover_force(NAN);
    selection_allow_cpu(0);
    device_dispatch_forget();
    verify_unload();
    context_free(deferred_context);
    deferred_context = NULL;
}
