/* Sorts numbers into increasing order. */
#ifndef STABLECL_FIT_SORT_H
#define STABLECL_FIT_SORT_H

#include <stddef.h>

/* Sorts n finite numbers x, and rearranges `with` (NULL: nothing) in the same way.  `room` and `room_with` are
 * workspace of the same sizes.  Takes time proportional to n; n > 0. */
void sort_numbers(size_t n, double *x, double *with, double *room, double *room_with);

#endif
