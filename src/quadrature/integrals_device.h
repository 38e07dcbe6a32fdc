/* Runs jobs on a device: many integrals, chunk by chunk, and integrands at the points of a box, one launch of a kernel
 * after the other. */
#ifndef STABLECL_QUADRATURE_INTEGRALS_DEVICE_H
#define STABLECL_QUADRATURE_INTEGRALS_DEVICE_H

#include "box_jobs.h"
#include "integrand_programs.h"

#ifdef STABLECL_OPENCL

#include "integrals_shared.h"
#include "../run/device/sharing.h"

/* Buffers and state of the chunk that a stream of the device (run/device/gpu.h) computes. */
struct integrals_chunk {
    struct staged_buffer in, out;
    struct scratch list, subregions;
    struct device_integrals job;
    cl_event done;                      /* NULL: no chunk in progress */
    cl_int flag;                        /* the flag of a partial program, valid after `done` */
    size_t first;                       /* number of the chunk's first integral */
    double issued;                      /* time of issue (threads_clock) */
};

#define POOL_SENT 64

struct integrals {
    struct integrands integrands;
    struct integrals_chunk chunk[GPU_STREAMS];  /* one for each stream */
    struct scratch pool, table;
    double pool_sent[POOL_SENT];        /* contents of `pool`, for box_device.c */
    size_t pool_sent_size;              /* their number; 0: the contents are unknown */
    double completed;                   /* time at which the last chunk was completed */
    size_t last;                        /* size of the last chunk issued */
};

/* Returns the state of integrals on a device of a session; NULL if memory is short. */
struct integrals *integrals_of(struct session *, int device, struct status *);

/* Computes a slice of integrals on all devices, as struct device_work requires. */
int integrals_run(struct session *, const struct integrand_job *, struct slice *, struct status *);

/* Returns the constants and tables that are on a device. */
struct integrand_constants integrals_constants(const struct integrals *, size_t table_size);

/* Copies constants or tables of the program to device memory. */
int integrals_copy(struct gpu *, struct scratch *to, const double *from, size_t count, struct status *);

/* Return the number of the stream whose chunk is to be completed next, and of a stream with no chunk in progress; -1 if
 * there is none. */
int integrals_oldest_chunk(const struct integrals *);
int integrals_free_stream(const struct integrals *);

/* Waits for a chunk in progress. */
int integrals_wait(struct gpu *, struct integrals_chunk *, struct status *);

/* Waits for all chunks in progress and discards their results. */
void integrals_abandon(struct integrals *, struct gpu *);

/* --- points of a box (box_device.c) --- */

/* Returns the description of the box that is passed to the kernels. */
struct device_box box_of(const struct box_job *);

/* Launches a kernel with `groups` groups of `local` work items.  Its arguments are the job, the input buffer, the
 * constants, the tables and the output buffer. */
int box_start(struct integrals *, struct gpu *, cl_kernel, const void *job, size_t job_size, size_t groups,
              size_t local, struct status *);

/* The launch of some shares of a job on a device: run() of struct box_work launches the kernels and reads the
 * results.  box: the job of the backend interface, a struct whose first member is this; job: the device's own copy of
 * the job as its kernels read it. */
struct box_launch {
    struct integrals *integrals;
    struct gpu *gpu;
    struct integrand *integrand;
    const struct box_job *box;
    void *job;
};

/* A job over a box for all devices of a session.  The input of the kernels is the box and then `more`.  points_cpu:
 * largest number of points of a kernel launch on CPU devices; share_points: those of a share.  is_alone: one device
 * computes all shares. */
struct box_work {
    const struct box_job *box;
    const void *job, *more;
    size_t job_size, more_size, out_size;
    double points_cpu, share_points;
    int is_alone;
    int (*run)(const struct box_launch *, size_t first, size_t shares, struct status *);
    struct integrand *integrand[SELECTION_MAX];     /* the program on each device, set by box_share() */
};

/* Computes the shares of a slice on as many devices as it occupies, and sets slice->done.  Returns ST_OK or a failure
 * code. */
int box_share(struct session *, struct box_work *, struct slice *, struct status *);

/* Waits for the kernels and returns `size` bytes of the output buffer, from byte `from` on.  They are valid until the
 * next call.  NULL after a failure, and if the program is insufficient. */
const char *box_read(const struct box_launch *, size_t from, size_t size, struct status *);

/* Compute a slice of a job and set slice->done.  Return ST_OK or a failure code. */
int strata_run(struct session *, const struct strata_job *, struct slice *, struct status *);
int lattice_run(struct session *, const struct lattice_job *, struct slice *, struct status *);
int line_search_run(struct session *, const struct line_search_job *, struct slice *, struct status *);
int subregions_run(struct session *, const struct subregions_job *, struct slice *, struct status *);
int points_run(struct session *, const struct points_job *, struct slice *, struct status *);
int steppers_run(struct session *, const struct steppers_job *, struct slice *, struct status *);
int product_run(struct session *, const struct product_job *, struct slice *, struct status *);

#endif
#endif
