/* Opens the OpenCL library on first use. */
#ifndef STABLECL_OPENCL_LOAD_H
#define STABLECL_OPENCL_LOAD_H

#include "../base/status.h"
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

/* Returns the functions, or NULL, with ST_DEVICE and the reason in *st, if no library with all of them is found.
 * The library is searched for once and stays open until the process ends, because threads and handlers that
 * drivers start do not survive unloading.  The environment variable STABLECL_OPENCL_LIBRARY, an absolute path,
 * replaces the usual names; a relative path would depend on the current folder, where other users may have put a
 * library.  During fault injection the result is the table of fault.h; call this function whenever a session is
 * opened. */
const struct cl_table *opencl_table(struct status *st);

/* Returns the name by which the library was opened, or "" if it was not. */
const char *opencl_library(void);

#endif
#endif
