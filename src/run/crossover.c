/* Measures the crossover, which differs between machines.
 *
 * The time for n elements is modelled as a + b n.  The CPU starts immediately but is slow: a = 0, and b is
 * estimated from a slice of a job that is large enough for all threads.  The device has a start-up time: a is
 * estimated from a small job, b from a large one.  The device is faster for n > a/(b_cpu - b).  All measurements
 * use ordinary shapes, so that the result does not depend on the job that caused them.
 */
#include <math.h>
#include "columns.h"
#include "selection.h"
#include "../base/parallel.h"
#include "../base/memory.h"

#define SLICE         0.02              /* seconds per measurement */
#define SMALL         256               /* number of elements for which only the start-up time of a device matters */
#define LARGE         4194304           /* number that occupies both device and CPU fully, with one shape */
#define LARGE_VARYING 262144
#define POINTS        1021              /* number of different arguments, recycled */

static double known[CROSSOVER_KINDS];   /* 0: not measured */
static double forced;                   /* 0: not forced */

static const char *const names[CROSSOVER_KINDS] = {
    "values, one shape", "values, many shapes", "quantiles, one shape",
    "quantiles, many shapes", "random, one shape", "random, many shapes"
};

int crossover_kind(const struct element_job *job)
{
    int varies = !is_one_shape(&job->laws);

    switch (job->quantity) {
    case JOB_VALUES:
    case JOB_LOGLIK:
    case JOB_APPROXIMATE: return varies;
    case JOB_QUANTILES:   return 2 + varies;
    case JOB_VARIATES:    return 4 + varies;
    default:              return -1;
    }
}

const char *crossover_name(int kind)
{
    return names[kind];
}

double crossover_of(int kind)
{
    double n = forced > 0 ? forced : known[kind];
    return n > 0 ? n : NAN;
}

void crossover_forget(void)
{
    for (int k = 0; k < CROSSOVER_KINDS; k++) known[k] = 0;
}

void crossover_force(double elements)
{
    forced = isnan(elements) ? 0 : elements;
}

int crossover_is_forced(void)
{
    return forced > 0;
}

/* Arguments of jobs of any kind and size to be timed, and memory for their results. */
struct sample {
    double x[POINTS], p[POINTS], alpha[POINTS], beta[POINTS];
    double *y;
};

static void fill(struct sample *s)
{
    for (int i = 0; i < POINTS; i++) {
        double u = (i + 0.5) / POINTS;
        s->x[i] = 2 * tan(3.1 * (u - 0.5));
        s->p[i] = u;
        s->alpha[i] = 0.4 + 1.5 * fmod(u * 17, 1);
        s->beta[i] = 2 * fmod(u * 29, 1) - 1;
    }
}

static struct column column_of(const double *at, size_t length)
{
    struct column c = { at, length };
    return c;
}

static struct element_job sample_job(struct sample *s, int kind, size_t n)
{
    static const enum quantity quantity[] = { JOB_VALUES, JOB_QUANTILES, JOB_VARIATES };
    static const double zero = 0, one = 1, alpha = 1.5, beta = 0.5;
    int varies = kind % 2;
    struct element_job job = {
        .quantity = quantity[kind / 2], .n = n, .lower = 1, .key = { { 1, 2 } }, .out = { s->y },
        .laws = {
            column_of(varies ? s->alpha : &alpha, varies ? POINTS : 1),
            column_of(varies ? s->beta : &beta, varies ? POINTS : 1), column_of(&one, 1), column_of(&zero, 1), 0
        }
    };
    if (job.quantity != JOB_VARIATES) job.x = column_of(job.quantity == JOB_VALUES ? s->x : s->p, POINTS);
    return job;
}

struct timing { double seconds, elements; };

/* Times the first slice of a job of n elements. */
static int timed(struct sample *s, int kind, size_t n, const struct target *target,
                 struct timing *time, struct status *st)
{
    struct element_job job = sample_job(s, kind, n);
    struct slice slice = { 0, SLICE, 0, 0 };
    double start = threads_clock();

    if (target->backend->run(target->session, &job, &slice, st)) return st->code;
    time->seconds = threads_clock() - start;
    time->elements = (double)slice.done;
    return ST_OK;
}

static double crossover_from(struct timing cpu, struct timing small, struct timing large)
{
    double per_element_cpu = cpu.seconds / cpu.elements;
    double per_element = large.elements > small.elements && large.seconds > small.seconds
        ? (large.seconds - small.seconds) / (large.elements - small.elements)
        : large.seconds / large.elements;
    double start = fmax(small.seconds - per_element * small.elements, 0);

    if (per_element >= per_element_cpu) return INFINITY;
    return fmax(start / (per_element_cpu - per_element), 1);
}

/* Each measurement on the device is made twice: the first small job includes building the program, the first
 * large one allocating memory. */
static int measure(struct sample *s, int kind, const struct target *device,
                   const struct target *cpu, struct status *st)
{
    size_t n = kind % 2 ? LARGE_VARYING : LARGE;
    struct timing small, large, on_cpu;

    for (int twice = 0; twice < 2; twice++)
        if (timed(s, kind, SMALL, device, &small, st)) return st->code;
    for (int twice = 0; twice < 2; twice++)
        if (timed(s, kind, n, device, &large, st)) return st->code;
    if (timed(s, kind, n, cpu, &on_cpu, st)) return st->code;
    known[kind] = crossover_from(on_cpu, small, large);
    return ST_OK;
}

int crossover_measure(int kind, const struct target *device, const struct target *cpu,
                      struct status *st)
{
    struct sample *s = memory_allocate(sizeof *s);
    double *y = memory_allocate(LARGE * sizeof *y);

    if (s && y) {
        fill(s);
        s->y = y;
        measure(s, kind, device, cpu, st);
    } else {
        fail(st, ST_MEMORY, "no memory to time the device");
    }
    memory_release(y);
    memory_release(s);
    return st->code;
}
