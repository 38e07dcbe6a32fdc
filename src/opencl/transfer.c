#include <string.h>
#include "headers.h"
#ifdef STABLECL_OPENCL
#include "transfer.h"
#include "../base/parallel.h"

#define PIECE ((size_t)1 << 16)         /* elements that a thread copies at a time */
#define ALONE ((size_t)1 << 18)         /* largest number copied by one thread: 1 ms if memory is newly allocated */

/* Copies in parallel; a thread copies one piece at a time. */
static void copy(double *to, const double *from, size_t count)
{
    int threads = count > ALONE ? threads_limit() : 1;
    ptrdiff_t pieces = threads > 1 ? (ptrdiff_t)((count + PIECE - 1) / PIECE) : 1;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
#endif
    for (ptrdiff_t k = 0; k < pieces; k++) {
        size_t at = (size_t)k * PIECE, end = k + 1 < pieces ? at + PIECE : count;
        memcpy(to + at, from + at, (end - at) * sizeof *to);
    }
}

void transfer_in(double *to, const struct column *from, size_t first, size_t count)
{
    size_t at = first % from->length;
    for (; from->length < PIECE && count > 0; count--) {
        *to++ = from->at[at];
        if (++at == from->length) at = 0;
    }
    while (count > 0) {
        size_t run = from->length - at < count ? from->length - at : count;
        copy(to, from->at + at, run);
        to += run;
        count -= run;
        at = 0;
    }
}

void transfer_out(double *to, const double *from, size_t count)
{
    copy(to, from, count);
}

#endif
