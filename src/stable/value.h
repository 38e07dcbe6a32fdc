/* The result of one evaluation of a standard distribution.
 *
 * In the far tails, density and tail probability may be of size exp(-large).  Each is stored as a factor times
 * exp(its scale), so that logarithms are computed from numbers that do not underflow.  Only the smaller of the two
 * tails is computed; the other is its complement and loses no accuracy.
 */
#ifndef STABLECL_STABLE_VALUE_H
#define STABLECL_STABLE_VALUE_H

#include "../special/dialect.h"

struct stable_value {
    double pdf;        /* density = pdf * exp(pdf_scale) */
    double tail;       /* the smaller tail probability = tail * exp(tail_scale) */
    double pdf_scale;  /* <= 0, except for densities that overflow */
    double tail_scale; /* <= 0 */
    double error;      /* estimate of |log v - log v_true| / max(1, |log v|), the larger of pdf and tail */
    int    upper;      /* tail is P(X > x) if 1, P(X <= x) if 0 */
};

/* Returns a exp(scale); the scale is usually 0. */
FN double value_scaled(double a, double scale)
{
    return scale == 0.0 ? a : a * exp(scale);
}

/* Returns the density or its logarithm. */
FN double value_pdf(const struct stable_value *v, int give_log)
{
    return give_log ? log(v->pdf) + v->pdf_scale : value_scaled(v->pdf, v->pdf_scale);
}

/* Returns P(X <= x) if lower, otherwise P(X > x), or its logarithm. */
FN double value_cdf(const struct stable_value *v, int lower, int give_log)
{
    if (lower != v->upper)                       /* the tail that was computed */
        return give_log ? log(v->tail) + v->tail_scale : value_scaled(v->tail, v->tail_scale);
    double other = value_scaled(v->tail, v->tail_scale);
    return give_log ? log1p(-other) : 1.0 - other;
}

#endif
