/* The keywords and types that C99 and OpenCL C 1.2 spell differently.
 *
 * The headers that kernels include are compiled both as C99 and as OpenCL C 1.2.  They contain no static variables,
 * no recursion, no function pointers, and no long, size_t or bool in shared structs.
 *
 * NOINLINE marks functions that kernels do not inline: those that a kernel calls from several places, or that only a
 * few of its elements need.  The innermost loop of a kernel calls none of them.  With everything inlined, the kernels
 * for a different shape per element took 29 s instead of 5 s to build and ran at 0.3 times the speed (H100, driver
 * 580).  C compilers decide for themselves.
 *
 * `real` is double, except in programs for devices that define SINGLE_PRECISION before this file is included: these
 * contain no double, and are built with -cl-single-precision-constant.  tools/embed-kernels.R removes the lines that
 * belong to the other precision.
 *
 * WIDE marks functions whose loops a C compiler vectorises, LANE the functions called in such a loop: a single call
 * that is not inlined prevents vectorisation.  On a device, WIDE is the same as NOINLINE (1.07e8 elements per second
 * with a different shape per element, 9e7 if inlined).
 *
 * LANE_NOINLINE marks LANE functions that kernels do not inline: they are used in several places, but not in the
 * innermost loop.
 *
 * NO_UNROLL stands before a loop with a constant limit that drivers must not unroll, because it has many or long
 * iterations.
 */
#ifndef STABLECL_SPECIAL_DIALECT_H
#define STABLECL_SPECIAL_DIALECT_H

#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)
#  define IS_DEVICE 1
#  ifdef SINGLE_PRECISION
typedef float real;
#  else
#  pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
#  endif
#  pragma OPENCL FP_CONTRACT OFF
#  define FN    static
#  define NOINLINE static __attribute__((noinline))
#  define LANE  static
#  define WIDE  NOINLINE
#  define LANE_NOINLINE NOINLINE
#  define NO_UNROLL _Pragma("unroll 1")
#  define TABLE __constant
#  define GLOBAL __global
typedef long  int64;
typedef ulong uint64;
typedef uint  uint32;
FN real sin_and_cos(real x, real *c) { return sincos(x, c); }
#else
#  define IS_DEVICE 0
#  include <math.h>
#  include <stdint.h>
#  include <string.h>
#  define FN    static inline
#  define NOINLINE static inline
#  if defined(__GNUC__)
#    define LANE  static inline __attribute__((always_inline))
#  else
#    define LANE  static inline
#  endif
#  define LANE_NOINLINE LANE
#  if !defined(STABLECL_HAVE_CLONES)        /* vector width in bits; the loader selects the widest supported */
#    define WIDE  static inline
#  elif STABLECL_HAVE_CLONES >= 512
#    define WIDE  static __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#  else
#    define WIDE  static __attribute__((target_clones("avx2", "default")))
#  endif
#  define NO_UNROLL
#  define TABLE static const
#  define GLOBAL
typedef int64_t  int64;
typedef uint64_t uint64;
typedef uint32_t uint32;
#  ifndef SINGLE_PRECISION               /* only in programs for devices */
typedef double real;
FN double sin_and_cos(double x, double *c) { *c = cos(x); return sin(x); }
#  endif
#endif

#endif
