/* Constants and structs shared by the host and the kernels of integrals; compiled as C and as OpenCL C. */
#ifndef STABLECL_QUADRATURE_INTEGRALS_SHARED_H
#define STABLECL_QUADRATURE_INTEGRALS_SHARED_H

#include "box_shared.h"
#include "adaptive/gauss_kronrod.h"
#include "tensor/product_rules.h"

/* One chunk of integrals.  One buffer holds the breaks, then the columns; column k begins at start[k]. */
struct device_integrals {
    double rel_tol, abs_tol, max_eval;
    union method_options option;
    double launch_eval;                 /* evaluations after which an integral is left to the caller */
    double first;                       /* number of the chunk's first integral in its call */
    int n, columns, breaks, doubles;    /* doubles: results returned for each integral */
    int capacity;                       /* intervals or boxes for which a group has memory */
    int start[INTEGRAL_COLUMNS];
    int stride[INTEGRAL_COLUMNS];       /* 1, or 0 for a number shared by all integrals */
    int values_only;                    /* 1: the integrand is evaluated at n points (ranges_kernel.h) */
};

/* Besides value and error (and a bound, for methods that compute one), each integral returns one word: PACKED_STATUSES
 * times a count, plus the status.  The count is that of rule applications, or of points if rules differ in their
 * numbers of points. */
#define PACKED_STATUSES 16
#define PACKED_MAX      (0xFFFFFFFFu / PACKED_STATUSES)

/* Work items of a group that refines one integral, and rule applications that a group evaluates at a time. */
#define REFINE_ITEMS 64
#define REFINE_RULES 32                 /* their values are computed first, then each is summed by one work item */

/* Doubles and ints that a group of gk_refine stores for each interval. */
#define REFINE_DOUBLES (4 + (int) (sizeof(struct estimate) / sizeof(double)))
#define REFINE_INTS    5

/* Doubles that a group stores for each interval or box besides its shape and one int (refinement_kernel.h). */
#define SUBREGION_DOUBLES 5

/* --- products of rules (quadrature/tensor/product_rules.h) ---------------------- */

/* A run computes shares from number first_share on and writes their sums from position `first` on.  The doubles of the
 * box are followed, for each part, by the rules of its axes. */
struct device_product {
    struct device_box box;
    int first_share, first, share_bits, parts;
    struct product_part part[PRODUCT_PARTS];
};

/* --- line searches (quadrature/monte_carlo/importance_map.h) --------------------- */

/* A run computes line searches from number `first` on.  The doubles of the box are followed, for each search, by its
 * starting point and |f| there.  The output is LINE_SEARCH_DOUBLES for each. */
struct device_line_search { struct device_box box; int first, unused; };

/* --- subregions (quadrature/adaptive/genz_malik.h) ------------------------------- */

/* Boxes that a group evaluates at a time in d dimensions: enough to occupy its work items with their points. */
#define BOXES_TOGETHER(d) ((d) < 7 ? REFINE_ITEMS >> ((d) - 1) : 1)

/* Boxes number first, ..., end - 1.  The input holds the parameters, then for each box its centre along every axis and
 * half its widths.  The output is one struct genz_malik_result for each. is_half: each is half of another box. */
struct device_subregions { int parameters, first, end, is_half; };

/* --- steppers (quadrature/published/drivers.h) -------------------------------------- */

/* Steppers number first, ..., end - 1 of `count`, each of which is advanced at most `rounds` times.  The input holds
 * the steppers, then each parameter for all of them.  The output is each stepper, followed by `capacity` points. */
struct device_steppers {
    union method_options option;
    int first, end, count, rounds, capacity, unused;
};

/* --- points of an integrand with several components -------------------------------- */

/* Points number first, ..., end - 1 of `count`.  The input holds the parameters, then the coordinates of all points
 * along each axis.  The output is the values of the components, point by point. */
struct device_points { int parameters, count, first, end; };

#endif
