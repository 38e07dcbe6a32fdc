/* Questions about R expressions during a translation. */
#ifndef STABLECL_R_EXPRESSION_H
#define STABLECL_R_EXPRESSION_H

#include "r_glue.h"

/* Returns the value of a name in a frame of the translation or in those around it (R/integrand-expression.R), R's NULL
 * if there is none. */
SEXP expression_local(SEXP frame, SEXP name);

/* TRUE if R can evaluate the expression once, at translation. */
int expression_is_foldable(SEXP tr, SEXP frame, SEXP expr);

/* TRUE if a name refers to the function `fun` of R's base package; FALSE if it does not, or may do so in another
 * way. */
int expression_is_own(SEXP frame, SEXP name, SEXP fun);

/* TRUE for one number or truth value without attributes. */
int expression_is_number(SEXP x);

/* Returns the value of an expression of numbers that are written in the integrand and of R's arithmetic, if it is one
 * number, else R's NULL.  R finds no error in such an expression. */
SEXP expression_constant(SEXP frame, SEXP expr);

/* Returns a hash value of the text of a function. */
double expression_hash(SEXP formals, SEXP body);

#endif
