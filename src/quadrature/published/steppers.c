#include <string.h>
#include "drivers.h"
#include "../box_jobs.h"
#include "../../base/memory.h"

#define BLOCKS_EACH 8                   /* largest number of blocks of steppers that a thread takes at a time */
#define SHARES_EACH 4                   /* shares of the steppers of a long integrand for each thread, */
#define MIN_STEPPERS ((size_t)8)      /* of at least this number: a block takes little longer for it than for one */
#define DEVICE_STEPPERS ((size_t)1 << 16)   /* largest number of steppers that a device advances together */
#define DEVICE_STEPS    16.0            /* expected number of times that it advances each of them in a job */
#define RECORDED(n)     (16 * (n) + 4096)   /* points for which n steppers together have memory on a device */

struct step_context {
    const struct integral_job *job;
    const struct stepping *stepping;
    const struct sampler *sampler;
    char *steppers;
    size_t per_block, *active;          /* per_block: steppers that fill a block; active: indices of per_block steppers
                                           for each thread */
    size_t first;                       /* steppers that were advanced before the loop */
    struct stop_flag stop_flag;
};

static void *stepper_at(const struct step_context *c, size_t k)
{
    return c->steppers + k * c->stepping->bytes;
}

/* Stores the points and parameters of the active steppers. */
static void set_all_points(const struct step_context *c, int thread, const size_t *active, size_t count)
{
    const struct integral_job *j = c->job;
    const struct sampler *s = c->sampler;
    size_t points = (size_t)c->stepping->points;
    double *x[AXES_MAX];
    for (size_t v = 0; v < count; v++) {
        for (int k = 0; k < j->dim; k++) x[k] = s->input(s->self, thread, k) + v * points;
        c->stepping->set_points(stepper_at(c, active[v]), x);
    }
    for (int k = 0; k < j->parameters; k++) {
        double *to = s->input(s->self, thread, j->dim + k);
        for (size_t v = 0; v < count; v++) {
            const struct stepper *w = stepper_at(c, active[v]);
            for (size_t q = 0; q < points; q++) *to++ = j->parameter[(size_t)k * j->n + w->integral];
        }
    }
}

/* Advances steppers from, ..., to - 1 until all have finished or the computation must stop. */
static void step_some(struct step_context *c, int thread, size_t from, size_t to)
{
    const struct sampler *s = c->sampler;
    size_t *active = c->active + (size_t)thread * c->per_block, count = 0, points = (size_t)c->stepping->points;
    while (!is_stop_requested(&c->stop_flag)) {
        for (; count < c->per_block && from < to; from++) {
            const struct stepper *w = stepper_at(c, from);
            if (!w->is_finished) active[count++] = from;
        }
        if (!count) return;
        set_all_points(c, thread, active, count);
        const double *f = s->run(s->self, thread, (int)(count * points));
        if (!f) {
            stop_interrupted(&c->stop_flag);
            return;
        }
        size_t left = 0;
        for (size_t v = 0; v < count; v++) {
            struct stepper *w = stepper_at(c, active[v]);
            w->evaluations += (double)points;
            c->stepping->step(c->stepping->rule, w, f + v * points);
            if (!w->is_finished) active[left++] = active[v];
        }
        count = left;
    }
}

static void step_part(void *context, int thread, size_t from, size_t to)
{
    struct step_context *c = context;
    step_some(c, thread, c->first + from, c->first + to);
}

/* Advances all steppers of an integrand that takes long, of which each thread has several shares. */
static void step_slow_integrand(struct step_context *c, size_t count)
{
    size_t threads = (size_t)c->sampler->threads, equal_share = count / (SHARES_EACH * threads);
    size_t maximum = (count + threads - 1) / threads, minimum = maximum < MIN_STEPPERS ? maximum : MIN_STEPPERS;
    c->first = 0;
    parallel_for(count, equal_share > minimum ? equal_share : minimum, (int)threads, step_part, c, &c->stop_flag);
}

/* Advances all steppers.  The time of the first ones determines the number of threads for the others. */
static void step_all(struct step_context *c, size_t count)
{
    size_t maximum = BLOCKS_EACH * c->per_block, equal_share = count / (size_t)(2 * c->sampler->threads);
    size_t part = equal_share < maximum ? equal_share : maximum;
    if (part < c->per_block) part = c->per_block;
    double began = threads_clock();
    c->first = part < count ? part : count;
    step_some(c, 0, 0, c->first);

    size_t left = count - c->first, parts = (left + part - 1) / part;
    int threads = sampler_threads(c->sampler, (threads_clock() - began) * (double)parts);
    parallel_for(left, part, threads, step_part, c, &c->stop_flag);
}

/* --- on a device ---------------------------------------------------------------------- */

/* Lists the first DEVICE_STEPPERS steppers that have not finished, or all if there are fewer.  Returns their number. */
static size_t list_active(const struct step_context *c, size_t count, size_t *active)
{
    size_t found = 0;
    for (size_t k = 0; k < count && found < DEVICE_STEPPERS; k++) {
        const struct stepper *w = stepper_at(c, k);
        if (!w->is_finished) active[found++] = k;
    }
    return found;
}

/* Memory for a job of a device: steppers with their parameters, and the points that they record. */
struct device_memory {
    size_t *active;                     /* indices of the steppers */
    char *stepper;
    double *point;
};

static void device_memory_release(struct device_memory *m)
{
    memory_release(m->active);
    memory_release(m->stepper);
    memory_release(m->point);
}

/* Allocates memory for `maximum` steppers.  Returns 0 if it is short. */
static int device_memory_get(struct device_memory *m, const struct step_context *c, size_t maximum)
{
    size_t each = c->stepping->state + (size_t)c->job->parameters * sizeof(double);
    m->active = memory_allocate(maximum * sizeof *m->active);
    m->stepper = memory_allocate(maximum * each);
    m->point = memory_allocate(c->stepping->record ? RECORDED(maximum) * sizeof *m->point : 1);
    return m->active && m->stepper && m->point;
}

/* Copies the first `count` active steppers and their parameters to the memory for a job. */
static void gather(const struct step_context *c, const struct device_memory *m, size_t count)
{
    const struct integral_job *j = c->job;
    size_t state = c->stepping->state;
    double *parameter = (double *)(void *)(m->stepper + count * state);
    for (size_t v = 0; v < count; v++) {
        const struct stepper *w = stepper_at(c, m->active[v]);
        memcpy(m->stepper + v * state, w, state);
        for (int k = 0; k < j->parameters; k++)
            parameter[(size_t)k * count + v] = j->parameter[(size_t)k * j->n + w->integral];
    }
}

/* Copies them back, with the points that they have recorded. */
static void scatter(const struct step_context *c, const struct device_memory *m, size_t count, size_t capacity)
{
    const struct stepping *s = c->stepping;
    for (size_t v = 0; v < count; v++) {
        struct stepper *w = stepper_at(c, m->active[v]);
        memcpy(w, m->stepper + v * s->state, s->state);
        if (s->record && w->recorded) s->record(w, m->point + v * capacity, w->recorded);
    }
}

/* Advances the first `count` active steppers on a device until they have finished or the time of a job is up.  Returns
 * the result of the device's run(). */
static int advance_active(const struct step_context *c, const struct device_memory *m, size_t count)
{
    const struct integral_job *j = c->job;
    const struct stepping *s = c->stepping;
    struct box_device *device = c->sampler->device;
    struct steppers_job job = {
        .box = { .use = s->use, .shares = count, .dim = j->dim }, .option = j->option, .parameters = j->parameters,
        .points = s->points, .items = s->items, .capacity = s->record ? (int)(RECORDED(count) / count) : 0,
        .bytes = s->state, .stepper = m->stepper, .record = m->point
    };
    gather(c, m, count);
    int done = device->run(device, &job.box, DEVICE_STEPS * (double)(count * (size_t)s->points));
    if (done > 0) scatter(c, m, count, (size_t)job.capacity);
    return done;
}

/* Advances all steppers on a device.  Returns 1 if they have finished, 0 if the threads must advance those that have
 * not, -1 after a failure. */
static int advance_on_device(struct step_context *c, size_t count)
{
    struct device_memory m = { NULL, NULL, NULL };
    int done = device_memory_get(&m, c, count < DEVICE_STEPPERS ? count : DEVICE_STEPPERS);
    size_t found = 1;

    while (done > 0 && found && !is_stop_requested(&c->stop_flag)) {
        found = list_active(c, count, m.active);
        if (found) done = advance_active(c, &m, found);
    }
    device_memory_release(&m);
    return done;
}

int advance_steppers(const struct integral_job *job, const struct stepping *stepping, void *steppers, size_t count,
                     const struct sampler *sampler, poll_function poll, struct status *st)
{
    struct step_context c = { .job = job, .stepping = stepping, .sampler = sampler, .steppers = steppers,
                      .per_block = (size_t)(sampler->block / stepping->points),
                      .stop_flag = { .poll = poll, .st = st } };
    int done = sampler->device && count && stepping->items ? advance_on_device(&c, count) : 0;
    if (done < 0) stop_interrupted(&c.stop_flag);
    if (done || stop_is_set(&c.stop_flag)) return st->code;
    c.active = memory_allocate((size_t)sampler->threads * c.per_block * sizeof *c.active);
    if (!c.active) return fail(st, ST_MEMORY, "no memory for %d threads", sampler->threads);
    if (sampler_is_slow(sampler) && count > 1) step_slow_integrand(&c, count);
    else step_all(&c, count);
    memory_release(c.active);
    return st->code;
}
