/* Sums over points of products of rules (quadrature/tensor/product_rules.h; quadrature/tensor/product.c).
 *
 * A group of work items computes one share: the work items share its points, and their sums are combined pairwise.
 */
#include "../monte_carlo/unit_cube_kernel.h"

/* Returns the value at a point, times its weight. */
static double product_value(const struct device_box *box, const struct product_part *part, ulong point,
                            __global const struct product_rule *rule, __global const double *column, POOL pool,
                            TABLES table)
{
    double y[AXES], one = 1.0, weight = 1.0;
    for (int axis = 0; axis < AXES; axis++) {
        int digit = (int) (point % (ulong) part->nodes[axis]);
        point /= (ulong) part->nodes[axis];
        y[axis] = rule[axis].node[digit];
        weight *= rule[axis].weight[digit];
    }
    return value_at(box, y, &one, column, pool, table) * weight;
}

static struct product_sums product_joined(struct product_sums a, struct product_sums b)
{
    struct product_sums both = { a.sum + b.sum, a.size + b.size };
    return both;
}

__kernel __attribute__((reqd_work_group_size(BOX_ITEMS, 1, 1))) void product_sums(
    const struct device_product job, __global const double *column, POOL pool, TABLES table, __global double *out)
{
    __global const struct product_rule *rule = (__global const struct product_rule *) (column + job.box.doubles);
    __global struct product_sums *sums = (__global struct product_sums *) out;
    __local struct product_sums partial[BOX_ITEMS];
    int item = (int) get_local_id(0), group = (int) get_group_id(0), share = job.first_share + group;
    int number = 0;
    for (int k = 1; k < PRODUCT_PARTS; k++) number += k < job.parts && share >= job.part[k].share;
    struct product_part part = job.part[number];
    ulong points = (ulong) part.points_high << 32 | part.points_low;
    ulong from = (ulong) (share - part.share) << job.share_bits, to = min(from + (1ul << job.share_bits), points);
    struct product_sums total = { 0.0, 0.0 };

    rule += number * AXES;
    for (ulong point = from + (ulong) item; point < to; point += BOX_ITEMS) {
        double v = product_value(&job.box, &part, point, rule, column, pool, table);
        total.sum += v;
        total.size += fabs(v);
    }
    REDUCE_GROUP(total, BOX_ITEMS, partial, product_joined);
    if (item == 0) sums[job.first + group] = total;
}
