#include <string.h>
#include "headers.h"
#ifdef STABLECL_OPENCL
#include "transfer.h"
#include "../columns.h"
#include "../threads.h"

#define PIECE ((size_t)1 << 16)         /* elements that a thread moves at a time */
#define ALONE ((size_t)1 << 18)         /* up to so many, one thread does it: 1 ms where memory is fresh */

/* What is moved where; first and index as in transfer.h. */
struct move {
    double *to;
    struct column from;
    size_t first;
    const int *index;
};

/* Elements [begin, end) of it. */
typedef void (*piece_function)(const struct move *, size_t begin, size_t end);

static void copy(const struct move *m, size_t begin, size_t end)
{
    memcpy(m->to + begin, m->from.at + begin, (end - begin) * sizeof *m->to);
}

static void gather(const struct move *m, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) m->to[i] = column_value(m->from, m->first + (size_t)m->index[i]);
}

static void scatter(const struct move *m, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) m->to[m->index[i]] = m->from.at[i];
}

/* Each piece on one thread. */
static void in_pieces(piece_function piece, const struct move *m, size_t count)
{
    int threads = count > ALONE ? threads_limit() : 1;
    ptrdiff_t pieces = threads > 1 ? (ptrdiff_t)((count + PIECE - 1) / PIECE) : 1;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
#endif
    for (ptrdiff_t k = 0; k < pieces; k++)
        piece(m, (size_t)k * PIECE, k + 1 < pieces ? ((size_t)k + 1) * PIECE : count);
}

void transfer_in(double *to, const struct column *from, size_t first, size_t count, const int *index)
{
    size_t at = first % from->length;
    if (index) {
        struct move all = { to, *from, first, index };
        in_pieces(gather, &all, count);
        return;
    }
    for (; from->length < PIECE && count > 0; count--) {
        *to++ = from->at[at];
        if (++at == from->length) at = 0;
    }
    while (count > 0) {
        size_t run = from->length - at < count ? from->length - at : count;
        struct move part = { to, { from->at + at, run }, 0, NULL };
        in_pieces(copy, &part, run);
        to += run;
        count -= run;
        at = 0;
    }
}

void transfer_out(double *to, const double *from, size_t count, const int *index)
{
    struct move all = { to, { from, count }, 0, index };
    in_pieces(index ? scatter : copy, &all, count);
}

#endif
