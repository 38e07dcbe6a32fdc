/* The OpenCL library, opened on first use. */
#ifndef STABLECL_OPENCL_LOAD_H
#define STABLECL_OPENCL_LOAD_H

#include "../base/status.h"
#include "entries.h"

#ifdef STABLECL_OPENCL

#define STATUS_POINTER(effect, name, parameters, arguments) \
    cl_int (CL_API_CALL *name) parameters;
#define OBJECT_POINTER(effect, type, name, parameters, arguments) \
    type (CL_API_CALL *name) parameters;

/* cl->Finish(queue) is clFinish(queue). */
struct cl_table {
    STATUS_ENTRIES(STATUS_POINTER)
    OBJECT_ENTRIES(OBJECT_POINTER)
};

/* NULL, with ST_DEVICE and the reason in *st, if this machine has no library with all
 * entries.  The library is looked for once, and stays open until the process ends: what
 * drivers have started (threads, handlers) does not survive being unloaded.
 * The environment variable STABLECL_OPENCL_LIBRARY, an absolute path, replaces the usual names: a relative one would
 * depend on the current folder, where anybody may have put a library.
 * While faults are injected (fault.h) it is their table that comes back; ask again
 * whenever a session is opened. */
const struct cl_table *opencl_table(struct status *st);

/* The name by which it was opened; "" if it was not. */
const char *opencl_library(void);

#endif
#endif
