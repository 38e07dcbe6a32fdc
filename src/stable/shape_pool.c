/* Several shapes with the same parameters, one for each thread. */
#include "shape.h"
#ifdef _OPENMP
#include <omp.h>
#endif

int shape_pool_reserve(struct shape_pool *c, int threads)
{
    for (c->count = 0; c->count < SHAPE_POOL_MAX && c->count < threads; c->count++) {
        if (!c->shape[c->count]) c->shape[c->count] = shape_new();
        if (!c->shape[c->count]) break;
    }
    return c->count > 0;
}

void shape_pool_free(struct shape_pool *c)
{
    for (int k = 0; k < SHAPE_POOL_MAX; k++) shape_free(c->shape[k]);
}

void shape_pool_set(struct shape_pool *c, double alpha, double beta)
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

void shape_pool_run(struct shape_pool *c, shape_pool_task task, void *job, int from, int to, int together)
{
    int threads = together ? c->count : 1;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) if (threads > 1)
#endif
    for (int k = from; k < to; k++) task(job, c->shape[threads > 1 ? thread_number() : 0], k);
}
