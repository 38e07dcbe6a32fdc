/* The mode of a distribution whose node sets are stored (mode_search.h). */
#include "shape.h"
#include "mode_search.h"

/* Returns the mode, or its distance from zeta if `from_zeta` and alpha < MODE_BY_DISTANCE. */
static double mode_of(struct shape *s, int from_zeta)
{
    double a = shape_law(s)->alpha, b = shape_law(s)->beta, mode;
    struct mode_search m;
    struct argument x;
    if (mode_known(a, b, from_zeta, &mode)) return mode;
    shape_set(s, a, mode_beta(b), 1);
    mode_start(&m, a);
    while (mode_needs_slope(&m, &x)) mode_update(&m, shape_slope(s, x));
    mode = mode_result(&m, shape_law(s), b, from_zeta);
    shape_set(s, a, b, 1);
    return mode;
}

double shape_mode(struct shape *s)
{
    return mode_of(s, 0);
}

double shape_frame_mode(struct shape *s)
{
    return mode_of(s, 1);
}
