/* Access to variables that several threads read and write.
 *
 * C99 has no atomic types; these macros use the builtin functions of GCC and clang.  The memory order is relaxed:
 * different variables are not ordered, and results become visible to other threads at the end of a parallel loop.
 * For other compilers the macros are plain reads and writes, which are correct without threads.
 */
#ifndef STABLECL_ATOMIC_H
#define STABLECL_ATOMIC_H

#if defined(__GNUC__) || defined(__clang__)
#  define ATOMIC_READ(at)         __atomic_load_n(at, __ATOMIC_RELAXED)
#  define ATOMIC_WRITE(at, value) __atomic_store_n(at, value, __ATOMIC_RELAXED)
#  define ATOMIC_ADD(at, value)   __atomic_add_fetch(at, value, __ATOMIC_RELAXED)     /* returns the sum */
#else
#  define ATOMIC_READ(at)         (*(at))
#  define ATOMIC_WRITE(at, value) ((void)(*(at) = (value)))
#  define ATOMIC_ADD(at, value)   (*(at) += (value))
#endif

#endif
