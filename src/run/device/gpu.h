/* One device in use: context, programs, queues and buffers; and jobs on all devices in use.
 *
 * All functions return 0 or the code of a failure, which is described in *st.
 */
#ifndef STABLECL_RUN_DEVICE_GPU_H
#define STABLECL_RUN_DEVICE_GPU_H

#include "copies.h"
#include "../../opencl/devices.h"

/* Number of chunks in progress: one is copied to the device, one computed, one copied back. */
#define GPU_STREAMS 3

#define COLUMNS 6                       /* x or p, alpha, beta, gamma, delta, weight */

enum gpu_kernel {
    EVAL_ONE, QUANTILE_ONE, EVAL_EACH, QUANTILE_EACH, RANDOM_ONE, RANDOM_EACH, EVAL_INTERPOLANT, SUM_BLOCKS,
    ORDER_COUNT, ORDER_BEGIN, ORDER_PLACE, APPROXIMATE_SUMS_OF_BLOCKS, MANY_BUILD, MANY_SUMS, MANY_EXACT, MODE_STANDARD,
    MODE_EACH, APPROXIMATE_ROWS, SCORE_EACH, SCORE_SLOPES, QUANTILE_INTERPOLANT, SINGLE_VALUES, RANDOM_SINGLE,
    SINGLE_SUMS, GPU_KERNELS
};

/* TRUE for the kernels of interpolant.cl, which list the elements outside the interpolant. */
static inline int is_interpolating(enum gpu_kernel k)
{
    return k == EVAL_INTERPOLANT || k == QUANTILE_INTERPOLANT;
}

/* TRUE for kernels that list elements for a fallback kernel. */
static inline int has_fallback(enum gpu_kernel k)
{
    return is_interpolating(k) || k == APPROXIMATE_ROWS;
}

/* Returns the fallback kernel, which computes the elements that kernel k lists. */
static inline enum gpu_kernel fallback_of(enum gpu_kernel k)
{
    return k == EVAL_INTERPOLANT ? EVAL_ONE : k == QUANTILE_INTERPOLANT ? QUANTILE_ONE : SCORE_EACH;
}

/* The programs.  A kernel that calls long functions is a program of its own, because drivers compile these functions
 * anew for each kernel. */
enum gpu_program {
    EVAL_ONE_CL, QUANTILE_ONE_CL, EVAL_EACH_CL, QUANTILE_EACH_CL, ORDER_CL, RANDOM_CL, INTERPOLANT_CL, SUMS_CL, MANY_CL,
    MANY_EXACT_CL, MODE_CL, SCORE_CL, SLOPES_CL, SINGLE_CL, RANDOM_SINGLE_CL,
    SUMS_SINGLE_CL, GPU_PROGRAMS
};

/* Device memory, and pinned host memory of the same size for copying from or to it. */
struct staged_buffer {
    size_t size;                        /* bytes; 0: not allocated */
    cl_mem device, pinned;
    void *host;                         /* mapped address of `pinned` */
};

/* Memory used only on the device. */
struct scratch {
    size_t size;                        /* bytes; 0: not allocated */
    cl_mem device;
};

/* Copy of a kernel_input. */
struct replica {
    cl_mem device;
    size_t capacity;
    unsigned version;                   /* version of the input copied */
};

/* Largest number of kernels in a chunk: interpolant, node sets and sums; or three that sort, two for
 * modes, and one. */
#define KERNEL_EVENTS 6

/* A command queue with the buffers of the chunk that it processes; chunks in different streams overlap in time. */
struct stream {
    cl_command_queue queue;
    struct staged_buffer column[COLUMNS], out, sums, flags, missing, requests;
    struct scratch state, index, bins, approximations, modes;
    int all_done;                       /* all states are STATE_DONE */
    cl_event done;                      /* NULL: no chunk in progress */
    cl_event event[KERNEL_EVENTS];         /* events of the kernels, if profiling is on */
    size_t first;
    struct device_job job;
    double enqueued;                    /* time of enqueueing (threads_clock) */
    unsigned long sequence;             /* number of chunks enqueued before */
};

struct gpu {
    const struct cl_table *cl;
    const struct device *device;
    cl_context context;
    cl_program program[GPU_PROGRAMS];
    cl_kernel kernel[GPU_KERNELS];
    size_t local[GPU_KERNELS];          /* work-group sizes */
    struct stream stream[GPU_STREAMS];
    cl_mem shape, node_sets, slot, nodes;  /* copy of a store */
    size_t node_sets_size, nodes_size;
    unsigned version;                   /* version of the store copied; 0: none */
    struct replica interpolant, approximation, tables;  /* copies of interpolant_copy, approximation_copy and
                                                           tables_copy */
    struct replica encoded;             /* copy of encoded_copy */
    cl_mem data;                        /* a whole column, kept for later jobs */
    unsigned long data_number;          /* 0: none */
    size_t data_capacity;                   /* doubles that fit into `data` */
    double rate;                        /* recent elements per second; 0: unknown */
    double completed;                   /* completion time of the last chunk (threads_clock) */
    int last;                           /* size of the last chunk enqueued */
};

int  gpu_open(struct gpu *, const struct cl_table *, const struct device *, struct status *);

/* Waits for the commands in progress and frees everything; works in any state of the device. */
void gpu_close(struct gpu *);

/* --- programs and kernels (programs.c) --- */

/* Builds the kernel, if necessary, and determines its work-group size. */
int  gpu_prepare(struct gpu *, enum gpu_kernel, struct status *);

/* Returns the source text of the kernels with this name, or NULL. */
const struct kernel_source *kernel_source_of(const char *name);

/* Builds a program from the strings of its text, or from the binary that an earlier process has kept of the same text
 * (builds.c); `name` is used in messages.  Returns ST_INTERRUPTED if the user does not wait for it, and ST_BUSY if the
 * caller is not to wait (base/background.h). */
int  gpu_build(struct gpu *, cl_uint strings, const char *const *string, int is_single, const char *name, cl_program *,
               struct status *);

/* Abandons the builds in progress of a device that is about to be closed. */
void builds_abandon(const struct gpu *);

/* Determines the work-group size for a kernel. */
int  gpu_local(struct gpu *, cl_kernel, size_t *local, struct status *);

/* --- memory (gpu.c) --- */

/* Updates the device's copy of the store. */
int  gpu_update_store(struct gpu *, const struct store *, struct status *);

/* Updates the device's copy of an input. */
int  gpu_update_replica(struct gpu *, struct replica *, const struct kernel_input *, struct status *);

/* Copies a column to g->data and keeps it under its number, if the device has enough memory.  A small buffer is kept
 * for the next column. */
int  gpu_keep_data(struct gpu *, unsigned long number, const double *x, size_t n, struct status *);
void gpu_discard_data(struct gpu *);

static inline int gpu_has_data(const struct gpu *g, unsigned long number)
{
    return number > 0 && g->data_number == number;
}

/* Ensure that a staged buffer or scratch memory has at least `size` bytes. */
int  gpu_reserve(struct gpu *, struct stream *, struct staged_buffer *, size_t size, struct status *);
int  gpu_reserve_scratch(struct gpu *, struct scratch *, size_t size, struct status *);
void gpu_release_staged(struct gpu *, struct stream *, struct staged_buffer *);
void gpu_release_scratch(struct gpu *, struct scratch *);

/* Adds the time that a kernel took, and releases its event. */
int  gpu_add_time(struct gpu *, cl_event event, double *seconds, struct status *);

/* Returns ST_DEVICE with the name of the error, unless it is CL_SUCCESS. */
int  gpu_check(cl_int error, const char *what, struct status *);

/* --- jobs on all devices in use (pipeline.c, many.c) ---
 *
 * A batch is processed in chunks.  Each device has several streams: while the chunk of one stream is computed, that of
 * another is copied to the device and that of a third is copied back.  All streams take their chunks from one batch, so
 * that faster devices process more of them.
 */

/* A job in terms of kernels and columns. */
struct batch {
    size_t n;
    enum gpu_kernel kernel, retry, each;   /* `retry` computes elements whose node sets were missing, `each` those
                                              that `kernel` leaves as STATE_NO_CELL */
    const struct kernel_input *interpolant;    /* used if is_interpolating(kernel) */
    const struct kernel_input *approximation;  /* used if it is APPROXIMATE_SUMS_OF_BLOCKS or
                                               APPROXIMATE_ROWS */
    struct column column[COLUMNS];      /* x or p, alpha, beta, gamma, delta, weight; length 0: none */
    struct device_job job;              /* n and first are set for each chunk */
    double *out[OUTPUTS];               /* in the order of write_values() */
    int outs;
    int needs_slopes;                   /* slopes.cl computes the derivatives of these modes */
    int needs_modes;                    /* mode.cl computes the modes of the standard distributions first */
    double *sum;                        /* block sums (special/double_double.h) instead of `out`; NULL: none */
    size_t sums;                        /* sums per block */
    struct deferred *deferred;          /* receives the elements that the host evaluates */
    unsigned long data;                 /* number under which x is kept; 0: not kept */
};

struct pipeline {
    struct gpu *gpus;
    int count;
    struct store *store;
    unsigned long sequence;             /* chunks enqueued so far */
    int at;                             /* device on which the last command was enqueued or awaited */
};

/* Processes the batch from slice->first on for about slice->seconds. */
int pipeline_run(struct pipeline *, const struct batch *, struct slice *, struct status *);

/* Computes as many requests from slice->first on as make a slice, shared among the devices (sharing.h), which must hold
 * the samples. */
int many_run(struct session *, const struct tables_copy *, const struct many_job *, struct slice *, struct status *);

/* Computes elements from slice->first on in single precision, shared among the devices (single.c). */
int single_run(struct session *, struct encoded_copy *, struct interpolant_copy *, const struct element_job *,
               struct slice *, struct status *);

/* --- sessions on devices (session.c) --- */

/* State that a higher layer keeps on a device of a session, such as the programs of integrands.  close(), if it is set,
 * frees the state before the device is closed. */
struct attachment {
    void *state;
    void (*close)(struct gpu *, void *state);
};

/* Returns the number of devices of a session. */
int session_devices(const struct session *);

/* Return a device of a session, by its number in the session from 0 on, and its attachment. */
struct gpu *session_gpu(struct session *, int device);
struct attachment *session_attachment(struct session *, int device);

/* Prepares `count` kernels on all devices of a session, on the calling thread, which may be interrupted.  A thread for
 * each program would save little: NVIDIA's driver builds one at a time (5.0 s instead of 5.7 s for two programs on an
 * H100; the two programs of an integral of pf() by "gk" took 1.6 s one after the other, 2.0 s on two threads of one
 * context and 1.6 s in two contexts, H200, driver 580). */
int session_prepare(struct session *, const enum gpu_kernel *, int count, struct status *);

/* Adds the device to the message of its failure if the session has several; returns the code. */
int session_name_failure(struct session *, int device, struct status *);

#endif
