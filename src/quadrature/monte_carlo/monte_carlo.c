/* Computes integrals by samples or product rules, one after the other or, if there are many, in parallel. */
#include <float.h>
#include "../box_jobs.h"
#include "monte_carlo.h"
#include "../integrals.h"
#include "../../base/memory.h"

#define POINT_TIME  5e-8                /* approximate seconds for a sample */
#define MIN_TIME    2e-3                /* approximate seconds for an integral */
#define SHARE_BITS  6                   /* a share of a lattice has at least 2^SHARE_BITS points */
#define SINGLE_ROUNDING 0x1p-23
#define FAR_FROM_DOUBLE 1e-2

void mc_for(const struct monte_carlo *c, size_t n, double points, loop_body *body, void *context)
{
    int threads = c->is_alone ? 1 : sampler_threads(c->sampler, points * POINT_TIME);
    parallel_for(n, 1, threads, body, context, c->stop);
}

int mc_is_single(const struct monte_carlo *c)
{
    return c->job->option.sampling.precision == PRECISION_SINGLE;
}

void mc_refuse_single(struct monte_carlo *c)
{
    c->single = CANNOT_USE;
    if (c->sampler->device->is_wanted)
        stop_all(c->stop, ST_UNSUPPORTED, "values of the integrand overflow in single precision, or differ by more "
                 "than 1% of the integral of |f| from those in double precision; use precision = \"double\"");
}

int mc_compare_precisions(struct monte_carlo *c, const double *apart, int count, double size)
{
    double difference = fabs(lattice_mean(apart, count)) + lattice_error(apart, count);
    if (!(difference <= FAR_FROM_DOUBLE * size)) {
        mc_refuse_single(c);
        return 0;
    }
    c->rounding = fmax(c->rounding, difference + SINGLE_ROUNDING * size);
    c->single = IS_COMPARED;
    return 1;
}

int mc_box(const struct monte_carlo *c, struct box_job *b, double *parameter)
{
    const struct integral_job *j = c->job;
    if (!c->sampler->device || c->is_alone || j->parameters > BOX_INPUTS) return 0;
    if (mc_is_single(c) && !is_single_use(b->use)) return 0;
    for (int k = 0; k < j->parameters; k++) parameter[k] = j->parameter[(size_t)k * j->n + c->integral];
    b->dim = c->dim;
    b->parameters = j->parameters;
    b->parameter = parameter;
    b->low = c->low;
    b->width = c->width;
    b->node = c->mapped ? c->node[0] : NULL;
    b->scale = c->scale;
    return 1;
}

int mc_on_device(struct monte_carlo *c, struct box_job *b, double points)
{
    int done = c->sampler->device->run(c->sampler->device, b, points);
    if (done < 0) stop_interrupted(c->stop);
    return done > 0;
}

/* A share has at least as many points as a work group has items, and at most those of one lattice. */
int mc_lattice_on_device(struct monte_carlo *c, struct lattice_job *j, double to_come)
{
    double parameter[BOX_INPUTS], points = 0.0;

    for (int k = 0; k < j->parts; k++) {
        if (j->part[k].points < 1u << SHARE_BITS) return 0;
        points += (double)j->part[k].points * j->shifts;
    }
    if (!mc_box(c, &j->box, parameter)) return 0;
    j->share_bits = SHARE_BITS;
    while (points > ldexp(LATTICE_SHARES, j->share_bits)) j->share_bits++;
    j->box.shares = 0;
    for (int k = 0; k < j->parts; k++) {
        j->part[k].shift = k * j->shifts;
        j->part[k].share = (int)j->box.shares;
        j->box.shares += (size_t)j->shifts * (j->part[k].points >> j->share_bits);
    }
    if (!mc_on_device(c, &j->box, fmax(points, to_come))) return 0;
    for (size_t k = 0; k < j->box.shares; k++) mc_check_finite(c, j->share[k].sum);
    return 1;
}

void mc_rescale(struct monte_carlo *c, double largest, double near)
{
    if (largest > 0.0 && isfinite(largest)) c->scale = ldexp(c->scale, ilogb(near) - ilogb(largest));
}

int mc_may_evaluate(const struct monte_carlo *c, double points)
{
    return c->job->evaluations[c->integral] + points <= c->job->max_eval;
}

double mc_tolerance(const struct monte_carlo *c, double mean, double size)
{
    const struct integral_job *j = c->job;
    double unit = fabs(c->volume) / c->scale;
    return refinement_tolerance(j->rel_tol, j->abs_tol / unit, mean, size);
}

void mc_finish(const struct monte_carlo *c, double mean, double error, int status)
{
    double unit = c->volume / c->scale;
    size_t k = (size_t)c->component * c->job->n + c->integral;
    c->job->value[k] = c->not_finite ? NAN : mean * unit;
    c->job->error[k] = c->not_finite ? NAN : error * fabs(unit);
    ATOMIC_WRITE(&c->job->status[k], c->not_finite ? INTEGRAL_NOT_FINITE : status);
}

void mc_begin(struct monte_carlo *c, size_t i)
{
    c->integral = i;
    c->volume = 1.0;
    for (int k = 0; k < c->dim; k++) {
        double high, sign = range_of(c->job, i, k, &c->low[k], &high);
        c->width[k] = high - c->low[k];
        c->volume *= sign * c->width[k];
    }
    c->scale = 1.0;
    c->not_finite = 0;
    c->rounds = 0;
    c->periodic = PERIODIC_NOT;
    c->mapped = 0;
    c->rounding = 0.0;
    c->largest = -1.0;
    c->single = NOT_COMPARED;
}

static void run_integral(struct monte_carlo *c, size_t i)
{
    mc_begin(c, i);
    if (c->job->sampling->how == SAMPLE_PRODUCT) {
        mc_product(c);
        return;
    }
    if (!mc_adapt(c)) return;
    if (c->not_finite) mc_finish(c, NAN, NAN, INTEGRAL_NOT_FINITE);
    else if (c->job->sampling->how == SAMPLE_LATTICE) mc_lattice(c);
    else mc_vegas(c);
}

/* --- workers ---------------------------------------------------------------------------------- */

static void workers_free(struct monte_carlo *all, int count)
{
    for (int t = 0; all && t < count; t++) {
        if (all[t].space) memory_release(all[t].space->axes);
        memory_release(all[t].space);
        strata_free(all[t].strata);
    }
    memory_release(all);
}

/* Returns `count` doubles from *free on, and moves *free behind them. */
static void *next_array(double **free, size_t count)
{
    double *taken = *free;
    *free += count;
    return taken;
}

/* Allocates the arrays with an element for each axis.  They are not zeroed: they take more than half a megabyte for 12
 * axes, and an integral may have only a few hundred points.  Returns 0 if memory is short. */
static int axes_new(struct monte_carlo *c, size_t dim)
{
    struct mc_space *s = c->space;
    size_t nodes = dim * MAP_DOUBLES, bins = dim * MAP_BINS, lines = dim * LINE_POINTS;
    size_t from = MC_PEAKS * (dim + 1), found = MC_PEAKS * LINE_SEARCH_DOUBLES(dim);
    double *free = s->axes = memory_allocate((2 * nodes + (MC_PARTS + 1) * bins + (MC_PEAKS + 1) * lines + from +
                                              found) * sizeof *free);
    if (!free) return 0;
    c->node = next_array(&free, nodes);
    c->histogram = next_array(&free, bins);
    c->part = next_array(&free, MC_PARTS * bins);
    s->node = next_array(&free, nodes);
    s->line = next_array(&free, lines);
    s->peak_line = next_array(&free, MC_PEAKS * lines);
    s->line_search_from = next_array(&free, from);
    s->line_search_found = next_array(&free, found);
    return 1;
}

static int worker_init(struct monte_carlo *c, int dim)
{
    c->space = memory_allocate(sizeof *c->space);
    if (c->space) c->space->axes = NULL;
    c->strata = strata_new();
    return c->space && c->strata && axes_new(c, (size_t)dim);
}

static struct monte_carlo *workers_new(int count, int dim)
{
    struct monte_carlo *all = memory_zeroed((size_t)count, sizeof *all);
    int is_complete = all != NULL;
    for (int t = 0; is_complete && t < count; t++) is_complete = worker_init(&all[t], dim);
    if (is_complete) return all;
    workers_free(all, count);
    return NULL;
}

static void run_integrals(void *context, int thread, size_t from, size_t to)
{
    struct monte_carlo *c = (struct monte_carlo *)context + thread;
    for (size_t i = from; i < to && c->job->components > 1; i++) mc_lattice_components(c, i);
    for (size_t i = from; i < to && c->job->components == 1; i++)
        if (c->job->status[i] == INTEGRAL_NOT_DONE && !integral_is_trivial(c->job, i)) run_integral(c, i);
}

int integrate_sampled(const struct integral_job *job, const struct sampler *sampler, poll_function poll,
                      struct status *st)
{
    struct stop_flag stop = { .poll = poll, .st = st };
    int threads = sampler_threads(sampler, (double)job->n * MIN_TIME);
    int points = sampler->block < BLOCK_POINTS_MAX ? sampler->block : BLOCK_POINTS_MAX;
    int capacity = points - points % (2 * MC_STRIP);
    if (job->n < 2 * (size_t)threads || sampler->device) threads = 1;
    struct monte_carlo *worker = workers_new(threads, job->dim);
    struct workspace *workspace = workspaces_new(sampler->threads, capacity, job->dim);

    if (!worker || !workspace) fail(st, ST_MEMORY, "no memory for %d threads", sampler->threads);
    for (int t = 0; worker && t < threads; t++) {
        struct monte_carlo *c = &worker[t];
        c->job = job;
        c->sampler = sampler;
        c->workspace = workspace;
        c->stop = &stop;
        c->thread = t;
        c->is_alone = threads > 1;
        c->dim = job->dim;
        c->component = 0;
    }
    if (!st->code) parallel_for(job->n, 1, threads, run_integrals, worker, &stop);
    workers_free(worker, threads);
    workspaces_free(workspace, sampler->threads);
    return st->code;
}
