/* The SSA list of a translation: the nodes of an integrand in the order of their computation, and the program made of
 * them.
 *
 * A node is an operation of operations.h on earlier nodes, a coordinate or parameter of the points (NODE_INPUT), a
 * number written in the integrand (NODE_CONST), or a captured number (NODE_DATA), whose value is not part of the
 * structure of the program.  Nodes are numbered from 1 on.  Equal nodes are shared.  Nodes of one side of a branch are
 * not shared outside it, as they may have been skipped; nodes that are the same for all points (`uniform`) are computed
 * beforehand and shared everywhere.
 *
 * The list of items contains the nodes that are computed for each block of points, in order.  OP_SKIP and a label
 * enclose one side of a branch, which is skipped if the argument of OP_SKIP is true at no point.  OP_LOOP and a label
 * enclose a loop; NODE_CARRY is a register that keeps its value from one pass to the next, and NODE_MOVE(to, from) sets
 * it.  A label is the negative number of the node that it closes.
 */
#ifndef STABLECL_INTEGRAND_SSA_H
#define STABLECL_INTEGRAND_SSA_H

#include "program.h"

enum node_op { NODE_INPUT = OP_END, NODE_CONST, NODE_DATA, NODE_CARRY, NODE_MOVE, NODE_OPS };

#define NODE_ARGUMENTS 6        /* of a distribution: point, index, four parameters */

/* Properties that the values of a node have at all finite points. */
enum { NEVER_NAN = 1, ALWAYS_FINITE = 2, NEVER_NEGATIVE = 4 };

/* value: of numbers; the index from 1 on of an input; the number of passes of a loop.  label: identifies the origin of
 * a captured number, as numbers of different origins remain separate.  scope: depth of the branch or loop in which the
 * node can be shared, 0 outside of all; -1 if the node is never shared.  next: the next node with the same hash value,
 * 0 for the last. */
struct node {
    int op, arg[NODE_ARGUMENTS], uniform, properties, scope, next;
    double value;
    const void *label;
};

/* axes: number of coordinates, which are the first inputs. */
struct ssa {
    struct node *node;
    int count, node_capacity, *item, length, item_capacity, *bucket, buckets, scope, axes;
};

/* Return 0 or a failure code; ssa_free() may be called in any case. */
int ssa_open(struct ssa *, int axes, struct status *);
void ssa_free(struct ssa *);

/* Return the number of arguments, and whether argument k is a node; it may be the index of a table or law from 1 on. */
int node_arity(int op);
int is_node_argument(int op, int k);

/* Return the number of a node, 0 if memory is short.  ssa_share() returns an equal node if there is one;
 * ssa_append() always makes a new one and, if `listed`, appends it to the items.  node: op, arg, value and label. */
int ssa_share(struct ssa *, const struct node *node);
int ssa_append(struct ssa *, const struct node *node, int listed);

/* Appends the label that closes a node; returns 0 if memory is short. */
int ssa_close(struct ssa *, int id);

/* Nodes made between the two calls are not shared afterwards unless they are uniform.  first: the value of
 * ssa_scope_open(). */
int ssa_scope_open(struct ssa *);
void ssa_scope_close(struct ssa *, int first);

/* Removes the nodes after the first `count`, and the items after the first `length`. */
void ssa_truncate(struct ssa *, int count, int length);

/* The program of one or several values: nodes that are not needed are dropped, each value gets a register from its
 * first to its last use, and numbers and uniform nodes become constants.  code and prelude: `count` and `prelude_count`
 * instructions.  operand: the operand of each node from number 1 on, if it is needed; 0 of other uniform nodes.  pool:
 * the values of the constants. */
struct assembly {
    int count, prelude_count, registers, constants, components, captured_count;
    struct instruction *code, *prelude;
    int *operand, *captured, *result;
    double *pool;
    void *memory;
};

/* Assembles the program whose values are the nodes `result`, `components` in number.  inputs: coordinates and
 * parameters.  Returns 0 or a failure code; assembly_free() may be called in any case. */
int assembly_open(struct assembly *, const struct ssa *, int inputs, const int *result, int components,
                  struct status *);
void assembly_free(struct assembly *);

#endif
