#include <string.h>
#include "column.h"
#include "parallel.h"

#define LONG_COLUMN ((size_t)1 << 16)   /* least length of a column that is copied as a whole */
#define ONE_THREAD  ((size_t)1 << 21)   /* most bytes copied by one thread: 1 ms if memory is newly allocated */

struct copied { char *to; const char *from; };

static void copy_some(void *context, int thread, size_t from, size_t to)
{
    const struct copied *c = context;
    (void)thread;
    memcpy(c->to + from, c->from + from, to - from);
}

void bytes_copy(void *to, const void *from, size_t count)
{
    struct copied c = { to, from };
    if (count) parallel_for(count, 0, count > ONE_THREAD ? threads_limit() : 1, copy_some, &c, NULL);
}

void vector_copy(double *to, const double *from, size_t count)
{
    bytes_copy(to, from, count * sizeof *to);
}

void column_copy(double *to, const struct column *from, size_t first, size_t count)
{
    size_t at = first % from->length;
    for (; from->length < LONG_COLUMN && count > 0; count--) {
        *to++ = from->at[at];
        if (++at == from->length) at = 0;
    }
    while (count > 0) {
        size_t run = from->length - at < count ? from->length - at : count;
        vector_copy(to, from->at + at, run);
        to += run;
        count -= run;
        at = 0;
    }
}
