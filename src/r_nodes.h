/* The SSA list of a translation as R holds it, and nodes of common operations. */
#ifndef STABLECL_R_NODES_H
#define STABLECL_R_NODES_H

#include "r_glue.h"
#include "integrand/ssa.h"

struct nodes {
    struct ssa ssa;
    int steps, most_nodes, most_steps;
};

/* Returns the list of a handle; an R error if it was released. */
struct nodes *nodes_from(SEXP handle);

/* Returns the number of an operation (enum operation, special or node_op) from its name, a CHARSXP. */
int node_op_of(SEXP name);

/* Return a node, 0 if memory is short or an argument is 0.  b is unused if the operation has one argument. */
int node_operation(struct ssa *, int op, int a, int b);
int node_number(struct ssa *, double value);

/* Returns the node of a captured number, 0 if memory is short.  label: its origin, a CHARSXP that is protected. */
int node_captured(SEXP handle, double value, SEXP label);

/* Returns the node of a^k for 2k a whole number, as products and square roots.  R treats -0 as 0 in powers other than
 * 2: where the sign would matter, adding 0 makes it positive. */
int node_small_power(struct ssa *, int a, double k);

#endif
