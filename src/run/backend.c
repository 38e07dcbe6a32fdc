/* Sums over all elements, data, preferences and state. */
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
static int total_sums(const struct element_job *job, struct left *left, poll_function poll, double *sum, int *nans,
                      struct status *st)
{
    struct element_job own = *job;
    size_t blocks = blocks_of(job->n);

    own.sum = memory_zeroed((blocks + 1) * sums_of_block(job), sizeof *sum);
    own.left = left;
    if (!own.sum) return fail(st, ST_MEMORY, "no memory for the sums of %.0f blocks", (double)blocks);
    if (!backend_run(&own, poll, nans, st)) blocks_total(&own, sum);
    memory_release(own.sum);
    return st->code;
}

/* Adds the sums over the elements that a device left to the CPU. */
static int add_left(const struct element_job *job, struct left *left, poll_function poll, double *sum, int *nans,
                    struct status *st)
{
    size_t n = left->count;
    double *x = memory_allocate(2 * n * sizeof *x), *weight = x ? x + n : NULL, rest[APPROXIMATE_SUMS];
    struct element_job others = *job;

    if (!x) return fail(st, ST_MEMORY, "no memory for %.0f elements", (double)n);
    qsort(left->at, n, sizeof *left->at, by_number);
    for (size_t k = 0; k < n; k++) {
        x[k] = column_value(job->x, left->at[k]);
        weight[k] = job->weight.length ? column_value(job->weight, left->at[k]) : 1.0;
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
    struct left left = { NULL, 0, 0 };
    struct left *leave = job->quantity == JOB_APPROXIMATE ? &left : NULL;

    if (!total_sums(job, leave, poll, sum, nans, st) && left.count) add_left(job, &left, poll, sum, nans, st);
    memory_release(left.at);
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
    if (is_call && !process_is_child() && selection_resolve(text, &kind, &devices, st)) return st->code;
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
    if (selection_resolve(s->preference, &kind, &s->devices, &s->wrong)) s->devices.count = 0;
    s->is_auto = kind == SELECTION_AUTO;
    if (s->is_auto && !preference_given_up()[0]) selection_auto(&s->devices);
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

int backend_cache_list(struct cache_entry *entries, int room, struct status *st)
{
    struct target cpu;
    return sessions_cpu(&cpu, st) ? -1 : cpu_cache_list(cpu.session, entries, room);
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
}
