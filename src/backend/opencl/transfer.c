#include <string.h>
#include "headers.h"
#ifdef STABLECL_OPENCL
#include "transfer.h"
#include "../columns.h"
#include "../threads.h"

#define PIECE ((size_t)1 << 16)         /* elements that a thread copies at a time */
#define ALONE ((size_t)1 << 18)         /* up to so many, one thread does it: 1 ms where memory is fresh */

/* Each piece on one thread. */
static ptrdiff_t pieces_of(size_t count, int *threads)
{
    *threads = count > ALONE ? threads_limit() : 1;
    return (ptrdiff_t)((count + PIECE - 1) / PIECE);
}

static size_t piece_end(ptrdiff_t k, size_t count)
{
    size_t end = ((size_t)k + 1) * PIECE;
    return end < count ? end : count;
}

static void copy(double *to, const double *from, size_t count)
{
    int threads;
    ptrdiff_t pieces = pieces_of(count, &threads);
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
#endif
    for (ptrdiff_t k = 0; k < pieces; k++) {
        size_t at = (size_t)k * PIECE;
        memcpy(to + at, from + at, (piece_end(k, count) - at) * sizeof *to);
    }
}

static void gather(double *to, const struct column *from, size_t first, size_t count, const int *index)
{
    int threads;
    ptrdiff_t pieces = pieces_of(count, &threads);
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
#endif
    for (ptrdiff_t k = 0; k < pieces; k++)
        for (size_t i = (size_t)k * PIECE; i < piece_end(k, count); i++)
            to[i] = column_value(*from, first + (size_t)index[i]);
}

static void scatter(double *to, const double *from, size_t count, const int *index)
{
    int threads;
    ptrdiff_t pieces = pieces_of(count, &threads);
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
#endif
    for (ptrdiff_t k = 0; k < pieces; k++)
        for (size_t i = (size_t)k * PIECE; i < piece_end(k, count); i++) to[index[i]] = from[i];
}

void transfer_in(double *to, const struct column *from, size_t first, size_t count, const int *index)
{
    size_t at = first % from->length;
    if (index) {
        gather(to, from, first, count, index);
        return;
    }
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

void transfer_out(double *to, const double *from, size_t count, const int *index)
{
    if (index) scatter(to, from, count, index);
    else copy(to, from, count);
}

#endif
