/* The functions of OpenCL, as the loader found them. */
#ifndef STABLECL_OPENCL_CL_TABLE_H
#define STABLECL_OPENCL_CL_TABLE_H

#include "entries.h"

#ifdef STABLECL_OPENCL

#define STATUS_POINTER(effect, name, parameters, arguments) \
    cl_int (CL_API_CALL *name) parameters;
#define OBJECT_POINTER(effect, type, name, parameters, arguments) \
    type (CL_API_CALL *name) parameters;

/* Function pointers: cl->Finish(queue) calls clFinish(queue). */
struct cl_table {
    STATUS_ENTRIES(STATUS_POINTER)
    OBJECT_ENTRIES(OBJECT_POINTER)
};

#endif
#endif
