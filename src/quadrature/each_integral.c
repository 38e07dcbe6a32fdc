#include "each_integral.h"
#include "limits.h"
#include "../base/threads.h"
#include "../integrand/stop_flag.h"

#define SLAB 4096                       /* integrals between two checks for interrupts */

const double *each_integral_values(const struct integral_job *j, const struct sampler *smp, int thread, size_t i,
                                   int count)
{
    for (int p = 0; p < j->parameters; p++) {
        double *to = smp->input(smp->self, thread, p + 1), value = j->parameter[(size_t)p * j->n + i];
        for (int q = 0; q < count; q++) to[q] = value;
    }
    return smp->run(smp->self, thread, count);
}

int integrate_each(const struct integral_job *j, const struct sampler *smp, one_integral one, double evaluations,
                   poll_function poll, struct status *st)
{
    for (size_t first = 0; first < j->n; first += SLAB) {
        long count = (long)(j->n - first < SLAB ? j->n - first : SLAB);
        int threads = threads_for((double)count * evaluations * EVALUATION_TIME), failed = 0;
        if (threads > smp->threads) threads = smp->threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, 8) if (threads > 1) reduction(|:failed)
#endif
        for (long k = 0; k < count; k++) {
            size_t i = first + (size_t)k;
            if (j->status[i] == INTEGRAL_NOT_DONE) failed |= !one(j, smp, thread_number(), i);
        }
        if (failed || poll()) return fail(st, ST_INTERRUPTED, "interrupted");
    }
    return ST_OK;
}
