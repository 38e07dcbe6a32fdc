/* backend/opencl/opencl.h: the backend for OpenCL devices. */
#ifndef STABLECL_OPENCL_H
#define STABLECL_OPENCL_H

#include "../backend.h"

extern const struct backend opencl_backend;

#endif
