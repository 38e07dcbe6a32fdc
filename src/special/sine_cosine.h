/* Vectorisable sine and cosine of an angle up to pi/4 (see exponential.h).
 *
 *     sin(x) = x + x y p(y),   cos(x) = 1 - (y/2 - y^2 q(y)),   y = x^2,
 *
 * where p and q are polynomials of degree 5 (data-raw/elementary-polynomials.py; relative errors 3.62e-18 and
 * 5.56e-20).  Error: below 1 ulp.
 *
 * Domain: |x| <= pi/4 (rounded up to a double).
 */
#ifndef STABLECL_SPECIAL_SINE_COSINE_H
#define STABLECL_SPECIAL_SINE_COSINE_H

#include "dialect.h"

#define PI       3.14159265358979323846
#define PI_LO    1.2246467991473532e-16      /* pi - PI */
#define HALF_PI  1.57079632679489661923

/* Returns sin(x) and stores cos(x) in *cosine. */
LANE double sin_cos_octant(double x, double *cosine)
{
    double y = x * x, y2 = y * y, y4 = y2 * y2;
    double p = (-0.16666666666666630729 + y * 0.0083333333333221185847)
             + y2 * (-0.00019841269829589538556 + y * 2.7557313621386377275e-6)
             + y4 * (-2.5050747763025382166e-8 + y * 1.5896230169777625801e-10);
    double q = (0.041666666666666592922 + y * -0.0013888888888873056418)
             + y2 * (0.000024801587288851708541 + y * -2.7557314179297889627e-7)
             + y4 * (2.0875700842131547539e-9 + y * -1.1358536529546201267e-11);
    *cosine = 1.0 - (0.5 * y - y2 * q);
    return x + x * (y * p);
}

#endif
