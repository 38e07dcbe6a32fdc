/* The OpenCL library, the devices of this machine in a fixed order, and the text of the kernels. */
#ifndef STABLECL_OPENCL_DEVICES_H
#define STABLECL_OPENCL_DEVICES_H

#include "../base/status.h"
#include "entries.h"

#ifdef STABLECL_OPENCL
/* Returns the functions, or NULL, with ST_DEVICE and the reason in *st, if no library with all of them is found.
 * The library is searched for once and stays open until the process ends, because threads and handlers that
 * drivers start do not survive unloading.  The environment variable STABLECL_OPENCL_LIBRARY, an absolute path,
 * replaces the usual names; a relative path would depend on the current folder, where other users may have put a
 * library.  During fault injection the result is the table of fault.h for the calls of this device, by its index in
 * devices_list(); call this function whenever a session is opened. */
const struct cl_table *opencl_table(int device, struct status *st);
#endif

struct device {
#ifdef STABLECL_OPENCL
    cl_platform_id platform;
    cl_device_id id;
#endif
    char platform_name[128], platform_version[128], name[128], vendor[128], version[128], driver[128];
    const char *type;                   /* "GPU", "CPU", "accelerator" or "other" */
    unsigned units;
    double memory, max_alloc;           /* bytes */
    int fp64, is_cpu;
    int single;                         /* usable for jobs in single precision */
    int rounds_quotients;               /* can round quotients in single precision correctly */
    int usable;                         /* usable for jobs in double precision, and so for all jobs */
    char reason[128];                      /* why the device is not usable in double precision, or "" */
};

/* Returns the devices, which are enumerated on first use.  Without an OpenCL library, platform or device their
 * number is 0.  A forked child returns the devices that its parent had found. */
const struct device *devices_list(int *count);

/* Returns why the list is empty, or "" if it is not. */
const char *devices_note(void);

/* devices_are_known() is TRUE if the devices have been enumerated; devices_library() returns the name by which the
 * library was opened, or "" if it was not. */
int devices_are_known(void);
const char *devices_library(void);

/* Makes the next devices_list() enumerate the devices again; for tests. */
void devices_forget(void);

/* The time spent in kernels, for benchmarks.  Off by default, since queues with profiling are slower with some drivers.
 * Applies to sessions opened after it was switched on. */
struct profile {
    int on;
    double seconds;             /* by the device's clock */
    double elements;            /* number of elements for which kernels were started */
    double build, sums, exact;  /* seconds in the three kernels of many.cl */
};

/* Returns the profile of this process; main thread only. */
struct profile *profile_of_process(void);

/* The source text of the kernels.  tools/embed-kernels.R writes it to kernel_source.c, with includes resolved and
 * divided into strings between lines. */
struct kernel_source {
    const char *name;                   /* name of the .cl file, without folder and extension */
    const char *const *string;
    unsigned strings;
    const char *hash;                   /* MD5 hash of the whole text */
};

extern const struct kernel_source kernel_sources[];
extern const int kernel_source_count;

#endif
