/* backend/opencl/opencl.c: stands in for the backend until there are kernels. */
#include "opencl.h"
#include "headers.h"

#ifdef STABLECL_OPENCL

static struct session *not_yet(const struct choice *choice, struct status *st)
{
    (void)choice;
    fail(st, ST_DEVICE, "the kernels are not there yet");
    return NULL;
}

const struct backend opencl_backend = { "opencl", not_yet, NULL, NULL, NULL, NULL, NULL };

#endif
