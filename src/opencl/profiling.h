/* Measures the time spent in kernels, for benchmarks.
 *
 * Off by default, since queues with profiling are slower with some drivers.  Applies to sessions opened after it
 * was switched on.
 */
#ifndef STABLECL_OPENCL_PROFILING_H
#define STABLECL_OPENCL_PROFILING_H

struct profile {
    int on;
    double seconds;             /* by the device's clock */
    double elements;            /* number of elements for which kernels were started */
    double draw, sums, exact;   /* seconds in the three kernels of many.cl */
};

/* Returns the profile of this process; main thread only. */
struct profile *profile_of_process(void);

#endif
