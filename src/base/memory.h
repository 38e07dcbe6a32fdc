/* Allocates all memory that the C code owns.
 *
 * The functions behave like malloc(), calloc(), realloc() and free(), are thread-safe, and count the blocks in use.
 * Tests can make chosen allocations fail.
 */
#ifndef STABLECL_MEMORY_H
#define STABLECL_MEMORY_H

#include <stddef.h>

/* Return NULL only if memory is short, even for a size of 0. */
void *memory_allocate(size_t bytes);
void *memory_zeroed(size_t count, size_t bytes);

/* Like realloc(): if the result is NULL, the old block is unchanged. */
void *memory_resize(void *old, size_t bytes);

/* NULL is allowed. */
void memory_release(void *block);

/* Requests pages of 2 MB for a large block that has just been allocated, by whatever allocator, where the system
 * supports it.  The system clears each page when it is first accessed: with pages of 4 kB this takes about three times
 * as long, on one thread and on several, as with large pages (bench/gpu/bus.R). */
void memory_use_large_pages(void *block, size_t bytes);

/* After memory_fault_start(), allocations number `first` to `last` fail, counted from 1 over all threads; none
 * fails if last < first. */
void memory_fault_start(long first, long last);
void memory_fault_stop(void);

long memory_calls(void);        /* allocations since memory_fault_start() */
long memory_live(void);         /* blocks not yet released */

#endif
