/* Entry points of R/stable-approximate.R: approximate log densities and scores from tables. */
#include <limits.h>
#include "r_glue.h"
#include "interpolant/tensor_approximation.h"

static SEXP kept;                       /* a list of the R vectors that contain the tables */

/* Returns an element of the list; an R error if it has another type. */
static SEXP part(SEXP list, const char *name, SEXPTYPE type)
{
    SEXP value = glue_element(list, name);
    if (TYPEOF(value) != (int)type) Rf_error("'%s' of the tables has the wrong type", name);
    return value;
}

/* Returns integers, given as four planes of bytes, the lowest bytes first.  Signs are in the lowest bit: 2k stands
 * for k, 2k + 1 for -k - 1. */
static SEXP unpacked(SEXP planes)
{
    R_xlen_t n = XLENGTH(planes) / 4;
    SEXP y = Rf_allocVector(INTSXP, n);
    for (R_xlen_t i = 0; i < n; i++) {
        const unsigned char *byte = RAW(planes) + i;
        unsigned folded = byte[0] | (unsigned)byte[n] << 8 | (unsigned)byte[2 * n] << 16 | (unsigned)byte[3 * n] << 24;
        INTEGER(y)[i] = folded & 1 ? -(int)(folded >> 1) - 1 : (int)(folded >> 1);
    }
    return y;
}

/* Sets the tables, which data-raw/quick-tables.R has computed. */
SEXP r_tables(SEXP list)
{
    SEXP low = PROTECT(unpacked(part(list, "low", RAWSXP))), high = PROTECT(unpacked(part(list, "high", RAWSXP)));
    SEXP cells = part(list, "cells", REALSXP), bases = part(list, "bases", INTSXP);
    SEXP pieces = part(list, "pieces", INTSXP);
    struct tables t = {
        (const struct table_cell *)REAL(cells), (const struct table_base *)INTEGER(bases),
        (const struct table_piece *)INTEGER(pieces), RAW(part(list, "count", RAWSXP)),
        INTEGER(low), INTEGER(high),
        Rf_ncols(cells), Rf_ncols(bases), Rf_ncols(pieces),
        (size_t)XLENGTH(part(list, "count", RAWSXP)), (size_t)XLENGTH(low), (size_t)XLENGTH(high)
    };
    if (kept) R_ReleaseObject(kept);
    kept = Rf_list3(list, low, high);
    R_PreserveObject(kept);
    tables_set(&t);
    UNPROTECT(2);
    return R_NilValue;
}

void approximate_unload(void)
{
    tables_set(NULL);
    if (kept) R_ReleaseObject(kept);
    kept = NULL;
}

/* Returns the n x 5 log densities and scores of the data under one law (alpha, beta, gamma, delta), or, if `sums`,
 * their weighted sums (weight NULL: 1), of which those of the scores are valid if `scores` is TRUE.  All arguments
 * are checked in R; dimnames are added there. */
SEXP r_approximate(SEXP data, SEXP law, SEXP pm, SEXP weight, SEXP sums, SEXP scores)
{
    int form = glue_parametrisation(pm), only_sums = Rf_asLogical(sums), nans = 0;
    SEXP x = glue_data(data);
    struct status st = { ST_OK, "" };

    if (!only_sums && XLENGTH(x) > INT_MAX) Rf_error("a matrix has at most %d rows", INT_MAX);
    SEXP y = PROTECT(only_sums ? Rf_allocVector(REALSXP, APPROXIMATE_SUMS)
                               : Rf_allocMatrix(REALSXP, (int)XLENGTH(x), APPROXIMATE_COLUMNS));
    struct approximate_job job = {
        (size_t)XLENGTH(x), glue_column(x), glue_weights(weight), glue_one_law(law, form),
        Rf_asLogical(scores) != TRUE, only_sums ? NULL : REAL(y), NULL, glue_data_number(data), NULL
    };
    glue_read_options();
    if (backend_approximate(&job, glue_interrupted, only_sums ? REAL(y) : NULL, &nans, &st)) glue_raise(&st);
    glue_notice();
    if (nans && !only_sums) Rf_warning("NaNs produced");
    UNPROTECT(1);
    return y;
}
