/* What the host and the kernels of integrals agree on, read by both compilers. */
#ifndef STABLECL_QUADRATURE_INTEGRALS_SHARED_H
#define STABLECL_QUADRATURE_INTEGRALS_SHARED_H

#include "monte_carlo/subcubes.h"
#include "adaptive/gauss_kronrod.h"
#include "monte_carlo/lattice_points.h"
#include "tensor/product_points.h"
#include "monte_carlo/line_search.h"

/* Lower limits of each axis, upper ones, and parameters. */
#define INTEGRAL_COLUMNS 32

/* The integrals of a chunk.  Their columns lie in one buffer, column k from start[k] on, and the breaks before them. */
struct device_integrals {
    double rel_tol, abs_tol, max_eval, option[INTEGRAL_OPTIONS];
    double launch_eval;                 /* evaluations after which an integral is left to the caller */
    double first;                       /* number of the first one in its call */
    int n, columns, breaks, doubles;    /* doubles: that come back of each */
    int capacity;                       /* intervals or boxes that a group has room for */
    int start[INTEGRAL_COLUMNS];
    int stride[INTEGRAL_COLUMNS];       /* 1, or 0 for a number that all share */
};

/* What comes back of an integral beside value and error (and a bound, where the use has one): the number of rules
 * applied, or of points if they differ, times NOTE_STATUSES, plus the status. */
#define NOTE_STATUSES 8
#define NOTE_MOST     (0xFFFFFFFFu / NOTE_STATUSES)

/* Work items of the group that sees to an integral which its first intervals do not finish, and rules that they apply
 * at a time. */
#define REFINE_LANES 64
#define REFINE_RULES 32                 /* whose values are there before they are added up, each by a lane */

/* What a group keeps of each interval, doubles and ints. */
#define REFINE_DOUBLES (4 + (int) (sizeof(struct estimate) / sizeof(double)))
#define REFINE_INTS    5

/* What a group keeps of each interval or box that it halves, besides where it lies and one int (lockstep.h). */
#define SUBREGION_DOUBLES 5

/* --- samples in a box ------------------------------------------------------------------- */

#define BOX_AXES  12
#define BOX_LANES 64                    /* work items of a group */

/* A buffer begins with `doubles`: parameters, then for each axis the nodes of its grid (quadrature/monte_carlo/importance_map.h), if `warped`. */
struct device_box {
    double scale, low[BOX_AXES], width[BOX_AXES];
    int doubles, mapped, parameters;
};

/* --- in cubes (quadrature/monte_carlo/subcubes.h) ------------------------------------------------------------ */

#define STRATA_LANE_BITS 6               /* BOX_LANES is 2 to that */

/* The shares from `first` on, of `shares`.  Behind the doubles of the box come the numbers of the cubes in the order of
 * their ranks.  Out come the sums of each share, then for each cube, by rank, a float. */
struct device_strata {
    struct device_box box;
    struct strata_plan plan;
    double part[BOX_AXES];              /* 1/cuts */
    struct philox_key key;
    uint32 round, integral;
    int first, shares, share_bits, cuts[BOX_AXES];
};

/* --- on lattices (quadrature/monte_carlo/lattice_points.h) ------------------------------------------------------- */

/* The shares from `first` on, of `shares`.  Behind the doubles of the box come BOX_AXES words for each shift.  Out come
 * the sums of each share; if `binned`, those of the bins, axis by axis, and the squares of the values, of one part. */
struct device_lattice {
    struct device_box box;
    int first, shares, share_bits, parts, binned;
    struct lattice_part part[LATTICE_PARTS];
};

/* --- on products of rules (quadrature/tensor/product_points.h) ---------------------------------------------- */

/* Shares from number first_share on, whose sums go to places from `first` on.  Behind the doubles of the box come, for
 * each part, the rules of the axes. */
struct device_product {
    struct device_box box;
    int first_share, first, share_bits, parts;
    struct product_part part[PRODUCT_PARTS];
};

/* --- sweeps (quadrature/monte_carlo/line_search.h) --------------------------------------------------------------- */

/* Sweeps from number `first` on.  Behind the doubles of the box come, for each, the point to set out from and |f|
 * there.  Out come LINE_SEARCH_DOUBLES for each. */
struct device_line_search { struct device_box box; int first, unused; };

/* --- pieces (quadrature/adaptive/genz_malik.h) --------------------------------------------------------- */

/* Boxes that a group evaluates at a time in d dimensions: as many as keep its work items busy with their points. */
#define BOXES_TOGETHER(d) ((d) < 7 ? REFINE_LANES >> ((d) - 1) : 1)

/* Pieces from `first` on, before `end`.  A buffer begins with the parameters; behind them come, for each piece, the
 * centre along every axis and the reaches.  Out comes what is found of each. */
struct device_subregions { int parameters, first, end, is_half; };

#endif
