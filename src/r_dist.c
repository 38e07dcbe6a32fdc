/* Entry points of the quantities of the distribution. */
#include <limits.h>
#include <string.h>
#include <R_ext/Random.h>
#include "r_glue.h"
#include "run/element.h"

#define MAX_LENGTH 4503599627370496.0           /* 2^52, R's limit for a vector */

static int flag(SEXP x)
{
    return Rf_asInteger(x) != 0;                /* NA counts as TRUE, as in dnorm */
}

/* Ends a call: raises the failure of its job as an R condition, or warns of given-up devices and of NaNs. */
static void finish(const struct status *st, int nans, const char *warning)
{
    if (st->code) glue_raise(st);
    glue_warn_devices();
    if (nans) Rf_warning("%s", warning);
}

static struct element_job job_of(enum quantity quantity, const struct arguments *a, int pm, int lower, int give_log)
{
    struct element_job job = {
        .quantity = quantity, .n = (size_t)a->n, .x = glue_column(a->value[0]), .laws = glue_laws(a, pm),
        .lower = lower, .give_log = give_log
    };
    return job;
}

/* Returns the number of a quantity by its name; "density" and "distribution" are outputs of JOB_VALUES. */
static enum quantity quantity_named(const char *name, int lower, int *output)
{
    int q = 0;

    *output = strcmp(name, "distribution") ? 0 : lower ? OUT_CDF : OUT_SF;
    if (*output || !strcmp(name, "density")) return JOB_VALUES;
    while (q < QUANTITIES && strcmp(name, quantity_methods[q].name)) q++;
    if (q == QUANTITIES) Rf_error("there is no quantity '%s'", name);
    return (enum quantity)q;
}

/* Returns the quantity with this name at x, which is alpha if the quantity depends on the law alone: a vector with
 * the attributes of the arguments, or a matrix, one column for each output.  is_single: devices compute in single
 * precision. */
SEXP r_elements(SEXP name, SEXP x, SEXP alpha, SEXP beta, SEXP gamma, SEXP delta, SEXP pm, SEXP lower, SEXP log,
                SEXP is_single)
{
    int form = glue_parametrisation(pm), lower_tail = flag(lower), as_log = flag(log), nans = 0, output;
    struct status st = { ST_OK, "" };
    enum quantity quantity = quantity_named(CHAR(STRING_ELT(name, 0)), lower_tail, &output);
    int columns = quantity_methods[quantity].columns;
    struct arguments a = glue_arguments(x, alpha, beta, gamma, delta);
    if (columns > 1 && a.n > INT_MAX) Rf_error("a matrix has at most %d rows", INT_MAX);
    SEXP y = PROTECT(columns > 1 ? Rf_allocMatrix(REALSXP, (int)a.n, columns) : glue_result(&a));

    if (a.n > 0) {
        struct element_job job = job_of(quantity, &a, form, lower_tail, as_log);
        if (Rf_asLogical(is_single) == TRUE) job.precision = PRECISION_SINGLE;
        for (int k = 0; k < columns; k++) job.out[output + k] = REAL(y) + k * a.n;
        glue_read_options_for(a.n);
        backend_run(&job, glue_interrupted, &nans, &st);
        finish(&st, nans, "NaNs produced");
    }
    UNPROTECT(a.protected + 1);
    return y;
}

/* Returns a list of columns in the order of `what`, whose strings are checked and unique.  The attributes of a data
 * frame are added in R. */
SEXP r_eval(SEXP x, SEXP alpha, SEXP beta, SEXP gamma, SEXP delta, SEXP pm, SEXP what, SEXP give_log)
{
    static const char *const names[] = { [OUT_PDF] = "pdf", [OUT_CDF] = "cdf", [OUT_SF] = "sf", [OUT_ERROR] = "error" };
    int form = glue_parametrisation(pm), as_log = flag(give_log), nans = 0;
    struct status st = { ST_OK, "" };
    struct arguments a = glue_arguments(x, alpha, beta, gamma, delta);
    R_xlen_t columns = Rf_xlength(what);
    SEXP y = PROTECT(Rf_allocVector(VECSXP, columns));
    struct element_job job = job_of(JOB_VALUES, &a, form, 1, as_log);

    for (R_xlen_t i = 0; i < columns; i++) {
        SEXP column = glue_reals(a.n);
        SET_VECTOR_ELT(y, i, column);
        for (int k = 0; k <= OUT_ERROR; k++)
            if (!strcmp(CHAR(STRING_ELT(what, i)), names[k])) job.out[k] = REAL(column);
    }
    if (a.n > 0) {
        glue_read_options();
        backend_run(&job, glue_interrupted, &nans, &st);
        finish(&st, nans, "NaNs produced");
    }
    UNPROTECT(a.protected + 1);
    return y;
}

/* Returns the requested number of variates, by the rules of rnorm(). */
static R_xlen_t sample_size(SEXP n)
{
    if (!Rf_isVector(n)) Rf_error("invalid arguments");
    if (XLENGTH(n) != 1) return XLENGTH(n);
    double size = Rf_asReal(n);
    if (ISNAN(size) || size < 0 || size > MAX_LENGTH) Rf_error("invalid arguments");
    return (R_xlen_t)size;
}

static uint32 random_word(void)
{
    return (uint32)(unif_rand() * 4294967296.0);
}

/* Returns a key of 64 bits from R's random number generator, which advances. */
static struct philox_key key_from_r(void)
{
    struct philox_key key;

    GetRNGstate();
    key.word[0] = random_word();
    key.word[1] = random_word();
    PutRNGstate();
    return key;
}

SEXP r_random(SEXP n, SEXP alpha, SEXP beta, SEXP gamma, SEXP delta, SEXP pm, SEXP is_single)
{
    int form = glue_parametrisation(pm), nans = 0;
    struct status st = { ST_OK, "" };
    SEXP given[4] = { alpha, beta, gamma, delta };

    for (int i = 0; i < 4; i++)
        if (!Rf_isNumeric(given[i])) Rf_error("invalid arguments");
    R_xlen_t size = sample_size(n);
    struct arguments a = glue_arguments(alpha, alpha, beta, gamma, delta);
    SEXP y = PROTECT(glue_reals(size));

    if (size > 0 && a.n == 0) {
        for (R_xlen_t i = 0; i < size; i++) REAL(y)[i] = NA_REAL;
        Rf_warning("NAs produced");
    } else if (size > 0) {
        struct element_job job = {
            .quantity = JOB_VARIATES, .n = (size_t)size, .laws = glue_laws(&a, form), .key = key_from_r(),
            .precision = Rf_asLogical(is_single) == TRUE ? PRECISION_SINGLE : PRECISION_DOUBLE, .out = { REAL(y) }
        };
        glue_read_options();
        backend_run(&job, glue_interrupted, &nans, &st);
        finish(&st, nans, "NAs produced");
    }
    UNPROTECT(a.protected + 1);
    return y;
}
