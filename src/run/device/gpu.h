/* One device in use: context, programs, queues and buffers.
 *
 * All functions return 0 or the code of the failure described in *st.
 */
#ifndef STABLECL_RUN_DEVICE_GPU_H
#define STABLECL_RUN_DEVICE_GPU_H

#include "interpolant_copy.h"
#include "../../opencl/devices.h"
#include "approximation_copy.h"
#include "../../opencl/load.h"
#include "tensor_tables_copy.h"
#include "law_store.h"

/* Chunks in flight: one is copied in, one computed, one copied out. */
#define GPU_LANES 3

#define COLUMNS 6                       /* x or p, alpha, beta, gamma, delta, weight */

enum gpu_kernel {
    EVAL_ONE, QUANTILE_ONE, EVAL_EACH, QUANTILE_EACH, RANDOM_ONE, RANDOM_EACH, EVAL_INTERPOLANT, EVAL_REST,
    SUM_BLOCKS, ORDER_COUNT, ORDER_BEGIN, ORDER_PLACE, APPROXIMATE_SUMS_OF_BLOCKS,
    MANY_DRAW, MANY_SUMS, MANY_EXACT, GPU_KERNELS
};

/* one.cl, each.cl, random.cl, interpolant.cl, blocks.cl, order.cl, approximate.cl, many.cl */
#define GPU_PROGRAMS 8

/* Device memory, and pinned memory of the same size that it is copied from or to. */
struct mirror {
    size_t size;                        /* bytes; 0: not there */
    cl_mem device, pinned;
    void *host;                         /* of `pinned`, mapped */
};

/* Memory of the device's own. */
struct scratch {
    size_t size;                        /* bytes; 0: not there */
    cl_mem device;
};

/* Copy of data that the host keeps. */
struct replica {
    cl_mem device;
    size_t room;
    unsigned version;                   /* of what is copied */
};

/* Kernels of a chunk at most: chart, panels, sums; or three that order, and one. */
#define RAN 4

/* What a chunk needs; chunks of different lanes overlap. */
struct lane {
    cl_command_queue queue;
    struct mirror column[COLUMNS], out, sums, flags, missing, requests, left;
    struct scratch state, index, bins, approximations;
    int all_done;                       /* state holds nothing but STATE_DONE */
    cl_event done;                      /* NULL: nothing in flight */
    cl_event ran[RAN];                  /* the kernels, if times are kept */
    size_t first;
    struct device_job job;
    double issued;                      /* when (threads_clock) */
    unsigned long turn;                 /* chunks issued before */
};

struct gpu {
    const struct cl_table *cl;
    const struct device *device;
    cl_context context;
    cl_program program[GPU_PROGRAMS];
    cl_kernel kernel[GPU_KERNELS];
    size_t local[GPU_KERNELS];          /* work items in a group */
    struct lane lane[GPU_LANES];
    cl_mem shape, node_sets, slot, nodes;  /* copy of a store */
    size_t node_sets_size, nodes_size;
    unsigned version;                   /* of the store copied; 0: none */
    struct replica interpolant, approximation, tables;  /* of an atlas, a drawing and a print */
    cl_mem data;                        /* a whole column, kept for the next jobs */
    unsigned long data_number;          /* 0: none */
    double rate;                        /* elements per second of late; 0: not known */
    double completed;                   /* when the last chunk came back */
    int last;                           /* size of the last chunk issued */
};

int  gpu_open(struct gpu *, const struct cl_table *, const struct device *, struct status *);

/* Waits for what is in flight and frees everything, whatever state the device is in. */
void gpu_close(struct gpu *);

/* The kernel is built and its work-group size known. */
int  gpu_prepare(struct gpu *, enum gpu_kernel, struct status *);

/* A program from lines of text, called `name` where it does not build. */
int  gpu_build(struct gpu *, cl_uint lines, const char *const *line, const char *name, cl_program *, struct status *);

/* The work-group size for a kernel. */
int  gpu_local(struct gpu *, cl_kernel, size_t *local, struct status *);

/* The device's copy of the store is up to date. */
int  gpu_follow(struct gpu *, const struct store *, struct status *);

/* The same for data of another kind. */
int  gpu_replicate(struct gpu *, struct replica *, const void *data, size_t size, unsigned version, struct status *);

/* Keeps a column under its number, if there is room; chunks then find it in g->data. */
int  gpu_keep(struct gpu *, unsigned long number, const double *x, size_t n, struct status *);
void gpu_forget(struct gpu *);

static inline int gpu_has(const struct gpu *g, unsigned long number)
{
    return number > 0 && g->data_number == number;
}

/* The mirror has at least so many bytes. */
int  gpu_fit(struct gpu *, struct lane *, struct mirror *, size_t size, struct status *);
int  gpu_fit_scratch(struct gpu *, struct scratch *, size_t size, struct status *);
void gpu_drop_mirror(struct gpu *, struct lane *, struct mirror *);
void gpu_drop_scratch(struct gpu *, struct scratch *);

/* Adds the time that a kernel took, and releases its event. */
int  gpu_add_time(struct gpu *, cl_event ran, double *seconds, struct status *);

/* ST_DEVICE with the name of the error, unless it is CL_SUCCESS. */
int  gpu_check(cl_int error, const char *what, struct status *);

#endif
