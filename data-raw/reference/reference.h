/* Values of the standard alpha-stable distribution in parametrisation S0 (gamma = 1, delta = 0), in ball arithmetic.
 *
 * The characteristic function is
 *
 *     phi(t) = exp(-|t|^alpha (1 + i beta tan(pi alpha/2) sign(t) (|t|^(1 - alpha) - 1)))      alpha != 1
 *     phi(t) = exp(-|t| (1 + i beta (2/pi) sign(t) log|t|))                                    alpha = 1
 *
 * Each method returns an enclosure: the exact value lies in the ball.  Integrals are computed by acb_calc_integrate()
 * of Arb, whose result encloses the integral (Johansson 2018, doi:10.1007/978-3-319-96418-8_30); what is cut off at the
 * ends of a range is bounded and added to the radius.  A value is accepted if the balls of two methods overlap and have
 * relative radii below the accuracy demanded.
 */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "acb.h"
#include "acb_calc.h"
#include "acb_hypgeom.h"
#include "arb.h"
#include "arb_hypgeom.h"

#define BITS_PER_DIGIT 3.3219280948873623

/* A distribution and a point.  alpha and beta are doubles, hence exact; x is exact, too. */
struct point {
    double alpha, beta;
    arb_t x;
};

/* Enclosures of the density and of both tails.  A part that a method does not compute is NaN. */
struct value {
    arb_t pdf, cdf, sf;
};

enum method { NOLAN, CONTOUR, CLOSED, METHODS };
extern const char *const method_names[METHODS];

void point_init(struct point *p);
void point_clear(struct point *p);
void point_set(struct point *p, double alpha, double beta, const arb_t x);
/* The mirrored point: f(x; alpha, beta) = f(-x; alpha, -beta), and the tails change places. */
void point_mirror(struct point *p, const struct point *from);
void value_init(struct value *v);
void value_clear(struct value *v);
void value_mirror(struct value *v);

/* T = tan(pi alpha/2), exact where it is rational (alpha = 1/2, 3/2, 2); not for alpha = 1. */
void tangent(arb_t T, double alpha, slong prec);
/* u = x - zeta with zeta = -beta tan(pi alpha/2); x for alpha = 1. */
void shifted(arb_t u, const struct point *p, slong prec);
/* -1, 0, 1: the sign of x - zeta; decided with enough precision, 0 only if x = zeta exactly. */
int side(const struct point *p);
/* Nonzero if x lies outside the support: alpha < 1, |beta| = 1, and x on the wrong side of zeta (or at it). */
int outside_support(const struct point *p);

double log2_of(const arb_struct *x);           /* log2|midpoint|; -HUGE_VAL for 0 */
void add_error(arb_t x, const arb_t bound); /* x +- bound */
void scale(acb_t z, double bits);           /* z = z 2^bits */
slong accurate_bits(const arb_t x);        /* -log2 of the relative radius */
/* Bits in which two enclosures agree; 0 if they do not overlap. */
slong agreed_bits(const arb_t a, const arb_t b);

/* The integral of f from a to b; error tolerances 2^-goal relative and `absolute`. */
void integrate(acb_t sum, acb_calc_func_t f, void *context, const acb_t a, const acb_t b, slong goal,
               double log2_absolute, slong prec);

/* The methods.  Each returns 0 if it does not apply or does not reach `goal` bits. */
int nolan(struct value *v, const struct point *p, slong goal);
/* `near`: values to some digits, from which the path and the tolerances are chosen; they do not enter the result. */
int contour(struct value *v, const struct point *p, const struct value *near, slong goal);
int closed(struct value *v, const struct point *p, slong goal);

/* The value on which two methods agree to `goal` bits; 0 if there are none.  *bits: the bits in which they agree. */
int agreed_value(struct value *v, const struct point *p, slong goal, slong *bits);

/* The derivatives of the log density with respect to alpha, beta and x at the point `at` of these, to `digits` digits,
 * relative to those above 1.  Returns 0 if two methods do not agree on a density that is needed, or two step lengths do
 * not agree on a derivative. */
int scores(arb_t slope[3], const double at[3], slong digits);
/* The number of derivatives that differ from closed forms; reports them. */
int check_scores(slong digits);

/* The least number of bits in which all methods that apply agree at p, and their number. */
slong check_methods(const struct point *p, slong goal, int *methods);

/* Writes x with `digits` significant digits and a decimal exponent, as in 1.234e-5. */
void write_number(FILE *file, const arb_t x, slong digits);

#endif
