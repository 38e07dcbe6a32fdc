/* Vectors of doubles in host memory that are recycled, as R recycles arguments. */
#ifndef STABLECL_BASE_COLUMN_H
#define STABLECL_BASE_COLUMN_H

#include <stddef.h>

struct column {
    const double *at;
    size_t length;                      /* at least 1, unless 0 is documented as "no values" */
};

/* Returns element i of the recycled vector.  The division is the most expensive operation, and few elements need it. */
static inline double column_value(struct column c, size_t i)
{
    return c.at[i < c.length ? i : i % c.length];
}

/* Copies elements first, ..., first + count - 1 of the recycled vector.  Large copies use several threads, which are
 * then also the first to access newly allocated memory. */
void column_copy(double *to, const struct column *from, size_t first, size_t count);

/* Copy `count` numbers or bytes in the same way. */
void vector_copy(double *to, const double *from, size_t count);
void bytes_copy(void *to, const void *from, size_t count);

#endif
