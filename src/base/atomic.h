/* Variables that several threads read and write.
 *
 * C99 has no atomic types, so these are the builtin functions that GCC and clang share.  No order between different
 * variables is promised: each of them stands for itself, and results are handed over at the ends of parallel regions.
 * Another compiler reads and writes them as they are, which is right without threads.
 */
#ifndef STABLECL_ATOMIC_H
#define STABLECL_ATOMIC_H

#if defined(__GNUC__) || defined(__clang__)
#  define ATOMIC_READ(at)         __atomic_load_n(at, __ATOMIC_RELAXED)
#  define ATOMIC_WRITE(at, value) __atomic_store_n(at, value, __ATOMIC_RELAXED)
#  define ATOMIC_ADD(at, value)   __atomic_add_fetch(at, value, __ATOMIC_RELAXED)     /* the sum */
#else
#  define ATOMIC_READ(at)         (*(at))
#  define ATOMIC_WRITE(at, value) ((void)(*(at) = (value)))
#  define ATOMIC_ADD(at, value)   (*(at) += (value))
#endif

#endif
