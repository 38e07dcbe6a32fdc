/* Points of a shifted rank-1 lattice with 2^m points, and two ways to make an integrand periodic.
 *
 *     y_j = frac(k z_j / 2^m + shift_j),   k = 0, ..., 2^m - 1,   j = 1, ..., 12,
 *
 * computed in units of 2^-32, where frac() is arithmetic modulo 2^32.  The lattice with 2^m points consists of the even
 * k of that with 2^(m+1), so that a larger lattice extends the sum of a smaller one.  z is constructed component by
 * component (data-raw/lattice.R; Nuyens and Cools 2006, doi:10.1090/S0025-5718-06-01785-6) for all m from 8 to
 * LATTICE_MOST together.
 *
 * A shift that is uniform on the cube makes the mean over the points unbiased, and the means over independent shifts
 * give an estimate of the error.  The error decreases like 1/n for integrands of bounded variation, and faster for
 * smooth periodic ones.  Two substitutions make an integrand periodic:
 *
 *     TENT    t -> 1 - |2t - 1|: continuous (the baker's transformation; Hickernell 2002), weight 1;
 *     SMOOTH  t -> t^3 (10 - 15 t + 6 t^2), weight 30 t^2 (1 - t)^2: two derivatives vanish at the ends (Korobov).
 */
#ifndef STABLECL_QUADRATURE_MONTE_CARLO_LATTICE_POINTS_H
#define STABLECL_QUADRATURE_MONTE_CARLO_LATTICE_POINTS_H

#include "importance_map.h"

#define LATTICE_LEAST 8                 /* smallest and largest m */
#define LATTICE_MOST  26
#define LATTICE_AXES  12

#define PERIODIC_NOT    0
#define PERIODIC_TENT   1
#define PERIODIC_SMOOTH 2

TABLE uint32 lattice_generator[LATTICE_AXES] = {
    1u, 19313785u, 6603937u, 44455449u, 40318125u, 6888769u, 41235905u, 17176149u, 37987477u, 2660609u, 6202785u,
    20775485u
};

/* Returns the coordinate of point k in units of 2^-32; 1 <= m. */
LANE uint32 lattice_phase(uint32 k, uint32 z, int m, uint32 shift)
{
    return k * (z << (32 - m)) + shift;
}

/* The points number first + step i, i < points, of several shifted lattices with 2^m points.  shift, share: the indices
 * of their first shift and of the first share of their points.  A job for a device has at most LATTICE_PARTS parts. */
#define LATTICE_PARTS 2
struct lattice_part { int m, periodic, shift, share; uint32 first, step, points; };

/* Sums over the values v, with weights w, at the points of a share: of v, |v|, v^2 and v^2/w (`even`); the largest |v|
 * and the number of its point. */
struct lattice_sums { double sum, size, square, even, largest, at; };

/* Adds the value v with weight w at point k. */
LANE void lattice_take(struct lattice_sums *to, double v, double w, double k)
{
    double size = fabs(v);
    to->sum += v;
    to->size += size;
    to->square += v * v;
    if (v != 0.0) to->even += v * v / w;
    if (size > to->largest) {
        to->largest = size;
        to->at = k;
    }
}

/* Adds the sums of other points.  If the largest values are equal, that of the point with the smaller number counts. */
LANE void lattice_join(struct lattice_sums *to, const struct lattice_sums *one)
{
    to->sum += one->sum;
    to->size += one->size;
    to->square += one->square;
    to->even += one->even;
    if (one->largest > to->largest || (one->largest == to->largest && one->at < to->at)) {
        to->largest = one->largest;
        to->at = one->at;
    }
}

struct periodic { double t, weight; };

LANE struct periodic periodic(int how, double t)
{
    struct periodic p;
    double s = 1.0 - t;
    p.t = t;
    p.weight = 1.0;
    if (how == PERIODIC_TENT) p.t = 1.0 - fabs(2.0 * t - 1.0);
    if (how == PERIODIC_SMOOTH) {
        p.t = t * t * t * (10.0 - t * (15.0 - 6.0 * t));
        p.weight = 30.0 * (t * s) * (t * s);
    }
    return p;
}

#endif
