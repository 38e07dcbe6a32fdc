#ifndef _DEFAULT_SOURCE
#  define _DEFAULT_SOURCE 1             /* for madvise() */
#endif
#include <stdint.h>
#include <stdlib.h>
#ifdef __linux__
#  include <sys/mman.h>
#endif
#include "memory.h"
#include "parallel.h"

static long live;
static int counting;            /* whether allocations are counted and may fail */
static long calls, first_fault, last_fault;

static int next_fails(void)
{
    if (!ATOMIC_READ(&counting)) return 0;
    long number = ATOMIC_ADD(&calls, 1);
    return number >= first_fault && number <= last_fault;
}

static void *counted(void *block)
{
    if (block) ATOMIC_ADD(&live, 1);
    return block;
}

void *memory_allocate(size_t bytes)
{
    return next_fails() ? NULL : counted(malloc(bytes ? bytes : 1));
}

void *memory_zeroed(size_t count, size_t bytes)
{
    return next_fails() ? NULL : counted(calloc(count ? count : 1, bytes ? bytes : 1));
}

void *memory_resize(void *old, size_t bytes)
{
    if (next_fails()) return NULL;
    void *block = realloc(old, bytes ? bytes : 1);
    return old ? block : counted(block);
}

void memory_release(void *block)
{
    if (!block) return;
    ATOMIC_ADD(&live, -1);
    free(block);
}

/* Size of a large page, and the smallest block for which they are requested. */
#define LARGE_PAGE  ((uintptr_t)1 << 21)
#define LARGE_BLOCK ((size_t)1 << 23)

void memory_use_large_pages(void *block, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    uintptr_t from = ((uintptr_t)block + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    uintptr_t to = ((uintptr_t)block + bytes) / LARGE_PAGE * LARGE_PAGE;
    if (bytes >= LARGE_BLOCK) madvise((void *)from, to - from, MADV_HUGEPAGE);
#else
    (void)block;
    (void)bytes;
#endif
}

void memory_fault_start(long first, long last)
{
    first_fault = first;
    last_fault = last;
    ATOMIC_WRITE(&calls, 0);
    ATOMIC_WRITE(&counting, 1);
}

void memory_fault_stop(void)
{
    ATOMIC_WRITE(&counting, 0);
}

long memory_calls(void)
{
    return ATOMIC_READ(&calls);
}

long memory_live(void)
{
    return ATOMIC_READ(&live);
}
