/* Derivatives with estimates of their errors. */
#ifndef STABLECL_STABLE_SLOPE_H
#define STABLECL_STABLE_SLOPE_H

#include "../special/dialect.h"

/* A derivative, and an estimate of its absolute error. */
struct slope { double value, error; };

/* Returns a + b c for an exact b. */
FN struct slope slope_add(struct slope a, double b, struct slope c)
{
    struct slope r = { a.value, a.error };
    if (b == 0.0) return r;
    r.value += b * c.value;
    r.error += fabs(b) * c.error + 4e-16 * fabs(b * c.value);
    return r;
}

/* Returns a + b c, where b has an error, too. */
FN struct slope slope_add_product(struct slope a, struct slope b, struct slope c)
{
    struct slope r = slope_add(a, b.value, c);
    if (b.error > 0.0 && c.value != 0.0) r.error += b.error * fabs(c.value);
    return r;
}

/* Returns the error relative to max(1, |value|). */
FN double slope_relative_error(struct slope s)
{
    double size = fabs(s.value);
    return s.error == 0.0 ? 0.0 : s.error / (size > 1.0 ? size : 1.0);
}

/* Returns the slope with the smaller relative error. */
FN struct slope slope_more_accurate(struct slope a, struct slope b)
{
    return slope_relative_error(b) < slope_relative_error(a) ? b : a;
}

#endif
