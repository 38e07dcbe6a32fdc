/* core/product.h: points of products of rules with up to PRODUCT_NODES nodes along each axis, and sums over them.
 *
 * Point number q has the node q mod n_1 of the first axis, (q / n_1) mod n_2 of the second one, and so on.
 */
#ifndef STABLECL_PRODUCT_H
#define STABLECL_PRODUCT_H

#include "dialect.h"

#define PRODUCT_NODES 32
#define PRODUCT_SHARE 4096              /* points whose sums are formed together */

/* Of an axis: places in (0, 1), and weights that add up to 1. */
struct product_rule { double node[PRODUCT_NODES], weight[PRODUCT_NODES]; };

/* Of values v with weights w: sums of w v and w |v|. */
struct product_sums { double sum, size; };

#endif
