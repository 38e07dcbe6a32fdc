/* Entry points of R/fit-data.R: data that are used for many log-likelihoods.
 *
 * A handle is an external pointer whose protected value is the vector itself.  Its address points to the number under
 * which a device may cache a copy.  The vector is used instead after the device is lost, in a forked child, and for a
 * handle that was saved and restored.  It is also used for a handle of another copy of this library, one that was
 * unloaded before this one was installed over it: the numbers of that copy are not valid here.  The tag of a handle
 * identifies the copy that created it.
 */
#include <limits.h>
#include <string.h>
#include "r_glue.h"
#include "base/memory.h"
#include "interpolant/coefficient_code.h"
#include "interpolant/tensor_approximation.h"

static SEXP this_copy;

void data_load(void)
{
    if (this_copy) return;
    this_copy = R_MakeExternalPtr(NULL, R_NilValue, R_NilValue);
    R_PreserveObject(this_copy);
}

unsigned long glue_data_number(SEXP data)
{
    if (TYPEOF(data) != EXTPTRSXP || R_ExternalPtrTag(data) != this_copy) return 0;
    const unsigned long *number = R_ExternalPtrAddr(data);
    return number ? *number : 0;
}

/* Finalizer of a handle. */
static void finalise_handle(SEXP handle)
{
    unsigned long *number = R_ExternalPtrAddr(handle);
    if (!number) return;
    R_ClearExternalPtr(handle);
    backend_forget(*number);
    memory_release(number);
}

/* Returns a handle of x, a double vector, checked in R. */
SEXP r_data(SEXP x)
{
    SEXP handle = PROTECT(R_MakeExternalPtr(NULL, this_copy, x));
    R_RegisterCFinalizerEx(handle, finalise_handle, TRUE);
    MARK_NOT_MUTABLE(x);
    unsigned long *number = memory_allocate(sizeof *number);
    if (!number) glue_raise_memory("a handle");
    *number = backend_data();
    R_SetExternalPtrAddr(handle, number);
    UNPROTECT(1);
    return handle;
}

/* Returns the weighted (NULL: 1) sum of the log densities of the data, a vector or a handle, under one law (alpha,
 * beta, gamma, delta).  calls: the expected number of consecutive calls with this alpha and beta.  All are doubles,
 * checked in R, but is_single, which is TRUE for single precision. */
SEXP r_loglik(SEXP data, SEXP law, SEXP pm, SEXP weight, SEXP calls, SEXP is_single)
{
    int form = glue_parametrisation(pm);
    SEXP x = glue_data(data);
    struct status st = { ST_OK, "" };
    double sum = 0.0;

    if (XLENGTH(x) == 0) return Rf_ScalarReal(0.0);
    struct element_job job = {
        .quantity = JOB_LOGLIK, .n = (size_t)XLENGTH(x), .ahead = (size_t)(REAL(calls)[0] * (double)XLENGTH(x)),
        .x = glue_column(x), .weight = glue_weights(weight), .laws = glue_one_law(law, form),
        .data = glue_data_number(data),
        .precision = Rf_asLogical(is_single) == TRUE ? PRECISION_SINGLE : PRECISION_DOUBLE
    };
    int nans;
    glue_read_options();
    if (backend_sums(&job, glue_interrupted, &sum, &nans, &st)) glue_raise(&st);
    glue_warn_devices();
    return Rf_ScalarReal(sum);
}

/* Returns the same sum, unweighted, for each of many laws, the rows of an n x 4 matrix of doubles, from tensor
 * approximations where these exist. */
SEXP r_logliks(SEXP data, SEXP laws, SEXP pm)
{
    int form = glue_parametrisation(pm), n = Rf_nrows(laws);
    const double *p = REAL(laws);
    SEXP x = glue_data(data), sum = PROTECT(Rf_allocVector(REALSXP, n));
    struct status st = { ST_OK, "" };
    struct element_job job = {
        .quantity = JOB_LOGLIKS, .n = (size_t)n, .x = glue_column(x), .laws.pm = form, .out = { REAL(sum) },
        .data = glue_data_number(data)
    };
    struct column *column[] = { &job.laws.alpha, &job.laws.beta, &job.laws.gamma, &job.laws.delta };

    for (int k = 0; k < 4; k++) {
        column[k]->at = p + (size_t)k * (size_t)n;
        column[k]->length = (size_t)n;
    }
    glue_read_options();
    if (n > 0 && backend_logliks(&job, glue_interrupted, &st)) glue_raise(&st);
    glue_warn_devices();
    UNPROTECT(1);
    return sum;
}

/* --- approximate log densities and scores from tables (R/stable-approximate.R) --- */

static SEXP table_objects;              /* a list of the R objects that contain the tables */

/* Returns an element of the list; an R error if it has another type. */
static SEXP element_of_type(SEXP list, const char *name, SEXPTYPE type)
{
    SEXP value = glue_element(list, name);
    if (TYPEOF(value) != (int)type) Rf_error("'%s' of the tables has the wrong type", name);
    return value;
}

/* Sets one part of the coefficients, whose code and its division among the cells are elements of the list, and returns
 * the vector for the decoded integers. */
static SEXP set_part(struct tables *t, struct table_part *part, SEXP list, const char *code, const char *start)
{
    SEXP bytes = element_of_type(list, code, RAWSXP), first = element_of_type(list, start, INTSXP);
    if (XLENGTH(first) != t->cells + 1) Rf_error("the tables are damaged");
    part->code = RAW(bytes), part->start = INTEGER(first), part->bytes = (size_t)XLENGTH(bytes);
    if (!coefficients_are_complete(t, part)) Rf_error("the tables are incomplete");
    SEXP value = Rf_allocVector(INTSXP, (R_xlen_t)part->values);
    part->value = INTEGER(value);
    return value;
}

/* Sets the tables, which data-raw/quick-tables.R has computed. */
SEXP r_tables(SEXP list)
{
    SEXP cells = element_of_type(list, "cells", REALSXP), bases = element_of_type(list, "bases", INTSXP);
    SEXP pieces = element_of_type(list, "pieces", INTSXP), count = element_of_type(list, "count", RAWSXP);
    struct tables t = {
        .cell = (const struct table_cell *)REAL(cells), .base = (const struct table_base *)INTEGER(bases),
        .piece = (const struct table_piece *)INTEGER(pieces), .count = RAW(count),
        .cells = Rf_ncols(cells), .bases = Rf_ncols(bases), .pieces = Rf_ncols(pieces),
        .counts = (size_t)XLENGTH(count)
    };
    if (!coefficients_count(&t)) Rf_error("the tables are damaged");
    SEXP low = PROTECT(set_part(&t, &t.part[TABLE_PART_LOW], list, "low_code", "low_start"));
    SEXP high = PROTECT(set_part(&t, &t.part[TABLE_PART_HIGH], list, "high_code", "high_start"));
    SEXP state = PROTECT(Rf_allocVector(INTSXP, t.cells));
    t.state = memset(INTEGER(state), 0, (size_t)t.cells * sizeof *t.state);
    if (table_objects) R_ReleaseObject(table_objects);
    table_objects = Rf_list4(list, low, high, state);
    R_PreserveObject(table_objects);
    tables_set(&t);
    UNPROTECT(3);
    return R_NilValue;
}

void approximate_unload(void)
{
    tables_set(NULL);
    if (table_objects) R_ReleaseObject(table_objects);
    table_objects = NULL;
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
    struct element_job job = {
        .quantity = JOB_APPROXIMATE, .n = (size_t)XLENGTH(x), .x = glue_column(x), .weight = glue_weights(weight),
        .laws = glue_one_law(law, form), .data = glue_data_number(data), .only_value = Rf_asLogical(scores) != TRUE
    };
    for (int k = 0; k < APPROXIMATE_COLUMNS && !only_sums; k++) job.out[k] = REAL(y) + (size_t)k * job.n;
    glue_read_options();
    if (only_sums ? backend_sums(&job, glue_interrupted, REAL(y), &nans, &st)
                  : backend_run(&job, glue_interrupted, &nans, &st))
        glue_raise(&st);
    glue_warn_devices();
    if (nans && !only_sums) Rf_warning("NaNs produced");
    UNPROTECT(1);
    return y;
}
