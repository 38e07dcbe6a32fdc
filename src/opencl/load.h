/* Opens the OpenCL library on first use. */
#ifndef STABLECL_OPENCL_LOAD_H
#define STABLECL_OPENCL_LOAD_H

#include "../base/status.h"
#include "entries.h"

#ifdef STABLECL_OPENCL

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
