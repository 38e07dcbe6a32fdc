/* The mode of the density, computed as the zero of d log f / d x.
 *
 * For alpha < MODE_BY_DISTANCE (user_law.h), the mode of a skewed distribution lies so close to zeta that log|x - zeta|
 * is used as the coordinate.  The mode lies right of zeta for beta > 0, left of it for beta < 0.
 *
 * Error: the slope is accurate to 1e-15, hence the mode to about 1e-14 of the width of the peak, however flat it is.
 */
#include "shape.h"
#include "user_law.h"

#define SMALL_BETA 1e-4

struct search { struct shape *shape; int by_distance; };

static double slope_at(const struct search *m, double v)
{
    struct abscissa x = { m->by_distance ? exp(v) : v, 0.0, m->by_distance };
    return shape_slope(m->shape, x) * (m->by_distance ? x.hi : 1.0);
}

/* Returns the zero of a function that is positive at lo and negative at hi, by regula falsi with the Illinois
 * modification (Dowell & Jarratt 1971, doi:10.1007/BF01934364). */
static double falling_zero(const struct search *m, double lo, double hi)
{
    double f = slope_at(m, lo), g = slope_at(m, hi);
    for (int i = 0; i < 200 && hi - lo > 1e-15 * (fabs(lo) + fabs(hi)); i++) {
        double v = i % 8 == 7 ? 0.5 * (lo + hi) : (lo * g - hi * f) / (g - f);
        if (!(v > lo && v < hi)) v = 0.5 * (lo + hi);
        double h = slope_at(m, v);
        if (h == 0.0) return v;
        if (h > 0.0) {
            lo = v;
            f = h;
            g *= 0.5;
        } else {
            hi = v;
            g = h;
            f *= 0.5;
        }
        if (v == lo && hi - lo <= 2e-16 * fabs(v)) break;
    }
    return 0.5 * (lo + hi);
}

/* Returns the mode for beta > 0 (beta < 0 follows exactly by reflection).  For alpha < MODE_BY_DISTANCE this is the
 * distance from zeta, or 0 if that underflows. */
static double mode_right(struct shape *s)
{
    struct search m = { s, shape_law(s)->alpha < MODE_BY_DISTANCE };
    if (!m.by_distance) return falling_zero(&m, -3.0, 3.0);
    double v = 2.0;
    while (v > -700.0 && slope_at(&m, v) <= 1e-13) v -= 1.0;
    return v <= -700.0 ? 0.0 : exp(falling_zero(&m, v, v + 1.5));
}

/* Returns the mode, or its distance from zeta if `from_zeta` and alpha < MODE_BY_DISTANCE. */
static double mode_of(struct shape *s, int from_zeta)
{
    double a = shape_law(s)->alpha, b = shape_law(s)->beta, size = fabs(b), mode;
    int is_distance = a < MODE_BY_DISTANCE;
    if (a == 2.0 || b == 0.0) return 0.0;
    if (a == 0.5 && size == 1.0) return b * (from_zeta ? 1.0 / 3.0 : 1.0 / 3.0 - 1.0);
    shape_set(s, a, size < SMALL_BETA ? SMALL_BETA : size);
    mode = mode_right(s);
    if (is_distance && !from_zeta) mode += shape_law(s)->law.zeta.hi;
    if (size < SMALL_BETA) mode *= size / SMALL_BETA;    /* odd in beta: linear with a relative error of 1e-8 */
    shape_set(s, a, b);
    return b > 0.0 ? mode : -mode;
}

double shape_mode(struct shape *s)
{
    return mode_of(s, 0);
}

double shape_frame_mode(struct shape *s)
{
    return mode_of(s, 1);
}
