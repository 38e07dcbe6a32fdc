/* backend/opencl/lattice.c: shares of lattices go to a device many at a time, and 48 bytes for each come back.  The
 * values themselves stay there; bins are filled from them when all have been computed. */
#include <string.h>
#include "headers.h"
#ifdef STABLECL_OPENCL
#include "lattice.h"
#include "box.h"
#include "../threads.h"

/* Points of a kernel's run. */
#define POINTS     ((size_t)1 << 27)
#define POINTS_CPU ((size_t)1 << 18)

static struct device_lattice job_of(const struct lattice_job *j)
{
    struct device_lattice d;
    memset(&d, 0, sizeof d);
    d.box = box_of(&j->box);
    d.shares = (int)j->shares;
    d.share_bits = j->share_bits;
    d.m = j->m;
    d.periodic = j->periodic;
    d.first_point = j->first;
    d.step = j->step;
    d.points = j->points;
    d.binned = j->histogram != NULL;
    return d;
}

static size_t bins_of(const struct lattice_job *j)
{
    return j->histogram ? (size_t)j->box.dim * WARP_BINS : 0;
}

/* Shares from `first` on; with the last of them come the bins. */
static int run_some(struct integrals *s, struct gpu *g, struct integrand *f, const struct lattice_job *j,
                    struct device_lattice *d, size_t first, size_t shares, struct status *st)
{
    size_t bins = first + shares == j->shares ? bins_of(j) : 0;
    size_t size = shares * sizeof *j->share, bin_size = bins * sizeof *j->histogram;
    const char *out;

    d->first = (int)first;
    if (box_start(s, g, f->kernel[LATTICE_SUMS], d, sizeof *d, shares, BOX_LANES, st) ||
        (bins && box_start(s, g, f->kernel[LATTICE_BINS], d, sizeof *d, bins, BOX_LANES, st)) ||
        !(out = box_read(s, g, first * sizeof *j->share, size + bin_size, st)))
        return st->code;
    memcpy(j->share + first, out, size);
    if (bins) memcpy(j->histogram, out + size, bin_size);
    return ST_OK;
}

int lattice_run(struct integrals *s, struct gpu *g, const struct lattice_job *j, struct slice *slice, struct status *st)
{
    double stop = threads_clock() + slice->seconds;
    size_t next = slice->first, most = (g->device->is_cpu ? POINTS_CPU : POINTS) >> j->share_bits;
    size_t doubles = bins_of(j) + (j->histogram ? j->points : 0);
    struct device_lattice job = job_of(j);
    struct integrand *f = NULL;

    if (box_begin(s, g, &j->box, j->shift, (size_t)j->shifts * AXES_MOST * sizeof *j->shift,
                  j->shares * sizeof *j->share + doubles * sizeof(double), &f, st))
        return st->code;
    while (next < j->shares && (next == slice->first || threads_clock() < stop)) {
        size_t shares = j->shares - next < most ? j->shares - next : most;
        if (run_some(s, g, f, j, &job, next, shares, st)) return st->code;
        next += shares;
    }
    slice->done = next - slice->first;
    return ST_OK;
}

#endif
