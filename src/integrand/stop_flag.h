/* A stop flag that all threads share, and the test of it. */
#ifndef STABLECL_INTEGRAND_STOP_FLAG_H
#define STABLECL_INTEGRAND_STOP_FLAG_H

#ifdef _OPENMP
#  include <omp.h>
#endif
#include "../run/job.h"
#include "../base/threads.h"
#include "../base/atomic.h"

struct stop_flag {
    poll_function poll;
    int stop;
    double until;                       /* deadline in seconds (threads_clock()); 0: none */
};

static inline int thread_number(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

static inline void stop_all(struct stop_flag *h)
{
    ATOMIC_WRITE(&h->stop, 1);
}

#define ONLY_READS 1                    /* a thread number with which is_stop_requested() does not poll R */

/* TRUE if the threads must stop: the flag is set, the deadline has passed, or the poll reports an interrupt.  Only
 * thread 0, on which R runs, may poll R, and not once the flag is set. */
static inline int is_stop_requested(struct stop_flag *h, int thread)
{
    int stop = ATOMIC_READ(&h->stop);
    int is_late = h->until > 0.0 && threads_clock() > h->until;
    if (stop || (!is_late && (thread > 0 || !h->poll()))) return stop;
    stop_all(h);
    return 1;
}

#endif
