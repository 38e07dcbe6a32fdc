#include "each_integral.h"
#include "limits.h"
#include "../base/parallel.h"

#define CHUNK 8                         /* integrals that a thread computes between two checks for interrupts */

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
