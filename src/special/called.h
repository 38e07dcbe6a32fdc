/* Elementary functions that a kernel calls instead of inlining them, for programs with many of them outside the
 * innermost loops.  The drivers' functions take up to 100 instructions, and the compiler repeats them wherever they are
 * called: with the functions below, the program of eval_one takes 1.4 s to build instead of 1.9 s, that of score_each
 * 4.2 s instead of 6.2 s (H100, driver 580).
 *
 * Included before all other headers.  exp and expm1, which innermost loops call, are inlined. */
#ifndef STABLECL_SPECIAL_CALLED_H
#define STABLECL_SPECIAL_CALLED_H

#include "dialect.h"

#if IS_DEVICE

#define CALLED(f) NOINLINE double called_##f(double x) { return f(x); }

CALLED(log)
CALLED(log1p)
CALLED(tanh)
CALLED(sin)
CALLED(cos)
CALLED(erf)
CALLED(erfc)
CALLED(lgamma)
CALLED(tgamma)
NOINLINE double called_pow(double x, double y) { return pow(x, y); }
NOINLINE double called_atan2(double y, double x) { return atan2(y, x); }

/* Some drivers define these names as macros. */
#undef log
#undef log1p
#undef tanh
#undef sin
#undef cos
#undef erf
#undef erfc
#undef lgamma
#undef tgamma
#undef pow
#undef atan2

#define log    called_log
#define log1p  called_log1p
#define tanh   called_tanh
#define sin    called_sin
#define cos    called_cos
#define erf    called_erf
#define erfc   called_erfc
#define lgamma called_lgamma
#define tgamma called_tgamma
#define pow    called_pow
#define atan2  called_atan2

#endif
#endif
