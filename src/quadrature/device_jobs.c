#include "integrand_jobs.h"
#include "../base/memory.h"
#include "../opencl/entries.h"
#include "../run/device_dispatch.h"
#ifdef STABLECL_OPENCL
#include "box_device.h"
#include "../run/device/session.h"

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

static int integrals_slice(struct session *session, const void *job, struct slice *slice, struct status *st)
{
    struct integrals *s = integrals_of(session, st);
    if (!s) return st->code;
    return integrals_run(s, session_gpu(session), job, slice, st);
}

/* `job` begins with a struct box_job, whose member `use` is its tag. */
static int box_slice_of(struct session *session, const void *job, struct slice *slice, struct status *st)
{
    struct integrals *s = integrals_of(session, st);
    struct gpu *g = session_gpu(session);

    if (!s) return st->code;
    switch (((const struct box_job *)job)->use) {
    case FOR_STRATA: return strata_run(s, g, job, slice, st);
    case FOR_LATTICE: return lattice_run(s, g, job, slice, st);
    case FOR_LINE_SEARCH: return line_search_run(s, g, job, slice, st);
    case FOR_SUBREGIONS: return subregions_run(s, g, job, slice, st);
    default: return product_run(s, g, job, slice, st);
    }
}

static int is_kept(struct session *session, const struct integrand_kernels *kernels, const char *source)
{
    const struct integrals *s = session_attachment(session)->state;
    return s && integrand_is_kept(&s->integrands, kernels, source);
}

static int integrals_are_built(struct session *session, const void *job)
{
    const struct integrals_job *j = job;
    return is_kept(session, &j->method->kernels, j->source);
}

static int box_is_built(struct session *session, const void *job)
{
    const struct box_job *j = job;
    return is_kept(session, &box_kernels[j->use], j->source);
}

#else

/* No device can be opened in a build without OpenCL. */
#define integrals_slice     NULL
#define integrals_are_built NULL
#define box_slice_of        NULL
#define box_is_built        NULL

#endif

int integrals_on_device(const struct integrals_job *job, const char *preference, double seconds, poll_function poll,
                        size_t *done, struct status *st)
{
    struct device_work work = { job, job->n, (double)job->n, seconds, integrals_slice, integrals_are_built };
    return device_dispatch(&work, preference, poll, done, st);
}

int box_on_device(const struct box_job *job, double points, const char *preference, double seconds, poll_function poll,
                  int *done, struct status *st)
{
    struct device_work work = { job, job->shares, points, seconds, box_slice_of, box_is_built };
    size_t shares;

    device_dispatch(&work, preference, poll, &shares, st);
    *done = shares == job->shares;
    return st->code;
}
