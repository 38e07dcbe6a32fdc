/* How threads learn that they are to stop. */
#ifndef STABLECL_INTEGRAND_STOP_FLAG_H
#define STABLECL_INTEGRAND_STOP_FLAG_H

#ifdef _OPENMP
#  include <omp.h>
#endif
#include "../run/job.h"
#include "../base/threads.h"
#include "../base/atomic.h"

struct halt {
    poll_function poll;
    int stop;
    double until;                       /* when to stop in any case (threads_clock); 0: never */
};

static inline int thread_number(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

static inline void halt_all(struct halt *h)
{
    ATOMIC_WRITE(&h->stop, 1);
}

#define ONLY_READS 1                    /* any number of a thread that does not ask R */

/* Only the thread that R runs on, number 0, may ask R, and not after a failure. */
static inline int is_halted(struct halt *h, int thread)
{
    int stop = ATOMIC_READ(&h->stop);
    int is_late = h->until > 0.0 && threads_clock() > h->until;
    if (stop || (!is_late && (thread > 0 || !h->poll()))) return stop;
    halt_all(h);
    return 1;
}

#endif
