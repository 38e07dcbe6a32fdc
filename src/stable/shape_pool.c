/* Several shapes with the same parameters, one for each thread. */
#include "../base/parallel.h"
#include "shape.h"

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

struct shape_tasks { struct shape_pool *pool; shape_pool_task *task; void *job; int from; };

static void run_tasks(void *context, int thread, size_t from, size_t to)
{
    const struct shape_tasks *t = context;
    for (size_t k = from; k < to; k++) t->task(t->job, t->pool->shape[thread], t->from + (int)k);
}

void shape_pool_run(struct shape_pool *c, shape_pool_task *task, void *job, int from, int to, int together)
{
    struct shape_tasks t = { c, task, job, from };
    parallel_for((size_t)(to - from), 1, together ? c->count : 1, run_tasks, &t, NULL);
}
