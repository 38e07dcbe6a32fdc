/* Values and errors of new subregions, by the sampler or on a device. */
#include <string.h>
#include "../box_jobs.h"
#include "../integrals.h"
#include "refinement.h"
#include "../../base/memory.h"

#define JOB_SUBREGIONS ((size_t)1 << 17) /* largest number of subregions for a device at a time, about 20 MB */
#define JOB_POINTS     ((size_t)1 << 20) /* largest number of points for a device at a time */
#define GROUPS         16               /* subregions of a thread at a time, in units of those processed together */

/* Counts the evaluations of new subregions of integral i.  Several threads may do so for the same integral. */
static void count_evaluations(const struct region_store *f, size_t i, double points)
{
    int is_shared = f->thread == ALL_THREADS;
    if (is_shared) parallel_lock();
    f->job->evaluations[i] += points;
    if (is_shared) parallel_unlock();
}

/* Lists the new subregions of a block from index `from` of the list on. */
static void list_block(void *context, int thread, size_t from, size_t to)
{
    const struct region_store *f = context;
    size_t *fresh = f->fresh + from, integral = 0, counted = 0, count = 0;
    int points = 0;
    (void)thread;
    for (size_t v = from; v < to; v++) {
        const struct subregion *p = subregion_at(f, f->next, v);
        if (!p->is_new) continue;
        if (count > counted && p->integral != integral) {
            count_evaluations(f, integral, (double)(count - counted) * points);
            counted = count;
        }
        integral = p->integral;
        points = p->sibling ? f->rule->points : f->rule->first_points;
        fresh[count++] = v;
    }
    if (count > counted) count_evaluations(f, integral, (double)(count - counted) * points);
    f->block[from / REGION_BLOCK].count = count;
}

size_t values_list(struct region_store *f)
{
    store_loop(f, f->next_count, list_block, f);
    size_t count = blocks_begin(f, f->next_count, 0);
    for (size_t b = 1; b < region_blocks(f->next_count); b++)
        memmove(f->fresh + f->block[b].begin, f->fresh + b * REGION_BLOCK, f->block[b].count * sizeof *f->fresh);
    if (count) f->points = subregion_at(f, f->next, f->fresh[0])->sibling ? f->rule->points : f->rule->first_points;
    return count;
}

/* --- by the sampler ------------------------------------------------------------------ */

/* As many as a block holds, at least one.  Subregions that are processed together are not separated. */
size_t values_chunk(const struct region_store *f)
{
    size_t fit = (size_t)(f->sampler->block / f->points), together = (size_t)f->rule->together;
    if (fit > together) fit -= fit % together;
    return fit ? fit : 1;
}

/* Returns the array for input k of `count` points: that of the sampler if it accepts all points at once. */
static double *column_of(const struct region_store *f, int thread, size_t count, int k)
{
    const struct sampler *s = f->sampler;
    size_t columns = (size_t)(f->job->dim + f->job->parameters + f->refinement->all.sampler->components);
    if (count <= (size_t)s->block) return s->input(s->self, thread, k);
    return f->refinement->workspace + ((size_t)thread * columns + (size_t)k) * f->refinement->stride;
}

/* Returns the values at `count` points, those of component c from index c *stride on; NULL if the sampler failed. */
static const double *sample(const struct region_store *f, int thread, size_t count, size_t *stride)
{
    const struct sampler *s = f->refinement->all.sampler;
    int inputs = f->job->dim + f->job->parameters;
    *stride = (size_t)s->block;
    if (count <= (size_t)s->block) return s->run(s->self, thread, (int)count);
    *stride = f->refinement->stride;
    double *y = column_of(f, thread, count, inputs);
    for (size_t at = 0; at < count; at += (size_t)s->block) {
        size_t part = count - at < (size_t)s->block ? count - at : (size_t)s->block;
        for (int k = 0; k < inputs; k++)
            memcpy(s->input(s->self, thread, k), column_of(f, thread, count, k) + at, part * sizeof *y);
        const double *values = s->run(s->self, thread, (int)part);
        if (!values) return NULL;
        for (int c = 0; c < s->components; c++)
            memcpy(y + (size_t)c * *stride + at, values + (size_t)c * (size_t)s->block, part * sizeof *y);
    }
    return y;
}

/* Collects the new subregions that are processed together, from entry v of the list on, before entry `to`.  Returns
 * their number. */
static int get_subregions(const struct region_store *f, size_t v, size_t to, void **subregion)
{
    int count = 0;
    for (; count < f->rule->together && v < to; v++) subregion[count++] = subregion_at(f, f->next, f->fresh[v]);
    return count;
}

/* Stores the coordinates of the points of new subregions from, ..., to - 1 in columns of this length. */
static void set_coordinates(const struct region_store *f, size_t from, size_t to, double *column, size_t length)
{
    double *x[AXES_MAX];
    void *subregion[TOGETHER];
    for (size_t v = from; v < to; v += (size_t)f->rule->together) {
        int count = get_subregions(f, v, to, subregion);
        for (int k = 0; k < f->job->dim; k++)
            x[k] = column + (size_t)k * length + (v - from) * (size_t)f->points;
        f->rule->set_points(f->rule, subregion, count, x);
    }
}

/* Computes the sums of new subregions from, ..., to - 1 of stores in lockstep.  y: the values at their points, those of
 * component c from index c stride on. */
static void sum_all(struct region_store *const *store, int stores, size_t from, size_t to, const double *y,
                    size_t stride)
{
    const struct subdivision *rule = store[0]->rule;
    void *subregion[TOGETHER];
    for (int k = 0; k < stores; k++)
        for (size_t v = from; v < to; v += (size_t)rule->together) {
            int count = get_subregions(store[k], v, to, subregion);
            rule->sum(subregion, count,
                      y + (size_t)store[k]->component * stride + (v - from) * (size_t)store[k]->points);
        }
}

/* Stores the coordinates and parameters of the points of `count` subregions, from point number `first` of `all` on. */
static void set_inputs(const struct region_store *f, int thread, void *const *subregion, int count, size_t first,
                       size_t all)
{
    const struct integral_job *j = f->job;
    double *x[AXES_MAX];
    for (int k = 0; k < j->dim; k++) x[k] = column_of(f, thread, all, k) + first;
    f->rule->set_points(f->rule, subregion, count, x);
    for (int k = 0; k < j->parameters; k++) {
        double *to = column_of(f, thread, all, j->dim + k) + first, value[TOGETHER];
        for (int p = 0; p < count; p++)
            value[p] = j->parameter[(size_t)k * j->n + ((const struct subregion *)subregion[p])->integral];
        for (int q = 0; q < f->points; q++)
            for (int p = 0; p < count; p++) to[q * count + p] = value[p];
    }
}

void values_evaluate(struct region_store *const *store, int stores, int thread, size_t from, size_t to)
{
    struct region_store *f = store[0];
    size_t points = (size_t)f->points, together = (size_t)f->rule->together, all = (to - from) * points, stride;
    void *subregion[TOGETHER];

    for (size_t v = from; v < to; v += together)
        set_inputs(f, thread, subregion, get_subregions(f, v, to, subregion), (v - from) * points, all);
    const double *y = sample(f, thread, all, &stride);
    if (!y) {
        stop_interrupted(&f->refinement->stop_flag);
        return;
    }
    sum_all(store, stores, from, to, y, stride);
}

/* --- on a device ---------------------------------------------------------------------- */

struct box_device *values_device(const struct refinement *t)
{
    return t->all.sampler->device;
}

/* New subregions, from number `first` on, of stores in lockstep, and the coordinates and values of their `length`
 * points. */
struct job_points { struct region_store *const *store; int stores; size_t first, length; double *x, *value; };

static void set_coordinates_of_some(void *context, int thread, size_t from, size_t to)
{
    const struct job_points *p = context;
    size_t points = (size_t)p->store[0]->points;
    (void)thread;
    set_coordinates(p->store[0], p->first + from, p->first + to, p->x + from * points, p->length);
}

static void sum_some(void *context, int thread, size_t from, size_t to)
{
    const struct job_points *p = context;
    size_t points = (size_t)p->store[0]->points;
    (void)thread;
    sum_all(p->store, p->stores, p->first + from, p->first + to, p->value + from * points, p->length);
}

/* Evaluates new subregions from, ..., to - 1 of integral i on a device, of stores in lockstep.  Returns the result of
 * its run(), 0 if memory for the points is short. */
static int rule_on_device(struct region_store *const *store, int stores, size_t i, size_t from, size_t to,
                          double points)
{
    const struct region_store *f = store[0];
    const struct refinement *t = f->refinement;
    const struct integral_job *j = t->all.job;
    size_t count = (to - from) * (size_t)f->points, axes = (size_t)j->dim, share = GROUPS * (size_t)f->rule->together;
    double *x = memory_allocate((axes + (size_t)j->components) * count * sizeof *x);
    int done, threads = store_threads(f, count);

    if (!x) return 0;
    struct job_points p = { store, stores, from, count, x, x + axes * count };
    parallel_for(to - from, share, threads, set_coordinates_of_some, &p, NULL);
    done = points_on_device(j, values_device(t), i, x, count, p.value, points);
    if (done > 0) parallel_for(to - from, share, threads, sum_some, &p, NULL);
    memory_release(x);
    return done;
}

/* Evaluates the subregions of one integral after the other, until the device does not take a job. */
size_t values_on_device(struct region_store *const *store, int stores, size_t count)
{
    struct region_store *f = store[0];
    const struct integral_job *j = f->job;
    struct box_device *device = values_device(f->refinement);
    double *parameter = f->refinement->workspace;
    struct box_job box = { .dim = j->dim, .parameters = j->parameters, .parameter = parameter };
    int has_kernel = f->rule->on_device && f->refinement->all.job->components == 1;
    size_t from = 0, maximum = has_kernel ? JOB_SUBREGIONS : JOB_POINTS / (size_t)f->points;

    while (f->thread == ALL_THREADS && device && from < count) {
        size_t end = count - from < maximum ? count : from + maximum, to = store_end(f, f->next, f->fresh, from, end);
        size_t i = subregion_at(f, f->next, f->fresh[from])->integral;
        for (int k = 0; k < j->parameters; k++) parameter[k] = j->parameter[(size_t)k * j->n + i];
        double points = (double)count * f->points;
        int done = has_kernel ? f->rule->on_device(device, &box, f->next, f->fresh + from, to - from, points)
                              : rule_on_device(store, stores, i, from, to, points);
        if (done < 0) {
            stop_interrupted(&f->refinement->stop_flag);
            return count;
        }
        if (!done) break;
        from = to;
    }
    return from;
}

/* --- halves ----------------------------------------------------------------------------- */

static void compare_block(void *context, int thread, size_t from, size_t to)
{
    const struct region_store *f = context;
    (void)thread;
    for (size_t v = from; v < to; v++) {
        struct subregion *left = subregion_at(f, f->next, f->fresh[v]);
        if (left->sibling != 1) continue;
        struct subregion *right = subregion_at(f, f->next, f->fresh[v + 1]);
        struct halves h = { left->value + right->value, left->error, right->error, left->before, left->change };
        halves_compare(&h, f->job->dim, f->rule->min_share);
        left->error = h.left;
        right->error = h.right;
        left->change = right->change = h.change;
    }
}

void values_compare(struct region_store *f, size_t count)
{
    store_loop(f, count, compare_block, f);
}
