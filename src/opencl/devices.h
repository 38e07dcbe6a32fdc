/* The devices of this machine, in a fixed order. */
#ifndef STABLECL_OPENCL_DEVICES_H
#define STABLECL_OPENCL_DEVICES_H

#include "headers.h"

struct device {
#ifdef STABLECL_OPENCL
    cl_platform_id platform;
    cl_device_id id;
#endif
    char platform_name[128], name[128], version[128], driver[128];
    const char *type;                   /* "GPU", "CPU", "accelerator" or "other" */
    unsigned units;
    double memory, max_alloc;           /* bytes */
    int fp64, usable, is_cpu;
    char why[128];                      /* why it is not usable, or "" */
};

/* Looked for on first use.  A machine without library, platform or device has 0 of
 * them, and a forked child those that its parent had found. */
const struct device *devices_list(int *count);

/* Why there are none; "" if there are some. */
const char *devices_note(void);

/* Has anybody looked?  And the library that was opened then; "" if none. */
int devices_are_known(void);
const char *devices_library(void);

/* Makes the next devices_list() look again; for the tests. */
void devices_forget(void);

#endif
