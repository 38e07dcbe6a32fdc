#include "integrals.h"
#include "../base/parallel.h"

#define CHUNK 8                         /* integrals that a thread computes between two checks for interrupts */

double range_of(const struct integral_job *j, size_t i, int k, double *low, double *high)
{
    double from = j->lower[k].at[i % j->lower[k].length], to = j->upper[k].at[i % j->upper[k].length];
    *low = from < to ? from : to;
    *high = from < to ? to : from;
    return from <= to ? 1.0 : -1.0;
}

struct parts parts_of(const struct integral_job *j, size_t i)
{
    double low, high;
    range_of(j, i, 0, &low, &high);
    return parts_between(low, high, j->breaks, j->break_count);
}

void integral_end(const struct integral_job *j, size_t i, double value, double error, int status)
{
    double low, high;
    for (int k = 0; k < j->dim; k++) value *= range_of(j, i, k, &low, &high);
    j->value[i] = value;
    j->error[i] = error;
    ATOMIC_WRITE(&j->status[i], status);
}

int integral_is_trivial(const struct integral_job *j, size_t i)
{
    double low, high;
    int missing = 0, empty = 0;
    for (int k = 0; k < j->dim; k++) {
        range_of(j, i, k, &low, &high);
        missing |= isnan(low) || isnan(high);
        empty |= low == high;
    }
    for (int k = 0; k < j->parameters; k++) missing |= isnan(j->parameter[(size_t)k * j->n + i]);
    if (missing) integral_end(j, i, NAN, NAN, INTEGRAL_NOT_FINITE);
    else if (empty) integral_end(j, i, 0.0, 0.0, INTEGRAL_CONVERGED);
    return missing || empty;
}

/* --- one integral after the other ------------------------------------------------------ */

const double *each_integral_values(const struct integral_job *j, const struct sampler *smp, int thread, size_t i,
                                   int count)
{
    for (int p = 0; p < j->parameters; p++) {
        double *to = smp->input(smp->self, thread, p + 1), value = j->parameter[(size_t)p * j->n + i];
        for (int q = 0; q < count; q++) to[q] = value;
    }
    return smp->run(smp->self, thread, count);
}

struct each {
    const struct integral_job *job;
    const struct sampler *sampler;
    one_integral *one;
    struct stop_flag stop_flag;
};

static void integrate_some(void *context, int thread, size_t from, size_t to)
{
    struct each *e = context;
    for (size_t i = from; i < to && !stop_is_set(&e->stop_flag); i++)
        if (e->job->status[i] == INTEGRAL_NOT_DONE && !e->one(e->job, e->sampler, thread, i))
            stop_interrupted(&e->stop_flag);
}

int integrate_each(const struct integral_job *j, const struct sampler *smp, one_integral *one, double evaluations,
                   poll_function poll, struct status *st)
{
    struct each e = { j, smp, one, { .poll = poll, .st = st } };
    int threads = sampler_threads(smp, (double)j->n * evaluations * EVALUATION_TIME);
    parallel_for(j->n, CHUNK, threads, integrate_some, &e, &e.stop_flag);
    return st->code;
}
