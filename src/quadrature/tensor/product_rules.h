/* Products of Gauss-Legendre rules with up to PRODUCT_NODES nodes along each axis, sums over their points, Legendre
 * coefficients from the values at the nodes of a rule, and the breaks of an integrand along the axes.
 *
 * Point number q of a product has node q mod n_1 of the first axis, node (q / n_1) mod n_2 of the second axis, and so
 * on.
 */
#ifndef STABLECL_QUADRATURE_TENSOR_PRODUCT_RULES_H
#define STABLECL_QUADRATURE_TENSOR_PRODUCT_RULES_H

#include "../../special/dialect.h"

#define PRODUCT_NODES 32
#define PRODUCT_PIECES 4                /* largest number of pieces of an axis, each with a rule of its own */
#define PRODUCT_PARTS 6                 /* largest number of products that are summed together */

/* One product: nodes along each axis; share: the number of its first share; two words for its number of points. */
#define PRODUCT_AXES 12
struct product_part { int nodes[PRODUCT_AXES], share; uint32 points_high, points_low; };

/* The rule of an axis: nodes in (0, 1), and weights that add up to 1. */
struct product_rule { double node[PRODUCT_NODES], weight[PRODUCT_NODES]; };

/* Sums of w v and w |v| for values v with weights w. */
struct product_sums { double sum, size; };

/* --- one axis (legendre.c, on the host only) --- */

#define LEGENDRE_HALF PRODUCT_NODES
#define LEGENDRE_FINE (2 * LEGENDRE_HALF)       /* number of nodes of the finest rule */

/* A rule on [0, 1], with weights that add up to 1. */
struct legendre_rule { int n; double node[LEGENDRE_FINE], weight[LEGENDRE_FINE]; };

/* Returns the rule with n nodes, 1 <= n <= LEGENDRE_HALF or n = LEGENDRE_FINE. */
const struct legendre_rule *legendre_rule(int n);

/* Computes the Legendre coefficients of a function with the given values at the nodes of the finest rule: those of
 * degrees 2i and 2i + 1, i = 0, ..., LEGENDRE_HALF - 1. */
void legendre_coefficients(const double *value, double *even, double *odd);

/* --- lines along the axes (lines.c, on the host only) --- */

#define PRODUCT_LINES 16                /* number of lines along each axis */
#define LINES_SMOOTH  1e-5              /* f is smooth if coefficients fall by this factor */

/* The pieces of the axes of the unit cube, from end[p] to end[p + 1].  tail: the tail of the Legendre series on each
 * piece that rules with n nodes omit, n = 0, ..., PRODUCT_NODES, as sums over `lines` lines.  tail_share: the largest
 * share of the tail in the coefficients on a piece of a line.  is_final: TRUE if the breaks of an axis are known;
 * unsuccessful: number of searches without a break. */
struct product_lines {
    int lines, pieces[PRODUCT_AXES], is_final[PRODUCT_AXES], unsuccessful[PRODUCT_AXES];
    double end[PRODUCT_AXES][PRODUCT_PIECES + 1], tail[PRODUCT_AXES][PRODUCT_PIECES][PRODUCT_NODES + 1];
    double tail_share[PRODUCT_AXES][PRODUCT_NODES + 1];
};

struct monte_carlo;

/* Initialises the lines: no axis is divided. */
void lines_begin(struct product_lines *, int dim);

/* Adds another line along each axis.  If breaks are found, the axes are divided, and all lines so far are discarded.
 * Returns 0 if the computation must stop. */
int lines_add(struct monte_carlo *, struct product_lines *, int *is_divided);

/* Returns the largest number of nodes on a piece of an axis. */
int lines_max_nodes(const struct product_lines *, int axis);

/* Returns the sum over all pieces of the tails that rules with n nodes omit along an axis. */
double lines_tail(const struct product_lines *, int axis, int n);

/* TRUE if the coefficients fall by `smooth` along every axis within half the nodes that a piece may have. */
int lines_are_smooth(const struct product_lines *, int dim, double smooth);

/* --- sparse products (sparse.c, on the host only) --- */

struct sparse_result { double value, error; int is_reached; };

/* Integrates f, of which all lines are known, with at most `max_eval` evaluations.  Without a result the error is
 * infinite. Returns 0 if the computation must stop. */
int sparse_run(struct monte_carlo *, double max_eval, struct sparse_result *);

#endif
