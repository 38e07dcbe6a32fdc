/* OpenCL calls that fail on demand, for the tests.
 *
 * A table over the real one counts calls, lets some of them fail, can spoil what is
 * read from a device, and keeps count of the objects that are alive.  Calls that wait
 * or release take place even where they report a failure: a device that still writes
 * into freed memory, or an object that nobody can release any more, would be the doing
 * of the injection and not of the code under test.
 * Main thread only.
 */
#ifndef STABLECL_OPENCL_FAULT_H
#define STABLECL_OPENCL_FAULT_H

#include "headers.h"

enum { SPOIL_NOTHING, SPOIL_ALL, SPOIL_NUMBERS };

struct fault_plan {
    double first, last;         /* calls that fail, counted from 1; none if last < first */
    int code;                   /* what they report, such as -5 (CL_OUT_OF_RESOURCES) */
    int spoil;                  /* flip a bit in eight bytes each of what is read, or of its floating-point numbers */
};

/* From here on opencl_table() gives the table of this file. */
void fault_start(const struct fault_plan *plan);

/* Back to the real one; sessions still open keep the other, which now lets all pass. */
void fault_stop(void);

double fault_calls(void);       /* since fault_start() */
double fault_live(void);        /* made or retained through the table, and not released */

#ifdef STABLECL_OPENCL
struct cl_table;
const struct cl_table *fault_table(const struct cl_table *real);
#endif

#endif
