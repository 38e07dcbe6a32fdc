/* Translations of integrands: the SSA list as R holds it, nodes of common operations, and properties of R
 * expressions. */
#ifndef STABLECL_R_TRANSLATE_H
#define STABLECL_R_TRANSLATE_H

#include <Rversion.h>
#include "r_glue.h"
#include "integrand/ssa.h"

/* Functions of R that former versions lack. */
#if R_VERSION < R_Version(4, 5, 0)
#  define R_ClosureFormals FORMALS
#  define R_ClosureEnv     CLOENV
#  define R_ParentEnv      ENCLOS
#endif
#if R_VERSION < R_Version(4, 2, 0)
#  define R_existsVarInFrame(env, name) (Rf_findVarInFrame3(env, name, FALSE) != R_UnboundValue)
#endif

/* --- the SSA list (r_nodes.c) --- */

struct nodes {
    struct ssa ssa;
    int steps, max_nodes, max_steps;
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

/* --- R expressions (r_expression.c) --- */

/* Returns the value of a name in a frame of the translation or in those around it (R/integrand-expression.R), R's NULL
 * if there is none. */
SEXP expression_local(SEXP frame, SEXP name);

/* TRUE if R can evaluate the expression once, at translation. */
int expression_is_foldable(SEXP tr, SEXP frame, SEXP expr);

/* TRUE if a name refers to the function `fun` of R's base package; FALSE if it does not, or may do so in another
 * way. */
int expression_is_base(SEXP frame, SEXP name, SEXP fun);

/* TRUE for one number or truth value without attributes. */
int expression_is_number(SEXP x);

/* Returns a hash value of the text of a function. */
double expression_hash(SEXP formals, SEXP body);

#endif
