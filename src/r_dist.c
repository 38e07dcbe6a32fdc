/* Entry points of the distribution functions, random variates, mode and score. */
#include <limits.h>
#include <string.h>
#include <R_ext/Random.h>
#include "r_glue.h"

#define MAX_LENGTH 4503599627370496.0           /* 2^52, R's limit for a vector */

static int flag(SEXP x)
{
    return Rf_asInteger(x) != 0;                /* NA counts as TRUE, as in dnorm */
}

/* Issues the warnings of a successful job. */
static void warn(int nans)
{
    glue_notice();
    if (nans) Rf_warning("NaNs produced");
}

/* Runs an evaluation job; a failure becomes an R condition. */
static void evaluate(const struct eval_job *job)
{
    struct status st = { ST_OK, "" };
    int nans = 0;

    glue_read_options();
    if (backend_eval(job, glue_interrupted, &nans, &st)) glue_raise(&st);
    warn(nans);
}

static struct eval_job eval_job_of(const struct arguments *a, int pm, int give_log)
{
    struct eval_job job = {
        (size_t)a->n, { NULL, 0 }, glue_laws(a, pm), give_log, NULL, NULL, NULL, NULL
    };
    job.x = glue_column(a->value[0]);
    return job;
}

SEXP r_density(SEXP x, SEXP alpha, SEXP beta, SEXP gamma, SEXP delta, SEXP pm, SEXP give_log)
{
    int form = glue_parametrisation(pm), as_log = flag(give_log);
    struct arguments a = glue_arguments(x, alpha, beta, gamma, delta);
    SEXP y = PROTECT(glue_result(&a));

    if (a.n > 0) {
        struct eval_job job = eval_job_of(&a, form, as_log);
        job.pdf = REAL(y);
        evaluate(&job);
    }
    UNPROTECT(a.protected + 1);
    return y;
}

SEXP r_distribution(SEXP q, SEXP alpha, SEXP beta, SEXP gamma, SEXP delta, SEXP pm,
                    SEXP lower, SEXP log_p)
{
    int form = glue_parametrisation(pm), lower_tail = flag(lower), as_log = flag(log_p);
    struct arguments a = glue_arguments(q, alpha, beta, gamma, delta);
    SEXP y = PROTECT(glue_result(&a));

    if (a.n > 0) {
        struct eval_job job = eval_job_of(&a, form, as_log);
        if (lower_tail) job.cdf = REAL(y); else job.sf = REAL(y);
        evaluate(&job);
    }
    UNPROTECT(a.protected + 1);
    return y;
}

SEXP r_quantile(SEXP p, SEXP alpha, SEXP beta, SEXP gamma, SEXP delta, SEXP pm, SEXP lower,
                SEXP log_p)
{
    int form = glue_parametrisation(pm), lower_tail = flag(lower), as_log = flag(log_p);
    struct arguments a = glue_arguments(p, alpha, beta, gamma, delta);
    SEXP y = PROTECT(glue_result(&a));

    if (a.n > 0) {
        struct quantile_job job = {
            (size_t)a.n, glue_column(a.value[0]), glue_laws(&a, form), lower_tail, as_log, REAL(y)
        };
        struct status st = { ST_OK, "" };
        int nans = 0;
        glue_read_options();
        if (backend_quantile(&job, glue_interrupted, &nans, &st)) glue_raise(&st);
        warn(nans);
    }
    UNPROTECT(a.protected + 1);
    return y;
}

/* Returns a list of columns in the order of `what`, whose strings are checked and unique.  The attributes of a data
 * frame are added in R. */
SEXP r_eval(SEXP x, SEXP alpha, SEXP beta, SEXP gamma, SEXP delta, SEXP pm, SEXP what,
            SEXP give_log)
{
    int form = glue_parametrisation(pm), as_log = flag(give_log);
    struct arguments a = glue_arguments(x, alpha, beta, gamma, delta);
    R_xlen_t columns = Rf_xlength(what);
    SEXP y = PROTECT(Rf_allocVector(VECSXP, columns));
    struct eval_job job = eval_job_of(&a, form, as_log);

    for (R_xlen_t i = 0; i < columns; i++) {
        const char *name = CHAR(STRING_ELT(what, i));
        SEXP column = Rf_allocVector(REALSXP, a.n);
        SET_VECTOR_ELT(y, i, column);
        if (!strcmp(name, "pdf"))      job.pdf = REAL(column);
        else if (!strcmp(name, "cdf")) job.cdf = REAL(column);
        else if (!strcmp(name, "sf"))  job.sf = REAL(column);
        else                           job.error = REAL(column);
    }
    if (a.n > 0) evaluate(&job);
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

SEXP r_random(SEXP n, SEXP alpha, SEXP beta, SEXP gamma, SEXP delta, SEXP pm)
{
    int form = glue_parametrisation(pm), nans = 0;
    SEXP given[4] = { alpha, beta, gamma, delta };

    for (int i = 0; i < 4; i++)
        if (!Rf_isNumeric(given[i])) Rf_error("invalid arguments");
    R_xlen_t size = sample_size(n);
    struct arguments a = glue_arguments(alpha, alpha, beta, gamma, delta);
    SEXP y = PROTECT(Rf_allocVector(REALSXP, size));

    if (size > 0 && a.n == 0) {
        for (R_xlen_t i = 0; i < size; i++) REAL(y)[i] = NA_REAL;
        nans = 1;
    } else if (size > 0) {
        struct random_job job = { (size_t)size, glue_laws(&a, form), key_from_r(), REAL(y) };
        struct status st = { ST_OK, "" };
        glue_read_options();
        if (backend_random(&job, glue_interrupted, &nans, &st)) glue_raise(&st);
        glue_notice();
    }
    if (nans) Rf_warning("NAs produced");
    UNPROTECT(a.protected + 1);
    return y;
}

SEXP r_mode(SEXP alpha, SEXP beta, SEXP gamma, SEXP delta, SEXP pm)
{
    int form = glue_parametrisation(pm);
    struct arguments a = glue_arguments(alpha, alpha, beta, gamma, delta);
    SEXP y = PROTECT(glue_result(&a));

    if (a.n > 0) {
        struct mode_job job = { (size_t)a.n, glue_laws(&a, form), REAL(y) };
        struct status st = { ST_OK, "" };
        int nans = 0;
        glue_read_options();
        if (backend_mode(&job, glue_interrupted, &nans, &st)) glue_raise(&st);
        warn(nans);
    }
    UNPROTECT(a.protected + 1);
    return y;
}

/* Returns the n x 5 scores; dimnames are added in R. */
SEXP r_score(SEXP x, SEXP alpha, SEXP beta, SEXP gamma, SEXP delta, SEXP pm)
{
    int form = glue_parametrisation(pm);
    struct arguments a = glue_arguments(x, alpha, beta, gamma, delta);
    if (a.n > INT_MAX) Rf_error("a matrix has at most %d rows", INT_MAX);
    SEXP y = PROTECT(Rf_allocMatrix(REALSXP, (int)a.n, 5));

    if (a.n > 0) {
        struct score_job job = { (size_t)a.n, glue_column(a.value[0]), glue_laws(&a, form), REAL(y) };
        struct status st = { ST_OK, "" };
        int nans = 0;
        glue_read_options();
        if (backend_score(&job, glue_interrupted, &nans, &st)) glue_raise(&st);
        warn(nans);
    }
    UNPROTECT(a.protected + 1);
    return y;
}
