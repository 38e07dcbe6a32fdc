/* Points of a shifted rank-1 lattice with 2^m points, and two ways to make an integrand periodic.
 *
 *     y_j = frac(k z_j / 2^m + shift_j),   k = 0, ..., 2^m - 1,   j = 1, ..., AXES_MAX,
 *
 * computed in units of 2^-32, where frac() is arithmetic modulo 2^32.  The lattice with 2^m points consists of the even
 * k of that with 2^(m+1), so that a larger lattice extends the sum of a smaller one.  z is constructed component by
 * component (data-raw/lattice.R; Nuyens and Cools 2006, doi:10.1090/S0025-5718-06-01785-6) for all m from 8 to
 * LATTICE_MAX together.
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

#include "../axes.h"
#include "importance_map.h"

#define LATTICE_MIN   8                 /* smallest and largest m */
#define LATTICE_MAX   26

#define PERIODIC_NOT    0
#define PERIODIC_TENT   1
#define PERIODIC_SMOOTH 2

TABLE uint32 lattice_generator[AXES_MAX] = {
    1u, 19313785u, 6603937u, 44455449u, 40318125u, 6888769u, 41235905u, 17176149u, 37987477u, 2660609u, 6202785u,
    20775485u, 20122561u, 12151305u, 48811697u, 29945217u, 30640641u, 2765229u, 659493u, 4707253u, 5702301u,
    19819981u, 29108373u, 41798369u, 21366669u, 38743261u, 29216773u, 6296725u, 49928601u, 61355321u, 35639877u,
    29194149u, 44083433u, 63535617u, 10064845u, 10409745u, 51914489u, 61756809u, 21558521u, 26048893u, 49964865u,
    13109109u, 21071137u, 55264357u, 15178093u, 56361589u, 65447849u, 63107513u, 15209721u, 32716897u, 66601461u,
    7837405u, 47258953u, 43284709u, 12819261u, 51036057u, 11212933u, 55504165u, 65096749u, 43350261u, 65227021u,
    40806649u, 11104489u, 59593753u, 6085453u, 1886345u, 8922545u, 57676201u, 44919033u, 17609869u, 56218829u,
    20493477u, 26778277u, 61065229u, 62241737u, 11153245u, 46698461u, 37040125u, 6011281u, 60247785u, 37715325u,
    61399529u, 59163765u, 56167349u, 42571913u, 5058329u, 2002641u, 46704897u, 18766757u, 3144037u, 46578845u,
    31026013u, 35405689u, 52542673u, 45613225u, 56511229u, 18286573u, 66603081u, 56191573u, 52679353u
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
struct lattice_sums { real sum, size, square, even, largest, at; };

/* Adds the value v with weight w at point k. */
LANE void lattice_add_value(struct lattice_sums *to, real v, real w, real k)
{
    real size = fabs(v);
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

struct periodic { real t, weight; };

/* Makes the integrand periodic at t; s: 1 - t. */
LANE struct periodic periodic(int how, real t, real s)
{
    struct periodic p;
    p.t = t;
    p.weight = 1.0;
    if (how == PERIODIC_TENT) p.t = 2.0 * (t < s ? t : s);
    if (how == PERIODIC_SMOOTH) {
        p.t = t * t * t * (10.0 - t * (15.0 - 6.0 * t));
        p.weight = 30.0 * (t * s) * (t * s);
    }
    return p;
}

#endif
