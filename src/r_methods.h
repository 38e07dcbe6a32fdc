#ifndef STABLECL_R_METHODS_H
#define STABLECL_R_METHODS_H

#include "r_glue.h"
#include "quadrature/method.h"

/* Sets the options of a job from a named list of doubles, in which choices are indices from 0 on and keys two words, to
 * their defaults where the list lacks them.  The list must outlive the job. */
void methods_set_options(const struct quadrature_method *, SEXP list, struct integral_job *);

#endif
