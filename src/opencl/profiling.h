/* Time spent inside kernels, for benchmarks.
 *
 * Off unless asked for: a queue that keeps times is slower for some drivers.
 * Sessions opened from then on count.
 */
#ifndef STABLECL_OPENCL_PROFILING_H
#define STABLECL_OPENCL_PROFILING_H

struct profile {
    int on;
    double seconds;             /* by the device's clock */
    double elements;            /* that kernels were started for */
    double draw, sums, exact;   /* seconds inside those of many.cl */
};

/* The one of this process; main thread only. */
struct profile *profile_of_process(void);

#endif
