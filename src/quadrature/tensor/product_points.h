/* Points of products of rules with up to PRODUCT_NODES nodes along each axis, and sums over them.
 *
 * Point number q has node q mod n_1 of the first axis, node (q / n_1) mod n_2 of the second axis, and so on.
 */
#ifndef STABLECL_QUADRATURE_TENSOR_PRODUCT_POINTS_H
#define STABLECL_QUADRATURE_TENSOR_PRODUCT_POINTS_H

#include "../../special/dialect.h"

#define PRODUCT_NODES 32
#define PRODUCT_PARTS 6                 /* largest number of products that are summed together */

/* One product: nodes along each axis; share: the number of its first share; two words for its number of points. */
#define PRODUCT_AXES 12
struct product_part { int nodes[PRODUCT_AXES], share; uint32 points_high, points_low; };

/* The rule of an axis: nodes in (0, 1), and weights that add up to 1. */
struct product_rule { double node[PRODUCT_NODES], weight[PRODUCT_NODES]; };

/* Sums of w v and w |v| for values v with weights w. */
struct product_sums { double sum, size; };

#endif
