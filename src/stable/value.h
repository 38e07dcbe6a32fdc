/* What one evaluation of a standard law yields.
 *
 * Far out density and tail probability may be exp(-large): each is kept as a
 * factor times exp(its scale), so that logarithms never see an underflowed
 * number.  Only the smaller of the two tails is computed; the other
 * is its complement, which then loses nothing.
 */
#ifndef STABLECL_STABLE_VALUE_H
#define STABLECL_STABLE_VALUE_H

#include "../special/dialect.h"

struct stable_value {
    double pdf;        /* density = pdf * exp(pdf_scale) */
    double tail;       /* the smaller tail probability = tail * exp(tail_scale) */
    double pdf_scale;  /* <= 0, but for densities beyond numbers */
    double tail_scale; /* <= 0 */
    double error;      /* estimate of |log v - log v_true| / max(1, |log v|), the larger of pdf and tail */
    int    upper;      /* tail is P(X > x) if 1, P(X <= x) if 0 */
};

/* a exp(scale); the scale is mostly 0. */
FN double value_scaled(double a, double scale)
{
    return scale == 0.0 ? a : a * exp(scale);
}

FN double value_pdf(const struct stable_value *v, int give_log)
{
    return give_log ? log(v->pdf) + v->pdf_scale : value_scaled(v->pdf, v->pdf_scale);
}

/* P(X <= x) if lower, P(X > x) if not. */
FN double value_cdf(const struct stable_value *v, int lower, int give_log)
{
    if (lower != v->upper)                       /* the tail that was computed */
        return give_log ? log(v->tail) + v->tail_scale : value_scaled(v->tail, v->tail_scale);
    double other = value_scaled(v->tail, v->tail_scale);
    return give_log ? log1p(-other) : 1.0 - other;
}

#endif
