/* r_probe.c: pieces of the compiled code that only the tests call. */
#include "r_glue.h"
#include "core/standardise.h"

/* One block of Philox; words as doubles. */
SEXP r_philox(SEXP counter, SEXP key)
{
    struct philox_block c;
    struct philox_key k;

    if (TYPEOF(counter) != REALSXP || XLENGTH(counter) != 4 ||
        TYPEOF(key) != REALSXP || XLENGTH(key) != 2)
        Rf_error("invalid arguments");
    for (int i = 0; i < 4; i++) c.word[i] = (uint32)REAL(counter)[i];
    for (int i = 0; i < 2; i++) k.word[i] = (uint32)REAL(key)[i];
    c = philox4x32_10(c, k);
    SEXP y = Rf_allocVector(REALSXP, 4);
    for (int i = 0; i < 4; i++) REAL(y)[i] = c.word[i];
    return y;
}

/* hi, lo and `beyond` of (x - delta)/gamma. */
SEXP r_position(SEXP x, SEXP delta, SEXP gamma)
{
    SEXP y = PROTECT(Rf_allocVector(REALSXP, 3));
    struct abscissa z = position_of(Rf_asReal(x), Rf_asReal(delta), Rf_asReal(gamma), &REAL(y)[2]);

    REAL(y)[0] = z.hi;
    REAL(y)[1] = z.lo;
    UNPROTECT(1);
    return y;
}

/* delta + gamma (hi + lo). */
SEXP r_position_back(SEXP hi, SEXP lo, SEXP delta, SEXP gamma)
{
    struct abscissa z = { Rf_asReal(hi), Rf_asReal(lo), 0 };
    return Rf_ScalarReal(position_back(z, Rf_asReal(delta), Rf_asReal(gamma)));
}
