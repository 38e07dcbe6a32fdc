#include "integrand_jobs.h"
#include "../base/memory.h"
#include "../opencl/entries.h"
#include "../run/backend.h"
#ifdef STABLECL_OPENCL
#include "integrals_device.h"
#endif

/* Integrals, or a computation over a box; the other pointer is NULL. */
struct integrand_job {
    const struct integrals_job *integrals;
    const struct box_job *box;
};

#ifdef STABLECL_OPENCL

static void close_integrals(struct gpu *g, void *state)
{
    integrals_close(g, state);
    memory_release(state);
}

/* Returns what integrals keep on the first device of a session; NULL if memory is short. */
static struct integrals *integrals_of(struct session *session, struct status *st)
{
    struct attachment *a = session_attachment(session);
    if (!a->state) a->state = memory_zeroed(1, sizeof(struct integrals));
    if (a->state) a->close = close_integrals;
    else fail(st, ST_MEMORY, "no memory for integrals on a device");
    return a->state;
}

/* A struct box_job is the first member of the struct for its use. */
static int compute_box(struct integrals *s, struct gpu *g, const struct box_job *job, struct slice *slice,
                       struct status *st)
{
    switch (job->use) {
    case FOR_STRATA: return strata_run(s, g, (const struct strata_job *)job, slice, st);
    case FOR_LATTICE: return lattice_run(s, g, (const struct lattice_job *)job, slice, st);
    case FOR_LINE_SEARCH: return line_search_run(s, g, (const struct line_search_job *)job, slice, st);
    case FOR_POINTS: return points_run(s, g, (const struct points_job *)job, slice, st);
    case FOR_SUBREGIONS: return subregions_run(s, g, (const struct subregions_job *)job, slice, st);
    default: return product_run(s, g, (const struct product_job *)job, slice, st);
    }
}

static int compute_slice(struct session *session, const struct integrand_job *job, struct slice *slice,
                         struct status *st)
{
    struct integrals *s = integrals_of(session, st);
    struct gpu *g = session_gpu(session);

    if (!s) return st->code;
    return job->box ? compute_box(s, g, job->box, slice, st) : integrals_run(s, g, job->integrals, slice, st);
}

static int is_built(struct session *session, const struct integrand_job *job)
{
    const struct integrals *s = session_attachment(session)->state;
    const struct box_job *box = job->box;
    const struct integrand_kernels *kernels = box ? &box_kernels[box->use] : &job->integrals->method->kernels;

    return s && integrand_is_kept(&s->integrands, kernels, box ? box->source : job->integrals->source);
}

#else

/* No device can be opened in a build without OpenCL. */
#define compute_slice NULL
#define is_built      NULL

#endif

int integrals_on_device(const struct integrals_job *job, const char *preference, double seconds, poll_function poll,
                        size_t *done, struct status *st)
{
    struct integrand_job either = { job, NULL };
    struct device_work work = { &either, job->n, (double)job->n, seconds, compute_slice, is_built };
    return device_dispatch(&work, preference, poll, done, st);
}

int box_on_device(const struct box_job *job, double points, const char *preference, double seconds, poll_function poll,
                  int *done, struct status *st)
{
    struct integrand_job either = { NULL, job };
    struct device_work work = { &either, job->shares, points, seconds, compute_slice, is_built };
    size_t shares;

    device_dispatch(&work, preference, poll, &shares, st);
    *done = shares == job->shares;
    return st->code;
}
