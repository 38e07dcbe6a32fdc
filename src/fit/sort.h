/* Numbers into increasing order. */
#ifndef STABLECL_FIT_SORT_H
#define STABLECL_FIT_SORT_H

#include <stddef.h>

/* Sorts n finite numbers x, and with them what belongs to each (NULL: nothing).  `room` and `room_with` have as much
 * room.  Time grows like n. */
void sort_numbers(size_t n, double *x, double *with, double *room, double *room_with);

#endif
