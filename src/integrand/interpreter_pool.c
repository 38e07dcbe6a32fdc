/* One interpreter for each thread, presented as a sampler. */
#include "laws.h"
#include "sampler.h"
#include "../base/memory.h"

struct interpreter_pool {
    int count;
    struct stop_flag stop_flag;         /* the stop flag of the runs in all threads */
    struct laws_built *laws;
    struct interpreter *interpreter[];
};

void interpreters_close(struct interpreter_pool *c)
{
    if (!c) return;
    for (int i = 0; i < c->count; i++) interpreter_free(c->interpreter[i]);
    laws_free(c->laws);
    memory_release(c);
}

int interpreters_open(const struct program *p, double *slot, int threads, poll_function poll,
                      struct interpreter_pool **made,
                      struct status *st)
{
    struct interpreter_pool *c = memory_zeroed(1, sizeof *c + (size_t)threads * sizeof c->interpreter[0]);

    *made = c;
    if (!c) return fail(st, ST_MEMORY, "no memory for %d threads", threads);
    c->stop_flag.poll = poll;
    program_prelude(p, slot);
    if (laws_build(p, slot, &c->laws, st)) return st->code;
    for (; c->count < threads; c->count++) {
        c->interpreter[c->count] = interpreter_new(p, slot, c->laws, &c->stop_flag);
        if (!c->interpreter[c->count]) return fail(st, ST_MEMORY, "no memory for %d threads", threads);
    }
    return ST_OK;
}

void interpreters_until(struct interpreter_pool *c, double until)
{
    c->stop_flag.until = until;
}

static double *input(void *self, int thread, int k)
{
    struct interpreter_pool *c = self;
    return interpreter_input(c->interpreter[thread], k);
}

static const double *run(void *self, int thread, int count)
{
    struct interpreter_pool *c = self;
    return interpreter_run(c->interpreter[thread], count);
}

struct sampler interpreters_sampler(struct interpreter_pool *c)
{
    struct sampler s = { c, c->count, BLOCK, input, run, NULL };
    return s;
}
