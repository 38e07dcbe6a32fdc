#include "shape_pool.h"
#ifdef _OPENMP
#include <omp.h>
#endif

int crew_hire(struct crew *c, int threads)
{
    for (c->count = 0; c->count < CREW && c->count < threads; c->count++) {
        if (!c->shape[c->count]) c->shape[c->count] = shape_new();
        if (!c->shape[c->count]) break;
    }
    return c->count > 0;
}

void crew_free(struct crew *c)
{
    for (int k = 0; k < CREW; k++) shape_free(c->shape[k]);
}

void crew_set(struct crew *c, double alpha, double beta)
{
    for (int k = 0; k < c->count; k++) shape_set(c->shape[k], alpha, beta);
}

static int thread_number(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

void crew_work(struct crew *c, crew_task task, void *job, int from, int to, int together)
{
    int threads = together ? c->count : 1;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) if (threads > 1)
#endif
    for (int k = from; k < to; k++) task(job, c->shape[threads > 1 ? thread_number() : 0], k);
}
