/* Entry points of R/fit-data.R: data that are used for many log-likelihoods.
 *
 * A handle is an external pointer whose protected value is the vector itself.  Its address points to the number under
 * which a device may cache a copy.  The vector is used instead after the device is lost, in a forked child, and for a
 * handle that was saved and restored.  It is also used for a handle of another copy of this library, one that was
 * unloaded before this one was installed over it: the numbers of that copy are not valid here.  The tag of a handle
 * identifies the copy that created it.
 */
#include "r_glue.h"
#include "base/memory.h"

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
static void drop(SEXP handle)
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
    R_RegisterCFinalizerEx(handle, drop, TRUE);
    MARK_NOT_MUTABLE(x);
    unsigned long *number = memory_allocate(sizeof *number);
    if (!number) glue_refuse_memory("a handle");
    *number = backend_data();
    R_SetExternalPtrAddr(handle, number);
    UNPROTECT(1);
    return handle;
}

/* Returns the weighted (NULL: 1) sum of the log densities of the data, a vector or a handle, under one law (alpha,
 * beta, gamma, delta).  calls: the expected number of consecutive calls with this alpha and beta.  All are doubles,
 * checked in R. */
SEXP r_loglik(SEXP data, SEXP law, SEXP pm, SEXP weight, SEXP calls)
{
    int form = glue_parametrisation(pm);
    SEXP x = glue_data(data);
    struct status st = { ST_OK, "" };
    double sum = 0.0;

    if (XLENGTH(x) == 0) return Rf_ScalarReal(0.0);
    struct element_job job = {
        .quantity = JOB_LOGLIK, .n = (size_t)XLENGTH(x), .ahead = (size_t)(REAL(calls)[0] * (double)XLENGTH(x)),
        .x = glue_column(x), .weight = glue_weights(weight), .laws = glue_one_law(law, form),
        .data = glue_data_number(data)
    };
    int nans;
    glue_read_options();
    if (backend_sums(&job, glue_interrupted, &sum, &nans, &st)) glue_raise(&st);
    glue_notice();
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
        .quantity = JOB_LOGLIKS, .n = (size_t)n, .x = glue_column(x), .laws.pm = form, .out = { REAL(sum) }
    };
    struct column *column[] = { &job.laws.alpha, &job.laws.beta, &job.laws.gamma, &job.laws.delta };
    int nans;

    for (int k = 0; k < 4; k++) {
        column[k]->at = p + (size_t)k * (size_t)n;
        column[k]->length = (size_t)n;
    }
    glue_read_options();
    if (n > 0 && backend_run(&job, glue_interrupted, &nans, &st)) glue_raise(&st);
    UNPROTECT(1);
    return sum;
}
