/* The one file that knows which compiler is reading.
 *
 * Everything in core/ is read by a C99 compiler and by an OpenCL C 1.2
 * compiler.  Core code has no statics, no recursion, no function pointers and
 * no long, size_t or bool in shared structs; whatever the two languages spell
 * differently is named here.
 *
 * APART marks functions that a kernel calls from several places or that few of its
 * elements need; the innermost loop of a kernel holds none of them.  Where everything was
 * inlined, the kernels of a shape per element took 29 s to build (5 s so) and ran at 0.3
 * times the speed (H100, driver 580).
 *
 * WIDE marks functions whose loops a C compiler spreads over vector lanes, LANE what such a loop
 * calls: one call left in it, and it is not spread.  For a device WIDE is APART (a shape per element: 1.07e8 of them a
 * second, 9e7 inlined).
 */
#ifndef STABLECL_SPECIAL_DIALECT_H
#define STABLECL_SPECIAL_DIALECT_H

#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)
#  pragma OPENCL EXTENSION cl_khr_fp64 : enable
#  pragma OPENCL FP_CONTRACT OFF
#  define FN    static
#  define APART static __attribute__((noinline))
#  define LANE  static
#  define WIDE  APART
#  define TABLE __constant
#  define GLOBAL __global
typedef long  int64;
typedef ulong uint64;
typedef uint  uint32;
FN double sin_and_cos(double x, double *c) { return sincos(x, c); }
#else
#  include <math.h>
#  include <stdint.h>
#  include <string.h>
#  define FN    static inline
#  define APART static inline
#  if defined(__GNUC__)
#    define LANE  static inline __attribute__((always_inline))
#  else
#    define LANE  static inline
#  endif
#  if !defined(STABLECL_HAVE_CLONES)        /* bits of a register; the loader picks the widest the processor has */
#    define WIDE  static inline
#  elif STABLECL_HAVE_CLONES >= 512
#    define WIDE  static __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#  else
#    define WIDE  static __attribute__((target_clones("avx2", "default")))
#  endif
#  define TABLE static const
#  define GLOBAL
typedef int64_t  int64;
typedef uint64_t uint64;
typedef uint32_t uint32;
FN double sin_and_cos(double x, double *c) { *c = cos(x); return sin(x); }
#endif

#endif
