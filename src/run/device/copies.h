/* Data in host memory in the format that kernels read.  A device renews its copy when `version` changes. */
#ifndef STABLECL_RUN_DEVICE_COPIES_H
#define STABLECL_RUN_DEVICE_COPIES_H

#include "../../interpolant/encoding.h"
#include <stddef.h>
#include "shared.h"
#include "../job.h"
#include "../../base/status.h"
#include "../../interpolant/build.h"
#include "../../interpolant/tensor_approximation.h"

/* --- the law that the elements of a batch share, and the node sets built for it (law_store.c) --- */

struct store {
    unsigned version;                   /* incremented with every change; 0: no law yet */
    struct device_shape shape;
    int has_mode;
    int slot[SLOTS];
    struct device_node_set *node_sets;
    int count, node_set_capacity;
    double *nodes;
    int used, node_capacity;                /* numbers of doubles */
};

/* Sets the law of the next batch; node sets of a different law are discarded. */
int store_set(struct store *, double alpha, double beta, int pm, struct status *);

/* Builds the node sets whose slots are marked and empty. */
int store_build(struct store *, const int *marked, struct status *);

void store_free(struct store *);

/* --- interpolants, tensor approximations and tables (copies.c) --- */

/* The input of a kernel, of the shape (alpha, beta) if it belongs to one. */
struct kernel_input {
    unsigned version;                   /* incremented with every change; 0: none yet */
    double alpha, beta;
    unsigned char *data;                /* `size` bytes */
    size_t size;
};

/* The interpolants are kept in host memory, like those of the CPU backend.  The input of interpolant.cl is the one used
 * last. */
struct interpolant_copy {
    struct interpolants interpolants;
    struct shape_pool shape_pool;       /* builds the interpolants */
    struct packed head;
    struct kernel_input input;
    int has_quantiles;                  /* the input is that of a quantile interpolant */
};

/* Sets head and input for the law of the job and returns 1 if the job is evaluated by an interpolant, otherwise 0.  A
 * lack of memory for an interpolant is not a failure. */
int interpolant_copy_update(struct interpolant_copy *, const struct element_job *);

void interpolant_copy_free(struct interpolant_copy *);

/* An interpolant encoded for single.cl (interpolant/encoding.h). */
struct encoded_copy {
    struct encoding encoding;
    struct kernel_input input;
    enum encoded what;
};

/* Encodes the interpolant of the job's law, which is built if necessary, for the output of the job.  Returns NULL if
 * there is none or memory is short; the result is valid until the next call. */
const struct interpolant *encoded_copy_update(struct encoded_copy *, struct interpolant_copy *,
                                              const struct element_job *);
void encoded_copy_free(struct encoded_copy *);

/* A tensor approximation, and the input of sums.cl. */
struct approximation_copy {
    struct approximation approximation;
    struct device_approximation head;
    struct kernel_input input;
};

/* Sets head and input for the law of the job and returns 1 if the job is computed from a tensor approximation, apart
 * from the elements that are deferred; otherwise returns 0. */
int approximation_copy_update(struct approximation_copy *, const struct element_job *);

void approximation_copy_free(struct approximation_copy *);

/* The tables from which many.cl computes tensor approximations. */
struct tables_copy {
    struct device_tables at;
    struct kernel_input input;
};

/* Copies the tables on the first call; returns 0 if none are set or memory is short. */
int tables_copy_update(struct tables_copy *);
void tables_copy_free(struct tables_copy *);

#endif
