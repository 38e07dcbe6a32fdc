/* Interpolants in the format that devices read.
 *
 * The interpolants themselves are kept in host memory, like those of the CPU backend.  The current one is stored in
 * the format of run/device/interpolant.cl; a device renews its copy when `version` changes.
 */
#ifndef STABLECL_RUN_DEVICE_COPIES_H
#define STABLECL_RUN_DEVICE_COPIES_H

#include <stddef.h>
#include "shared.h"
#include "../../base/status.h"
#include "../../interpolant/cache.h"
#include "../../interpolant/tensor_approximation.h"
#include "../job.h"

struct interpolant_copy {
    struct interpolants interpolants;
    struct shape_pool shape_pool;       /* builds the interpolants */
    unsigned version;                   /* incremented with every change; 0: none yet */
    double alpha, beta;                 /* of the current interpolant */
    struct packed head;
    unsigned char *data;                /* input of the kernel, `size` bytes */
    size_t size;
};

/* TRUE if the job is evaluated by an interpolant; head and data are then those of its law.  A lack of memory for
 * an interpolant is not a failure. */
int interpolant_copy_serves(struct interpolant_copy *, const struct element_job *);

void interpolant_copy_free(struct interpolant_copy *);

/* Tensor approximations (interpolant/tensor_approximation.h) in the format that devices read.
 *
 * The current approximation is stored in the format of run/device/sums.cl; a device renews its copy when
 * `version` changes.
 */

struct approximation_copy {
    struct approximation approximation;
    unsigned version;                   /* incremented with every change; 0: none yet */
    double alpha, beta;                 /* of the current approximation */
    struct device_approximation head;
    unsigned char *data;                /* input of the kernel, `size` bytes */
    size_t size;
};

/* TRUE if the sums of the job are computed from a tensor approximation; head and data are then those of its law. */
int approximation_copy_serves(struct approximation_copy *, const struct element_job *);

void approximation_copy_free(struct approximation_copy *);

/* --- the tables (interpolant/tensor_approximation.h) in the format that devices read --- */

struct tables_copy {
    struct device_tables at;
    unsigned char *data;                /* `size` bytes; NULL: none */
    size_t size;
    unsigned version;
};

/* Copies the tables on the first call; returns 0 if none are set or memory is short. */
int tables_copy_update(struct tables_copy *);
void tables_copy_free(struct tables_copy *);

#endif
