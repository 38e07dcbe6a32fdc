/* The work of a job with an integrand: the function that computes it on the devices of a session, and whether they have
 * its program. */
#include "../opencl/entries.h"
#include "integrand_jobs.h"
#ifdef STABLECL_OPENCL
#include "integrals_device.h"

/* A struct box_job is the first member of the struct for its use. */
static int box_run(struct session *session, const struct integrand_job *of, struct slice *slice, struct status *st)
{
    const struct box_job *job = of->box;

    switch (job->use) {
    case FOR_STRATA: case FOR_STRATA_SINGLE: return strata_run(session, (const struct strata_job *)job, slice, st);
    case FOR_LATTICE: case FOR_LATTICE_SINGLE: return lattice_run(session, (const struct lattice_job *)job, slice, st);
    case FOR_LINE_SEARCH: return line_search_run(session, (const struct line_search_job *)job, slice, st);
    case FOR_POINTS: return points_run(session, (const struct points_job *)job, slice, st);
    case FOR_SCAQ:
    case FOR_FORWARD: return steppers_run(session, (const struct steppers_job *)job, slice, st);
    case FOR_SUBREGIONS: return subregions_run(session, (const struct subregions_job *)job, slice, st);
    default: return product_run(session, (const struct product_job *)job, slice, st);
    }
}

/* TRUE if all devices have the program. */
static int is_built(struct session *session, const struct integrand_job *job)
{
    const struct box_job *box = job->box;
    const struct integrand_kernels *kernels = box ? &box_kernels[box->use] : &job->integrals->method->kernels;
    const char *source = box ? box->source : job->integrals->source;
    int found = 1;

    for (int d = 0; d < session_devices(session) && found; d++) {
        const struct integrals *s = session_attachment(session, d)->state;
        found = s && integrand_is_cached(&s->integrands, kernels, source);
    }
    return found;
}

#else

/* No device can be opened in a build without OpenCL. */
#define box_run       NULL
#define integrals_run NULL
#define is_built      NULL

#endif

struct device_work device_work_of(const struct integrand_job *job, double size, double seconds)
{
    if (job->box) {
        enum precision precision = is_single_use(job->box->use) ? PRECISION_SINGLE : PRECISION_DOUBLE;
        return (struct device_work){ job, precision, job->box->shares, size, seconds, box_run, is_built };
    }
    return (struct device_work){ job, PRECISION_DOUBLE, job->integrals->n, size, seconds, integrals_run, is_built };
}
