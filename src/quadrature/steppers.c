#include "../integrand/stop_flag.h"
#include "steppers.h"
#include "../base/threads.h"
#include "../base/memory.h"

#define BLOCKS_EACH 8                   /* blocks of walkers that a thread takes at a time, at most */

struct crew {
    const struct integral_job *job;
    const struct walking *walking;
    const struct sampler *sampler;
    char *walkers;
    size_t lanes, *active;              /* active: `lanes` for each thread */
    struct halt halt;
};

static void *walker_at(const struct crew *c, size_t k)
{
    return c->walkers + k * c->walking->bytes;
}

/* The points of the active walkers. */
static void place_all(const struct crew *c, int thread, const size_t *active, size_t count)
{
    const struct integral_job *j = c->job;
    const struct sampler *s = c->sampler;
    size_t points = (size_t)c->walking->points;
    double *x[AXES_MAX];
    for (size_t v = 0; v < count; v++) {
        for (int k = 0; k < j->dim; k++) x[k] = s->input(s->self, thread, k) + v * points;
        c->walking->place(walker_at(c, active[v]), x);
    }
    for (int k = 0; k < j->parameters; k++) {
        double *to = s->input(s->self, thread, j->dim + k);
        for (size_t v = 0; v < count; v++) {
            const struct walker *w = walker_at(c, active[v]);
            for (size_t q = 0; q < points; q++) *to++ = j->parameter[(size_t)k * j->n + w->integral];
        }
    }
}

static void walk_some(struct crew *c, int thread, size_t from, size_t to)
{
    const struct sampler *s = c->sampler;
    size_t *active = c->active + (size_t)thread * c->lanes, count = 0, points = (size_t)c->walking->points;
    while (!is_halted(&c->halt, thread)) {
        for (; count < c->lanes && from < to; from++) {
            const struct walker *w = walker_at(c, from);
            if (!w->arrived) active[count++] = from;
        }
        if (!count) return;
        place_all(c, thread, active, count);
        const double *f = s->run(s->self, thread, (int)(count * points));
        if (!f) {
            halt_all(&c->halt);
            return;
        }
        size_t left = 0;
        for (size_t v = 0; v < count; v++) {
            struct walker *w = walker_at(c, active[v]);
            w->evaluations += (double)points;
            c->walking->step(w, f + v * points);
            if (!w->arrived) active[left++] = active[v];
        }
        count = left;
    }
}

/* The first ones tell how long the others will take. */
static void walk_all(struct crew *c, size_t count)
{
    size_t most = BLOCKS_EACH * c->lanes, fair = count / (size_t)(2 * c->sampler->threads);
    size_t part = fair < most ? fair : most;
    if (part < c->lanes) part = c->lanes;
    double began = threads_clock();
    walk_some(c, 0, 0, part < count ? part : count);

    long parts = (long)((count + part - 1) / part);
    int threads = threads_for((threads_clock() - began) * (double)(parts - 1));
    if (threads > c->sampler->threads) threads = c->sampler->threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) if (threads > 1)
#endif
    for (long k = 1; k < parts; k++) {
        size_t from = (size_t)k * part;
        walk_some(c, thread_number(), from, part < count - from ? from + part : count);
    }
}

int walk(const struct integral_job *job, const struct walking *walking, void *walkers, size_t count,
         const struct sampler *sampler, poll_function poll, struct status *st)
{
    struct crew c = { .job = job, .walking = walking, .sampler = sampler, .walkers = walkers,
                      .lanes = (size_t)(sampler->block / walking->points), .halt = { poll, 0, 0.0 } };
    c.active = memory_allocate((size_t)sampler->threads * c.lanes * sizeof *c.active);
    if (!c.active) return fail(st, ST_MEMORY, "no memory for %d threads", sampler->threads);
    walk_all(&c, count);
    memory_release(c.active);
    return c.halt.stop ? fail(st, ST_INTERRUPTED, "interrupted") : ST_OK;
}
