/* Every block of memory that the C code owns comes from here.
 *
 * The functions do what malloc(), calloc(), realloc() and free() do, on any thread, and count the blocks that are
 * alive.  Tests let chosen allocations fail, each in turn.
 */
#ifndef STABLECL_MEMORY_H
#define STABLECL_MEMORY_H

#include <stddef.h>

/* NULL only if memory is short, for a size of 0, too. */
void *memory_allocate(size_t bytes);
void *memory_zeroed(size_t count, size_t bytes);

/* As realloc(): the old block is untouched if the result is NULL. */
void *memory_resize(void *old, size_t bytes);

/* NULL is fine. */
void memory_release(void *block);

/* From here on allocations number `first` to `last` fail, counted from 1 over all threads; none does if
 * last < first. */
void memory_fault_start(long first, long last);
void memory_fault_stop(void);

long memory_calls(void);        /* allocations since memory_fault_start() */
long memory_live(void);         /* blocks that are not released */

#endif
