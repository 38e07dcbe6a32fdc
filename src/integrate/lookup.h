/* integrate/lookup.h: values of tables, with the rules of R's approxfun() and splinefun(). */
#ifndef STABLECL_LOOKUP_H
#define STABLECL_LOOKUP_H

#include "program.h"

double lookup(const struct table *, double x);

#endif
