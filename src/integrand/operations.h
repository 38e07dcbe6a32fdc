/* The operations of which integrands consist: the table of arithmetic operations, and the lookup in tables of numbers.
 *
 * OPERATIONS(X) lists for each operation: its name; the R function it represents (or, if R has none, the name that is
 * printed); the number of its arguments a, b, c; and its value as an expression that is valid in both C and OpenCL C.
 * The interpreter expands the table into loops, operations.cl into functions for generated OpenCL C, the R side takes
 * the names from it, and the tests compare the manual with it.
 *
 * Programs in single precision (special/dialect.h) have the ELEMENTARY_OPERATIONS only, which OpenCL's own functions
 * compute, and no tables.
 *
 * Logical values are numbers: 1, 0, or NaN for R's NA; NA propagates by R's rules.  Every operation has a value for
 * every argument, so it may also be evaluated at points that do not take its branch.
 */
#ifndef STABLECL_INTEGRAND_OPERATIONS_H
#define STABLECL_INTEGRAND_OPERATIONS_H

#include "../special/elementary.h"
#ifndef SINGLE_PRECISION
#  include "../special/bessel.h"
#  include "../special/gamma.h"
#  include "../special/incomplete.h"
#endif

#define ELEMENTARY_OPERATIONS(X) \
    X(ADD,      "+",           2, a + b) \
    X(SUB,      "-",           2, a - b) \
    X(MUL,      "*",           2, a * b) \
    X(DIV,      "/",           2, a / b) \
    X(NEG,      "-",           1, -a) \
    X(POW,      "^",           2, op_power(a, b)) \
    X(MOD,      "%%",          2, op_modulus(a, b)) \
    X(IDIV,     "%/%",         2, op_quotient(a, b)) \
    X(LT,       "<",           2, op_known(a, b, a < b)) \
    X(LE,       "<=",          2, op_known(a, b, a <= b)) \
    X(GT,       ">",           2, op_known(a, b, a > b)) \
    X(GE,       ">=",          2, op_known(a, b, a >= b)) \
    X(EQ,       "==",          2, op_known(a, b, a == b)) \
    X(NE,       "!=",          2, op_known(a, b, a != b)) \
    X(AND,      "&",           2, op_and(a, b)) \
    X(OR,       "|",           2, op_or(a, b)) \
    X(NOT,      "!",           1, a != a ? a : (real)(a == 0.0)) \
    X(XOR,      "xor",         2, op_known(a, b, (a != 0.0) != (b != 0.0))) \
    X(SELECT,   "ifelse",      3, op_select(a, b, c)) \
    X(MIN,      "pmin",        2, op_min(a, b)) \
    X(MAX,      "pmax",        2, op_min(-a, -b) * -1.0) \
    X(REQUIRE,  "required",    2, a == a ? b : NAN) \
    X(ISNAN,    "is.nan",      1, (real)(a != a)) \
    X(ISFINITE, "is.finite",   1, (real)(a - a == 0.0)) \
    X(ISINF,    "is.infinite", 1, (real)(a == a && a - a != 0.0)) \
    X(ABS,      "abs",         1, fabs(a)) \
    X(SIGN,     "sign",        1, a != a ? a : (real)(a > 0.0) - (real)(a < 0.0)) \
    X(SQRT,     "sqrt",        1, sqrt(a)) \
    X(FLOOR,    "floor",       1, floor(a)) \
    X(CEILING,  "ceiling",     1, ceil(a)) \
    X(TRUNC,    "trunc",       1, trunc(a)) \
    X(ROUND,    "round",       1, rint(a)) \
    X(EXP,      "exp",         1, exp_any(a)) \
    X(EXPM1,    "expm1",       1, expm1(a)) \
    X(LOG,      "log",         1, log_any(a)) \
    X(LOG1P,    "log1p",       1, log1p(a)) \
    X(LOG2,     "log2",        1, log2(a)) \
    X(LOG10,    "log10",       1, log10(a)) \
    X(SIN,      "sin",         1, op_sin(a)) \
    X(COS,      "cos",         1, op_cos(a)) \
    X(TAN,      "tan",         1, tan(a)) \
    X(SINPI,    "sinpi",       1, op_sinpi(a)) \
    X(COSPI,    "cospi",       1, op_cospi(a)) \
    X(TANPI,    "tanpi",       1, op_sinpi(a) / op_cospi(a)) \
    X(ASIN,     "asin",        1, asin(a)) \
    X(ACOS,     "acos",        1, acos(a)) \
    X(ATAN,     "atan",        1, atan(a)) \
    X(ATAN2,    "atan2",       2, atan2(a, b)) \
    X(SINH,     "sinh",        1, sinh(a)) \
    X(COSH,     "cosh",        1, cosh(a)) \
    X(TANH,     "tanh",        1, tanh(a)) \
    X(ASINH,    "asinh",       1, asinh(a)) \
    X(ACOSH,    "acosh",       1, acosh(a)) \
    X(ATANH,    "atanh",       1, atanh(a)) \
    X(GAMMA,    "gamma",       1, op_gamma(a)) \
    X(LGAMMA,   "lgamma",      1, lgamma(a)) \
    X(ERFC,     "erfc",        1, erfc(a))

#define SPECIAL_OPERATIONS(X) \
    X(DIGAMMA,  "digamma",     1, digamma_any(a)) \
    X(TRIGAMMA, "trigamma",    1, trigamma_any(a)) \
    X(LBETA,    "lbeta",       2, op_lbeta(a, b)) \
    X(CHOOSE,   "choose",      2, op_choose(a, b, 0)) \
    X(LCHOOSE,  "lchoose",     2, op_choose(a, b, 1)) \
    X(STIRLING, "stirling",    1, stirling(a)) \
    X(DEVIANCE, "deviance",    2, deviance(a, b)) \
    X(GAMMA_P,  "gammaP",      2, incomplete_gamma(a, b, 0, 0)) \
    X(GAMMA_Q,  "gammaQ",      2, incomplete_gamma(a, b, 1, 0)) \
    X(GAMMA_LP, "log.gammaP",  2, incomplete_gamma(a, b, 0, 1)) \
    X(GAMMA_LQ, "log.gammaQ",  2, incomplete_gamma(a, b, 1, 1)) \
    X(BETA_P,   "betaP",       3, incomplete_beta(a, b, c, 0, 0)) \
    X(BETA_Q,   "betaQ",       3, incomplete_beta(a, b, c, 1, 0)) \
    X(BETA_LP,  "log.betaP",   3, incomplete_beta(a, b, c, 0, 1)) \
    X(BETA_LQ,  "log.betaQ",   3, incomplete_beta(a, b, c, 1, 1)) \
    X(J0,       "besselJ0",    1, bessel_j(a, 0)) \
    X(J1,       "besselJ1",    1, bessel_j(a, 1)) \
    X(Y0,       "besselY0",    1, bessel_y(a, 0)) \
    X(Y1,       "besselY1",    1, bessel_y(a, 1))

#ifdef SINGLE_PRECISION
#  define OPERATIONS(X) ELEMENTARY_OPERATIONS(X)
#else
#  define OPERATIONS(X) ELEMENTARY_OPERATIONS(X) SPECIAL_OPERATIONS(X)
#endif

#define OPERATION_CODE(name, in_r, arity, value) OP_##name,
enum operation { OPERATIONS(OPERATION_CODE) OP_COUNT };
#undef OPERATION_CODE

LANE real op_known(real a, real b, int value)
{
    return blend(mask_of(a == a), blend(mask_of(b == b), blend(mask_of(value), 1.0, 0.0), NAN), NAN);
}

LANE real op_and(real a, real b)
{
    real both = a == a && b == b ? 1.0 : NAN;
    return a == 0.0 || b == 0.0 ? 0.0 : both;
}

LANE real op_or(real a, real b)
{
    real none = a == a && b == b ? 0.0 : NAN;
    real yes_a = a == a && a != 0.0 ? 1.0 : 0.0, yes_b = b == b && b != 0.0 ? 1.0 : 0.0;
    return yes_a + yes_b > 0.0 ? 1.0 : none;
}

LANE real op_select(real a, real b, real c)
{
    real chosen = a != 0.0 ? b : c;
    return a == a ? chosen : NAN;
}

LANE real op_min(real a, real b)
{
    real minimum = a < b ? a : b;                       /* b if one is NaN */
    return a == a ? minimum : a;
}

/* Returns a - b floor(a/b), computed exactly; it has the sign of b.  If b is infinite and a has the opposite sign, the
 * remainder is infinite. */
FN real op_remainder(real a, real b)
{
    real r = fmod(a, b);
    if (r == 0.0) return 0.0;
    return (r < 0.0) != (b < 0.0) ? r + b : r;
}

/* Returns R's a %% b: NaN if a/b overflows, and 0 if a remainder below b rounds to b, unless |b| > 2^52, where R does
 * not divide. */
FN real op_modulus(real a, real b)
{
    real r = op_remainder(a, b);
    if (isinf(a / b)) return NAN;
    return r == b && fabs(b) <= 0x1p52 ? 0.0 : r;
}

/* Returns floor(a/b), computed from the exact remainder. */
FN real op_quotient(real a, real b)
{
    real q = a / b;
    if (!isfinite(q) || b == 0.0) return q;
    if (isinf(b)) return a != 0.0 && (a < 0.0) != (b < 0.0) ? -1.0 : 0.0;
    if (fabs(q) > 0x1p52) return q;
    return rint((a - op_remainder(a, b)) / b) + 0.0;
}

/* Returns a^b by the rules of R_pow: 1 if a is 1 or b is 0, even if the other argument is NaN; a zero base counts as
 * positive; NaN for a negative base with an infinite exponent and for -Inf with an exponent that is not an integer,
 * although C's pow() has a value in both cases. */
FN real op_power(real a, real b)
{
    if (b == 2.0) return a * a;
#if !defined(__OPENCL_VERSION__) && !defined(__OPENCL_C_VERSION__)
    if (power_domain(a, b)) return power_positive(a, b);           /* as in interpreter.c */
#endif
    if (a == 1.0 || b == 0.0) return 1.0;
    if (isnan(a) || isnan(b)) return a + b;
    if (a == 0.0) return b > 0.0 ? 0.0 : INFINITY;
    if (a < 0.0 && isinf(b)) return NAN;
    if (isinf(a) && a < 0.0 && b != rint(b)) return NAN;
    return isinf(a) && b < 0.0 ? 0.0 : pow(a, b);
}

FN real op_sin(real a)
{
    return fabs(a) <= ANGLE_MAX ? sin_near(a, 0) : sin(a);
}

FN real op_cos(real a)
{
    return fabs(a) <= ANGLE_MAX ? sin_near(a, 1) : cos(a);
}

/* Returns sin(pi a); a is reduced to [-1/2, 1/2] exactly. */
FN real op_sinpi(real a)
{
    real r = fmod(a, 2.0);
    if (r > 1.0) r -= 2.0;
    if (r < -1.0) r += 2.0;
    if (r > 0.5) r = 1.0 - r;
    if (r < -0.5) r = -1.0 - r;
    return sin(PI * r);
}

FN real op_cospi(real a)
{
    real r = fabs(fmod(a, 2.0));
    if (r > 1.0) r = 2.0 - r;
    return r <= 0.25 ? cos(PI * r) : sin(PI * (0.5 - r));
}

/* Returns Gamma(a); NaN at the poles. */
FN real op_gamma(real a)
{
    return a <= 0.0 && a == floor(a) ? NAN : tgamma(a);
}

#ifndef SINGLE_PRECISION

/* Returns log B(a, b).  At the boundary of the domain it follows R: NaN if an argument is negative, Inf if the smaller
 * is 0, -Inf if either is infinite. */
FN double op_lbeta(double a, double b)
{
    double minimum = fmin(a, b);
    if (isnan(a) || isnan(b)) return a + b;
    if (minimum < 0.0) return NAN;
    if (minimum == 0.0) return INFINITY;
    return isinf(a) || isinf(b) ? -INFINITY : log_beta(a, b);
}

#define CHOOSE_PRODUCT 30.0

/* Returns log |choose(n, k)| for k >= 2 and n > -1, computed from log B; sets *sign to the sign of the coefficient. */
NOINLINE double log_choose(double n, double k, double *sign)
{
    *sign = 1.0;
    if (n >= k - 1.0) return -log(n + 1.0) - log_beta(n - k + 1.0, k + 1.0);
    if (fmod(floor(n) - k, 2.0) == 0.0) *sign = -1.0;              /* n - k + 1 < 0: reflection formula */
    return log_beta(k - n, n + 1.0) + log(fabs(sin(PI * distance_from_integer(n))) / PI);
}

/* Returns n (n - 1) ... (n - k + 1) / k! */
NOINLINE double choose_product(double n, double k)
{
    double product = k > 0.0 ? n : 1.0;
    for (double j = 2.0; j <= k; j += 1.0) product *= (n - j + 1.0) / j;
    return product;
}

/* Returns choose(n, k), or its log |.|, by R's rules: k is rounded to the nearest integer; n counts as an integer if it
 * is one to within 1e-7; for negative n, choose(n, k) = (-1)^k choose(k - n - 1, k).  The result is a product if k or
 * n - k is below 30 (for the logarithm, below 2), and is computed from log B otherwise. */
NOINLINE double op_choose(double n, double k, int give_log)
{
    double maximum = give_log ? 2.0 : CHOOSE_PRODUCT, sign = 1.0, part, y;
    if (isnan(n) || isnan(k)) return n + k;
    k = rint(k);
    if (k == INFINITY && n >= 0.0 && n < k) return give_log ? -INFINITY : 0.0;
    int whole = fabs(n - rint(n)) <= 1e-7 * fmax(1.0, fabs(n));
    if (!give_log && k < maximum && n - k < k && n >= 0.0 && whole) k = rint(n - k);
    if (k < 0.0) return give_log ? -INFINITY : 0.0;
    if (k >= maximum && n < 0.0) {
        sign = fmod(k, 2.0) == 0.0 ? 1.0 : -1.0;
        n = k - n - 1.0;
        whole = fabs(n - rint(n)) <= 1e-7 * fmax(1.0, fabs(n));
    }
    if (k >= maximum && whole) {
        n = rint(n);
        if (n < k) return give_log ? -INFINITY : 0.0;
        if (n - k < maximum) k = n - k;
    }
    if (k < maximum) {
        y = choose_product(n, k);
        if (give_log) return log(fabs(y));
        return sign * (whole ? rint(y) : y);
    }
    y = log_choose(n, k, &part);
    if (give_log) return y;
    return sign * part * (whole ? rint(exp(y)) : exp(y));
}

/* --- lookup in tables: interpolation by the rules of R's approxfun() and splinefun() ------------- */

enum table_kind { TABLE_LINEAR, TABLE_CONSTANT, TABLE_SPLINE, TABLE_INDEX, TABLE_KINDS };

/* Columns of length n; the nodes x increase.  TABLE_INDEX has only y, and its value at v is y[trunc(v)], counted from
 * 1; NaN outside 1, ..., n. */
struct table {
    enum table_kind kind;
    int n;
    GLOBAL const double *x, *y, *b, *c, *d;     /* nodes, values, and the coefficients of a cubic spline */
    double left, right;         /* values below and above the nodes; splines are extrapolated instead */
    double share;               /* TABLE_CONSTANT: weight of the right neighbour */
    int periodic, natural;      /* kinds of splines */
};

/* Tables in one buffer of doubles: a head for each table, then the columns.  A head holds kind, n, left, right, share,
 * periodic, natural, and the indices at which x, y, b, c and d begin. */
#define TABLE_HEAD 12

FN struct table table_in(GLOBAL const double *all, int number)
{
    GLOBAL const double *head = all + number * TABLE_HEAD;
    struct table t = {
        (enum table_kind)(int)head[0], (int)head[1], all + (int)head[7], all + (int)head[8], all + (int)head[9],
        all + (int)head[10], all + (int)head[11], head[2], head[3], head[4], (int)head[5], (int)head[6]
    };
    return t;
}

/* Returns the index of the last node that is at most v; -1 if v is below the first node.  Before the binary search, it
 * tries the index that v would have between equally spaced nodes. */
FN int node_below(const struct table *t, double v)
{
    int low = 0, high = t->n - 1;
    if (!(v >= t->x[0])) return -1;
    if (v >= t->x[high]) return high;
    double at = (v - t->x[0]) / (t->x[high] - t->x[0]) * high;
    int guess = at >= 0.0 && at < high ? (int)at : high;       /* `at` may be NaN if nodes are not finite */
    if (guess < high && t->x[guess] <= v && v < t->x[guess + 1]) return guess;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (t->x[middle] <= v) low = middle;
        else high = middle;
    }
    return low;
}

FN double table_spline(const struct table *t, double v)
{
    int last = t->n - 1;
    if (t->periodic && last > 0) v = t->x[0] + op_remainder(v - t->x[0], t->x[last] - t->x[0]);
    int i = node_below(t, v), before = i < 0;
    if (before) i = 0;
    double h = v - t->x[i], d = before && t->natural ? 0.0 : t->d[i];
    return t->y[i] + h * (t->b[i] + h * (t->c[i] + h * d));
}

FN double table_between(const struct table *t, double v)
{
    int i = node_below(t, v);
    if (i < 0) return t->left;
    if (v > t->x[t->n - 1]) return t->right;
    if (v == t->x[i]) return t->y[i];
    double share = t->kind == TABLE_CONSTANT ? t->share : (v - t->x[i]) / (t->x[i + 1] - t->x[i]);
    if (share == 0.0) return t->y[i];
    if (share == 1.0) return t->y[i + 1];
    return t->y[i] + share * (t->y[i + 1] - t->y[i]);
}

FN double lookup(const struct table *t, double v)
{
    if (isnan(v)) return v;
    if (t->kind == TABLE_INDEX) return v >= 1.0 && v < t->n + 1.0 ? t->y[(int)v - 1] : NAN;
    return t->kind == TABLE_SPLINE ? table_spline(t, v) : table_between(t, v);
}

#endif

#endif
