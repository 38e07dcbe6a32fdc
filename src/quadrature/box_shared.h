/* Constants and structs that the host and the kernels of points in a box share, of either precision; compiled as C and
 * as OpenCL C. */
#ifndef STABLECL_QUADRATURE_BOX_SHARED_H
#define STABLECL_QUADRATURE_BOX_SHARED_H

#include "monte_carlo/lattice_points.h"
#include "monte_carlo/subcubes.h"

/* Largest number of columns: lower limits of all axes, upper limits of all axes, and parameters. */
#define INTEGRAL_COLUMNS 32

/* --- points in a box ------------------------------------------------------------- */

#define BOX_ITEMS 64                    /* work items of a group that evaluates points in a box */

/* Values are multiplied by 2^exponent.  A buffer begins with this many numbers of type real, `doubles`: the parameters,
 * the lower end of the box along each axis, its width along each axis and, if `mapped`, the nodes of the importance map
 * of each axis (quadrature/monte_carlo/importance_map.h). */
struct device_box { int doubles, mapped, parameters, exponent; };

/* --- lattices (quadrature/monte_carlo/lattice_points.h) -------------------------- */

/* Of `shares` shares, a run computes those from `first` on.  The doubles of the box are followed by AXES_MAX words for
 * each shift.  The output is the sums of each share and, if `binned`, the sums of the bins, axis by axis, and the
 * squares of the values of a single part. */
struct device_lattice {
    struct device_box box;
    int first, shares, share_bits, parts, binned;
    struct lattice_part part[LATTICE_PARTS];
};

/* Sums over the points of a share in single precision: of the values and of their absolute values, each as the sum of
 * two numbers. */
struct lattice_single_sums { float sum, sum_low, size, size_low; };

/* --- strata (quadrature/monte_carlo/subcubes.h) ---------------------------------- */

#define BOX_ITEM_BITS 6               /* BOX_ITEMS is 2 to this power */

/* Of `shares` shares, a run computes those from `first` on.  The numbers of the box are followed by the numbers of the
 * strata in the order of their ranks.  The output is the sums of each share, in units of its first subcube, then one
 * float for each stratum, by rank. */
struct device_strata {
    struct device_box box;
    struct strata_plan plan;
    struct philox_key key;
    uint32 round, integral;
    int first, shares, share_bits, cuts[STRATA_AXES];
};

/* struct strata_sums in single precision. */
struct strata_single_sums { float mean, mean_low, square, fourth; };

#endif
