/* The backend for OpenCL devices. */
#ifndef STABLECL_RUN_DEVICE_SESSION_H
#define STABLECL_RUN_DEVICE_SESSION_H

#include "../backend.h"

extern const struct backend opencl_backend;

#endif
