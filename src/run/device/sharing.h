/* Shares the parts of a slice, such as integrals or blocks of points, among all devices of a session.
 *
 * Each device has a host thread and takes the next parts from a common counter whenever it can hold more, so that
 * faster devices compute more of them.  Results must not depend on which device computes a part, nor on how many parts
 * are taken at a time: a part is computed alike on every device, and sums over parts are added by the caller in the
 * order of the parts.
 */
#ifndef STABLECL_RUN_DEVICE_SHARING_H
#define STABLECL_RUN_DEVICE_SHARING_H

#include "gpu.h"

#ifdef STABLECL_OPENCL

struct shared_parts {
    size_t n, first, next;              /* parts of the job; first part of the slice; first part not taken, or a number
                                           above n (atomic) */
    int devices;
    struct stop_flag stop;              /* a failure of a device, or the end of the slice's time */
};

/* Returns the number of parts to take if a device would take `wanted` of many: fewer towards the end, but at least
 * `minimum`, so that all devices finish at about the same time. */
size_t shared_parts_count(const struct shared_parts *, size_t wanted, size_t minimum);

/* Assigns up to `wanted` parts to the caller and sets *first to the first of them.  Returns their number; 0 if none is
 * left, if the time of the slice is over, or if a device has failed. */
size_t shared_parts_next(struct shared_parts *, size_t wanted, size_t *first);

/* Takes parts until there are none, and completes them on a device, by its number in the session.  Returns ST_OK or the
 * code of a failure. */
typedef int device_body(void *context, struct session *, int device, struct shared_parts *, struct status *);

/* Runs the body for the first `devices` devices of the session and sets slice->done.  Returns ST_OK or the code of the
 * first failure, whose message then names the device; the parts of the slice must then be computed again. */
int session_share(struct session *, int devices, size_t parts, device_body *, void *context, struct slice *,
                  struct status *);

#endif
#endif
