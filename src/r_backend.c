/* r_backend.c: the R side of R/backend.R. */
#include "r_glue.h"

/* The number of threads in force before the call; n is NULL or the new wish,
 * checked in R, 0 for the default. */
SEXP r_threads(SEXP n)
{
    glue_read_options();
    int before = backend_threads();
    if (n != R_NilValue) backend_wish_threads(Rf_asInteger(n), -1);
    return Rf_ScalarInteger(before);
}

/* Called by .onUnload: R looks for no R_unload_stablecl where dynamic symbols
 * are off. */
SEXP r_unload(void)
{
    backend_unload();
    glue_unload();
    return R_NilValue;
}
