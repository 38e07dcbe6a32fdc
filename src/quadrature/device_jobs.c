#include "integrand_jobs.h"
#include "../opencl/entries.h"
#ifdef STABLECL_OPENCL
#include "integrals_device.h"

/* A struct box_job is the first member of the struct for its use. */
static int box_run(struct session *session, const struct integrand_job *of, struct slice *slice, struct status *st)
{
    struct integrals *s = integrals_of(session, st);
    struct gpu *g = session_gpu(session);
    const struct box_job *job = of->box;

    if (!s) return st->code;
    switch (job->use) {
    case FOR_STRATA: return strata_run(s, g, (const struct strata_job *)job, slice, st);
    case FOR_LATTICE: return lattice_run(s, g, (const struct lattice_job *)job, slice, st);
    case FOR_LINE_SEARCH: return line_search_run(s, g, (const struct line_search_job *)job, slice, st);
    case FOR_POINTS: return points_run(s, g, (const struct points_job *)job, slice, st);
    case FOR_SUBREGIONS: return subregions_run(s, g, (const struct subregions_job *)job, slice, st);
    default: return product_run(s, g, (const struct product_job *)job, slice, st);
    }
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
#define box_run       NULL
#define integrals_run NULL
#define is_built      NULL

#endif

struct device_work device_work_of(const struct integrand_job *job, double size, double seconds)
{
    if (job->box) return (struct device_work){ job, job->box->shares, size, seconds, box_run, is_built };
    return (struct device_work){ job, job->integrals->n, size, seconds, integrals_run, is_built };
}
