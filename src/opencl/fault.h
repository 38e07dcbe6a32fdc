/* Injects failures of OpenCL calls, for tests.
 *
 * A table of wrappers around the real functions counts calls, makes some of them fail, can alter data read from a
 * device, and counts the objects in use.  Calls that wait or release are executed even if they report a failure:
 * otherwise a device could write into freed memory, or an object could leak, because of the injection and not
 * because of the code under test.  The first device and all others have a table each, so that calls can be counted, and
 * fail, on one of two devices.  Calls may come from several threads; the functions below are for the main thread.
 */
#ifndef STABLECL_OPENCL_FAULT_H
#define STABLECL_OPENCL_FAULT_H

#include "entries.h"

/* The device whose calls are meant: the first in the list of devices, the others, or any. */
enum { FAULT_FIRST, FAULT_OTHERS, FAULT_TABLES, FAULT_ANY = FAULT_TABLES };

enum { CORRUPT_NOTHING, CORRUPT_ALL, CORRUPT_NUMBERS };

struct fault_plan {
    double first, last;         /* calls that fail, counted from 1; none if last < first */
    int code;                   /* the code they return, such as -5 (CL_OUT_OF_RESOURCES) */
    int corrupt;                  /* flip a bit in each eight bytes read (CORRUPT_ALL), or only in those that hold
                                   doubles (CORRUPT_NUMBERS) */
    int device;                 /* whose calls are numbered and fail: FAULT_ANY or one of the others */
};

/* Makes opencl_table() return the wrappers from now on. */
void fault_start(const struct fault_plan *plan);

/* Makes opencl_table() return the real functions again.  Sessions that are still open keep the wrappers, which
 * no longer cause failures. */
void fault_stop(void);

/* Lets all devices appear to lack double precision: they report none, and refuse programs that contain the word
 * "double" outside comments.  Applies to devices that are enumerated, and sessions that are opened, from now on. */
void fault_hide_double(int hidden);

/* Makes builds of programs wait until this is ended, for sessions opened from now on. */
void fault_hold_builds(int held);

/* Makes drivers build programs without optimisation until this is ended, for sessions opened from now on. */
void fault_disable_optimisation(int plain);

double fault_calls(void);       /* calls since fault_start(), of the devices of the plan */
double fault_launches(int device);  /* launches of kernels since then */

/* Returns the number of calls of function number k on any device since fault_start(), and its name without the prefix
 * "cl"; *name is NULL if there are only k functions. */
double fault_calls_of(int k, const char **name);

double fault_live(void);        /* objects created or retained through the wrappers and not released */

#ifdef STABLECL_OPENCL
const struct cl_table *fault_table(const struct cl_table *real, int device);
#endif

#endif
