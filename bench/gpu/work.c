/* bench/gpu/work.c: counts the work of the kernels for an element.
 *
 * Compiled and called by benchmark.R.  The kernels are compiled as C and run on the host, one
 * element after the other, and every node, series and elementary function is counted.
 */
#include <stdlib.h>
#include <stdio.h>
#define STABLECL_ONE_NODE               /* one node at a time, as on a device */
#include "special/dialect.h"
#define sincos(x, c) (*(c) = cos(x), sin(x))
#include "special/elementary.h"

/* Nodes of node sets (an exponential and three other operations each), series at infinity, and
 * other elementary functions, each counted as a kind of equal or lower cost. */
enum { PANEL_NODES, SERIES, EXP, LOG, SIN, KINDS };

static double work[KINDS];

#define exp_minus(x) (work[PANEL_NODES]++, exp_minus(x))
#define exp(x)       (work[EXP]++, exp(x))
#define expm1(x)     (work[EXP]++, expm1(x))
#define sinh(x)      (work[EXP]++, sinh(x))
#define cosh(x)      (work[EXP]++, cosh(x))
#define log(x)       (work[LOG]++, log(x))
#define log1p(x)     (work[LOG]++, log1p(x))
#define atan(x)      (work[LOG]++, atan(x))
#define lgamma(x)    (work[LOG]++, lgamma(x))
#define tgamma(x)    (work[LOG]++, tgamma(x))
#define pow(x, y)    (work[LOG]++, work[EXP]++, pow(x, y))
#define sin(x)       (work[SIN]++, sin(x))
#define cos(x)       (work[SIN]++, cos(x))
#define tan(x)       (work[SIN]++, tan(x))
#define node_exp(x)        (work[EXP]++, node_exp(x))
#define node_log(x)        (work[LOG]++, node_log(x))
#define node_log1p(x)      (work[LOG]++, node_log1p(x))
#define node_sin(x)        (work[SIN]++, node_sin(x))
#define node_sin_cos(x, c) (work[SIN] += 2, node_sin_cos(x, c))

#include "stable/evaluate.h"
#define value_tail(law, p, t, v) (value_tail(law, p, t, v) && (work[SERIES]++, 1))

/* The store of node sets, which does not use OpenCL. */
#define STABLECL_OPENCL_ENTRIES_H
#define STABLECL_OPENCL
#include "base/memory.c"
#include "base/parallel.c"
#include "stable/shape.c"
#include "stable/mode.c"
#define set_shape set_shape_of_store
#include "run/device/law_store.c"

/* Features of OpenCL C that C lacks. */
#define __kernel static
#define __global
#define __local
#define get_global_id(dimension) current
#define get_global_size(dimension) items
#define get_local_id(dimension) 0
#define barrier(fence)
#define atomic_inc(at) ((*(at))++)
typedef unsigned char uchar;
#define ulong uint64
static size_t current, items;

#define store kernel_store
#include "run/device/eval_one.cl"
#include "run/device/eval_each.cl"
#include "run/device/quantile_each.cl"
#include "run/device/random.cl"
#undef store

typedef void kernel_function(ARGUMENTS);

static kernel_function *const kernels[] = {
    eval_one, eval_each, quantile_each, random_one, random_each
};

static int flags[FLAGS], missing[SLOTS];
static const double one = 1.0, zero = 0.0;

static void run_all(kernel_function *kernel, const struct device_job *job, struct store *s, const double *x,
                    const double *alpha, const double *beta, uchar *state, double *out)
{
    memset(flags, 0, sizeof flags);
    memset(missing, 0, sizeof missing);
    items = (size_t)job->n;
    for (current = 0; current < items; current++)
        kernel(*job, x, alpha, beta, &one, &zero, &one, &s->shape, s->node_sets, s->slot, s->nodes, NULL, missing,
               flags, state, out, NULL, NULL, NULL, NULL, NULL);
}

/* Runs kernel number `which` over n elements; elements for which kernels 0 and 1 have no node set
 * are computed by kernel which + 2.  Sets `counts` to the total work, and `ok` to 0 on failure. */
void count_work(int *which, int *n, double *x, double *alpha, double *beta, int *what, int *give_log,
                double *counts, int *ok)
{
    static struct store s;
    struct status st = { ST_OK, "" };
    int each = *which == 2 || *which == 3 || *which == 5;
    struct device_job job = { 0 };
    uchar *state = calloc((size_t)*n, 1);
    double *out = calloc(4 * (size_t)*n, sizeof *out);

    job.n = *n;
    job.what = *what;
    job.give_log = *give_log;
    job.lower = job.stride[0] = 1;
    job.stride[1] = job.stride[2] = each;
    *ok = state && out && !store_set(&s, alpha[0], beta[0], 0, &st);
    do {
        if (!*ok) break;
        memset(work, 0, sizeof work);
        run_all(kernels[*which], &job, &s, x, alpha, beta, state, out);
        *ok = !flags[FLAG_MISSING] || !store_build(&s, missing, &st);
    } while (flags[FLAG_MISSING]);
    job.only_no_cell = 1;
    if (*ok && flags[FLAG_NO_CELL])
        run_all(kernels[*which + 2], &job, &s, x, alpha, beta, state, out);
    memcpy(counts, work, sizeof work);
    free(state);
    free(out);
}
