/* The OpenCL backend. */
#ifndef STABLECL_RUN_DEVICE_SESSION_H
#define STABLECL_RUN_DEVICE_SESSION_H

#include "../job.h"

extern const struct backend opencl_backend;

struct gpu;

/* State that a higher layer keeps on the first device of a session, such as the programs of integrands.  close(), if it
 * is set, frees the state before the device is closed. */
struct attachment {
    void *state;
    void (*close)(struct gpu *, void *state);
};

/* Returns the first device of a session. */
struct gpu *session_gpu(struct session *);

struct attachment *session_attachment(struct session *);

#endif
