/* Points of products of rules with up to PRODUCT_NODES nodes along each axis, and sums over them.
 *
 * Point number q has the node q mod n_1 of the first axis, (q / n_1) mod n_2 of the second one, and so on.
 */
#ifndef STABLECL_QUADRATURE_TENSOR_PRODUCT_POINTS_H
#define STABLECL_QUADRATURE_TENSOR_PRODUCT_POINTS_H

#include "../../special/dialect.h"

#define PRODUCT_NODES 32
#define PRODUCT_PARTS 6                 /* products that are summed together, at most */

/* One of them, with so many nodes along each axis; share: the number of its first share. */
#define PRODUCT_AXES 12
struct product_part { int nodes[PRODUCT_AXES], share; uint32 points_high, points_low; };

/* Of an axis: places in (0, 1), and weights that add up to 1. */
struct product_rule { double node[PRODUCT_NODES], weight[PRODUCT_NODES]; };

/* Of values v with weights w: sums of w v and w |v|. */
struct product_sums { double sum, size; };

#endif
