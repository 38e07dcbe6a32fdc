/* Entry points for numerical integration (R/quadrature-*.R). */
#include <limits.h>
#include <string.h>
#include <time.h>
#include "r_glue.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "quadrature/dispatch.h"
#include "quadrature/integrals.h"

/* --- untranslated functions -------------------------------------------------------- */

/* Largest number of points for each call of the function: bisecting rules (`trusted`) seldom need more than a
 * few hundred for one integral, and large memory takes longer to allocate than these take to evaluate. */
#define CLOSURE_BLOCK     65536
#define CLOSURE_BLOCK_ONE 2048

struct closure {
    SEXP function;
    int inputs, block, count, components;
    double *buffer;                       /* the inputs, `block` values each; results replace them */
};

static double *closure_input(void *self, int thread, int k)
{
    struct closure *c = self;
    (void)thread;
    return c->buffer + (size_t)k * (size_t)c->block;
}

/* Calls the function, which returns as many doubles as there are points, for each component in turn. */
static SEXP call_closure(void *data)
{
    struct closure *c = data;
    SEXP inputs = PROTECT(Rf_allocVector(VECSXP, c->inputs));
    for (int k = 0; k < c->inputs; k++) {
        SEXP column = Rf_allocVector(REALSXP, c->count);
        SET_VECTOR_ELT(inputs, k, column);
        memcpy(REAL(column), c->buffer + (size_t)k * (size_t)c->block, (size_t)c->count * sizeof(double));
    }
    SEXP call = PROTECT(Rf_lang2(c->function, inputs));
    SEXP y = PROTECT(Rf_eval(call, R_GlobalEnv));
    for (int k = 0; k < c->components; k++)
        memcpy(closure_input(c, 0, k), REAL(y) + (size_t)k * (size_t)c->count, (size_t)c->count * sizeof(double));
    UNPROTECT(3);
    return y;
}

/* Replaces the inputs by the values. */
static const double *closure_run(void *self, int thread, int count)
{
    struct closure *c = self;
    SEXP unused;
    (void)thread;
    c->count = count;
    if (glue_guard(call_closure, c, &unused)) return NULL;
    return c->buffer;
}

/* --- arguments ---------------------------------------------------------------------- */

/* Returns a list of limits, a vector for each axis; R's NULL if they are not plain vectors, of a suitable length
 * and without NaN in several dimensions.  One number is the limit of all axes. */
static SEXP plain_limits(SEXP limit, int dim)
{
    R_xlen_t length = glue_is_plain(limit) ? XLENGTH(limit) : 0;
    int is_good = length > 0 && (dim == 1 || length == 1 || length == dim);
    for (R_xlen_t k = 0; k < length && is_good && dim > 1; k++) is_good = !ISNAN(REAL(limit)[k]);
    if (!is_good) return R_NilValue;
    SEXP axes = PROTECT(Rf_allocVector(VECSXP, dim));
    if (dim == 1) SET_VECTOR_ELT(axes, 0, limit);
    for (int k = 0; k < dim && dim > 1; k++) SET_VECTOR_ELT(axes, k, Rf_ScalarReal(REAL(limit)[length > 1 ? k : 0]));
    UNPROTECT(1);
    return axes;
}

/* Returns limits, tolerances and the largest number of evaluations in the same form as check_numbers() in R, in a tenth
 * of the time; R's NULL if they need the checks in R. */
SEXP r_plain_numbers(SEXP lower, SEXP upper, SEXP dim, SEXP rel_tol, SEXP abs_tol, SEXP max_eval)
{
    const char *names[] = { "lower", "upper", "tolerance", "" }, *parts[] = { "rel.tol", "abs.tol", "max.eval", "" };
    if (!glue_is_positive(rel_tol, 1) || !glue_is_positive(abs_tol, 1) || !glue_is_positive(max_eval, 0))
        return R_NilValue;
    SEXP low = PROTECT(plain_limits(lower, Rf_asInteger(dim)));
    SEXP high = PROTECT(plain_limits(upper, Rf_asInteger(dim)));
    SEXP list = R_NilValue;
    if (low != R_NilValue && high != R_NilValue) {
        SEXP tolerance = PROTECT(Rf_mkNamed(VECSXP, parts));
        SET_VECTOR_ELT(tolerance, 0, rel_tol);
        SET_VECTOR_ELT(tolerance, 1, abs_tol);
        SET_VECTOR_ELT(tolerance, 2, max_eval);
        list = PROTECT(Rf_mkNamed(VECSXP, names));
        SET_VECTOR_ELT(list, 0, low);
        SET_VECTOR_ELT(list, 1, high);
        SET_VECTOR_ELT(list, 2, tolerance);
        UNPROTECT(2);
    }
    UNPROTECT(2);
    return list;
}

/* --- integrals ---------------------------------------------------------------------- */

/* Returns a list of vectors of doubles of a problem; an R error if it is damaged. */
static SEXP vectors_of(SEXP problem, const char *name)
{
    SEXP list = program_part(problem, name, VECSXP, 0);
    for (R_xlen_t k = 0; k < XLENGTH(list); k++)
        if (TYPEOF(VECTOR_ELT(list, k)) != REALSXP || !XLENGTH(VECTOR_ELT(list, k))) program_raise_invalid();
    return list;
}

/* Returns the problem (a list that gintegrate() makes) as a job whose results are the vectors of `state`. */
static struct integral_job job_of(SEXP state, SEXP problem, const struct quadrature_method *m)
{
    SEXP lower = vectors_of(problem, "lower"), upper = vectors_of(problem, "upper");
    SEXP breaks = program_part(problem, "breaks", REALSXP, 0);
    SEXP tolerance = program_part(problem, "tolerance", VECSXP, 3);
    struct integral_job job = {
        .n = (size_t)XLENGTH(glue_element(state, "evaluations")), .dim = (int)XLENGTH(lower),
        .parameters = (int)XLENGTH(vectors_of(problem, "columns")), .breaks = REAL(breaks),
        .break_count = (int)XLENGTH(breaks), .rel_tol = glue_number(tolerance, "rel.tol"),
        .abs_tol = glue_number(tolerance, "abs.tol"), .max_eval = glue_number(tolerance, "max.eval"),
        .value = REAL(glue_element(state, "value")), .error = REAL(glue_element(state, "error")),
        .evaluations = REAL(glue_element(state, "evaluations")), .status = INTEGER(glue_element(state, "status")),
        .bound = m->returns_bounds ? REAL(glue_element(state, "bound")) : NULL
    };
    SEXP first = glue_find(problem, "first");           /* of a part of the integrals of a call */
    if (TYPEOF(first) == REALSXP && XLENGTH(first) == 1) job.first = (size_t)REAL(first)[0];
    if (XLENGTH(upper) != job.dim || job.dim > AXES_MAX) program_raise_invalid();
    job.components = job.n ? (int)((size_t)XLENGTH(glue_element(state, "value")) / job.n) : 1;
    if (job.components > 1 && !m->shares_points) program_raise_invalid();
    job.lower = glue_columns(lower);
    job.upper = glue_columns(upper);
    methods_set_options(m, program_part(problem, "options", VECSXP, 0), &job);
    return job;
}

/* --- progress ------------------------------------------------------------------------- */

/* The progress of the innermost call of gintegrate(), since an integrand may contain another call.  function:
 * state$progress, an R function of the number of finished integrals, which is called once a second, or NULL. */
struct progress {
    SEXP function;
    const struct integral_job *job;
    time_t reported;                    /* time of the last call of the function */
};

static struct progress progress;

static SEXP progress_report(void *data)
{
    double done = 0.0;
    (void)data;
    for (size_t i = 0; i < progress.job->n; i++) done += ATOMIC_READ(&progress.job->status[i]) != INTEGRAL_NOT_DONE;
    SEXP number = PROTECT(Rf_ScalarReal(done)), call = PROTECT(Rf_lang2(progress.function, number));
    SEXP y = Rf_eval(call, R_GlobalEnv);
    UNPROTECT(2);
    return y;
}

/* Returns 1 if the call is interrupted; reports the progress. */
static int poll(void)
{
    SEXP unused;
    if (glue_interrupted()) return 1;
    if (!progress.job || !Rf_isFunction(progress.function) || time(NULL) == progress.reported) return 0;
    progress.reported = time(NULL);
    return glue_guard(progress_report, NULL, &unused);
}

/* Returns the progress of the enclosing call, which progress_end() restores.  The code between the two must not
 * jump. */
static struct progress progress_begin(const struct integral_job *job, SEXP function)
{
    struct progress before = progress, begun = { function, job, time(NULL) };
    progress = begun;
    return before;
}

static void progress_end(struct progress before)
{
    progress = before;
}

static int run_closure(const struct integral_job *job, const struct column *parameter, SEXP function,
                       const struct quadrature_method *m, struct status *st)
{
    int inputs = job->dim + job->parameters, columns = inputs > job->components ? inputs : job->components;
    int block = job->n == 1 && m->trusted > 0.0 ? CLOSURE_BLOCK_ONE : CLOSURE_BLOCK;
    struct closure c = { function, inputs, block, 0, job->components, NULL };
    struct sampler s = { &c, 1, block, closure_input, closure_run, NULL, job->components, EVALUATION_TIME };

    c.buffer = memory_allocate((size_t)columns * (size_t)block * sizeof *c.buffer);
    if (!c.buffer) return fail(st, ST_MEMORY, "no memory for the values of the integrand");
    dispatch_cpu(job, parameter, &s, m->cpu, poll, st);
    memory_release(c.buffer);
    return st->code;
}

/* Computes the integrals of a problem.  Writes to the vectors of `state`, which r_integrals() has created for this
 * call: results that are complete before an interrupt remain there.  backend: a preference, "" for the one in force. */
SEXP r_integrate(SEXP state, SEXP problem, SEXP method, SEXP backend)
{
    struct status st = { ST_OK, "" };
    const struct quadrature_method *m = quadrature_method_of(CHAR(STRING_ELT(method, 0)));
    if (!m) program_raise_invalid();
    struct integral_job job = job_of(state, problem, m);
    const struct column *parameter = glue_columns(glue_find(problem, "columns"));
    struct dispatch_preference preference = { m, CHAR(STRING_ELT(backend, 0)) };
    struct sampling sampling = { m->sampling, NULL, NULL };
    SEXP integrand = glue_find(problem, "integrand");

    if (m->sampling != NO_SAMPLING) {
        sampling.chi2 = REAL(glue_element(state, "chi.squared"));
        sampling.freedom = REAL(glue_element(state, "df"));
        job.sampling = &sampling;
    }
    glue_read_options();
    int is_function = Rf_isFunction(integrand), *on_device = LOGICAL(glue_element(state, "on_device"));
    struct program p = { .constants = 0 };
    double *pool = NULL;
    if (!is_function) {
        p = program_from(integrand);
        pool = program_pool(integrand);
    }
    struct progress before = progress_begin(&job, glue_element(state, "progress"));
    if (is_function) run_closure(&job, parameter, integrand, m, &st);
    else dispatch_integrals(&job, parameter, &p, pool, &preference, poll, on_device, &st);
    progress_end(before);
    if (st.code) glue_raise(&st);
    glue_warn_devices();
    return R_NilValue;
}

/* --- results ------------------------------------------------------------------------ */

/* Returns the vectors for the results of integrals (struct integral_job).  count: their number, and that of their
 * components if they have several.  Only the statuses are initialised, because writing to
 * memory takes longer than integration. */
SEXP r_integrals(SEXP count)
{
    const char *names[] = { "value", "error", "evaluations", "status", "bound", "on_device", "" };
    R_xlen_t n = (R_xlen_t)Rf_asReal(count);
    R_xlen_t results = XLENGTH(count) > 1 ? n * (R_xlen_t)REAL(count)[1] : n;
    SEXP state = PROTECT(Rf_mkNamed(VECSXP, names));

    for (int k = 0; k < 3; k++) SET_VECTOR_ELT(state, k, glue_reals(k < 2 ? results : n));
    SET_VECTOR_ELT(state, 3, Rf_allocVector(INTSXP, results));
    SET_VECTOR_ELT(state, 4, Rf_allocVector(REALSXP, 0));  /* R replaces it if bounds are needed */
    SET_VECTOR_ELT(state, 5, Rf_allocVector(LGLSXP, 1));  /* ScalarLogical() returns a shared object */
    LOGICAL(VECTOR_ELT(state, 5))[0] = 0;
    statuses_begin(INTEGER(VECTOR_ELT(state, 3)), (size_t)results);
    UNPROTECT(1);
    return state;
}

/* Returns the indices, from 1, of integrals that were computed and have not converged. */
SEXP r_unfinished(SEXP status)
{
    const int *s = INTEGER(status);
    R_xlen_t n = XLENGTH(status), k = 0;
    double count[INTEGRAL_STATUSES];

    statuses_count(s, (size_t)n, count);
    SEXP at = Rf_allocVector(REALSXP, n - (R_xlen_t)(count[INTEGRAL_CONVERGED] + count[INTEGRAL_NOT_DONE]));
    for (R_xlen_t i = 0; i < n && k < XLENGTH(at); i++)
        if (s[i] != INTEGRAL_CONVERGED && s[i] != INTEGRAL_NOT_DONE) REAL(at)[k++] = (double)(i + 1);
    return at;
}

/* Returns the indices, from 1, of the converged integrals of `state` with the value 0 and the error 0. */
SEXP r_zero_integrals(SEXP state)
{
    SEXP status = glue_element(state, "status");
    const int *s = INTEGER(status);
    const double *value = REAL(glue_element(state, "value")), *error = REAL(glue_element(state, "error"));
    R_xlen_t n = XLENGTH(status), count = 0, k = 0;

    for (R_xlen_t i = 0; i < n; i++) count += s[i] == INTEGRAL_CONVERGED && value[i] == 0.0 && error[i] == 0.0;
    SEXP at = Rf_allocVector(REALSXP, count);
    for (R_xlen_t i = 0; k < count; i++)
        if (s[i] == INTEGRAL_CONVERGED && value[i] == 0.0 && error[i] == 0.0) REAL(at)[k++] = (double)(i + 1);
    return at;
}

#define SCREEN_TIME 4e-7                 /* approximate seconds for each integral */

/* Sets the final statuses of the integrals of `state` in place (statuses_check()).  max_eval: the number of evaluations
 * above which converged integrals are examined, too.  Returns the number of integrals to be examined for divergence
 * (R/quadrature-divergence.R), 0 if some have not been computed. */
SEXP r_judge(SEXP state, SEXP tolerance, SEXP max_eval)
{
    SEXP status = glue_element(state, "status");
    struct tolerance t = { glue_number(tolerance, "rel.tol"), glue_number(tolerance, "abs.tol") };
    size_t count = statuses_check(INTEGER(status), REAL(glue_element(state, "value")),
                                  REAL(glue_element(state, "error")), REAL(glue_element(state, "evaluations")),
                                  (size_t)XLENGTH(status), t, Rf_asReal(max_eval));
    return Rf_ScalarReal((double)count);
}

/* Returns the indices, from 1, of the flags that are set. */
static SEXP indices_of(const unsigned char *flag, R_xlen_t n)
{
    R_xlen_t count = 0, k = 0;

    for (R_xlen_t i = 0; i < n; i++) count += flag[i];
    SEXP at = Rf_allocVector(REALSXP, count);
    for (R_xlen_t i = 0; i < n && k < count; i++) if (flag[i]) REAL(at)[k++] = (double)(i + 1);
    return at;
}

/* Returns the indices, from 1, of the integrals to be examined for divergence. */
SEXP r_examined(SEXP state, SEXP max_eval)
{
    SEXP status = glue_element(state, "status");
    const double *evaluations = REAL(glue_element(state, "evaluations")), examined_above = Rf_asReal(max_eval);
    R_xlen_t n = XLENGTH(status);
    unsigned char *is_examined = (unsigned char *)R_alloc((size_t)n, 1);

    for (R_xlen_t i = 0; i < n; i++)
        is_examined[i] = (unsigned char)status_is_examined(INTEGER(status)[i], evaluations[i], examined_above);
    return indices_of(is_examined, n);
}

/* Returns the indices of r_examined() for a translated integrand over one axis, without the integrals that are screened
 * without doubt (screen_lines()).  bounds: max_eval of r_judge(), and `resolved` and `rounded` of struct screened. */
SEXP r_screen(SEXP program, SEXP lower, SEXP upper, SEXP columns, SEXP breaks, SEXP state, SEXP bounds)
{
    struct program p = program_from(program);
    struct status st = { ST_OK, "" };
    struct interpreter_pool *interpreter_pool = NULL;
    double *pool = program_pool(program);
    SEXP status = glue_element(state, "status");
    struct screened j = {
        .lower = glue_column(lower), .upper = glue_column(upper), .parameter = glue_columns(columns),
        .parameters = (int)XLENGTH(columns), .breaks = REAL(breaks), .break_count = (size_t)XLENGTH(breaks),
        .status = INTEGER(status), .value = REAL(glue_element(state, "value")),
        .error = REAL(glue_element(state, "error")), .evaluations = REAL(glue_element(state, "evaluations")),
        .examined_above = REAL(bounds)[0], .resolved = REAL(bounds)[1], .rounded = REAL(bounds)[2], .n =
            (size_t)XLENGTH(status)
    };
    unsigned char *is_examined = (unsigned char *)R_alloc(j.n, 1);

    if (!program_check(&p, j.parameters + 1, &st) &&
        !interpreters_open(&p, pool, threads_for((double)j.n * SCREEN_TIME), glue_interrupted, &interpreter_pool,
                           &st)) {
        struct sampler s = interpreters_sampler(interpreter_pool);
        screen_lines(&j, &s, glue_interrupted, is_examined, &st);
    }
    interpreters_close(interpreter_pool);
    if (st.code) glue_raise(&st);
    return indices_of(is_examined, XLENGTH(status));
}

/* Converts the statuses to a factor, in place, and sets integrals that were not computed to NA.  Returns the number of
 * integrals with each status. */
SEXP r_finalise(SEXP state, SEXP levels)
{
    SEXP status = glue_element(state, "status"), counts = PROTECT(Rf_allocVector(REALSXP, INTEGRAL_STATUSES));
    int *s = INTEGER(status);
    double *value = REAL(glue_element(state, "value")), *error = REAL(glue_element(state, "error"));
    double *evaluations = REAL(glue_element(state, "evaluations"));
    R_xlen_t n = XLENGTH(glue_element(state, "evaluations"));

    statuses_count(s, (size_t)XLENGTH(status), REAL(counts));
    for (R_xlen_t i = 0; i < XLENGTH(status) && REAL(counts)[INTEGRAL_NOT_DONE] > 0.0; i++) {
        if (s[i] != INTEGRAL_NOT_DONE) continue;
        value[i] = error[i] = NA_REAL;
        if (XLENGTH(status) == n) evaluations[i] = 0.0;
    }
    statuses_to_factor(s, (size_t)XLENGTH(status));
    Rf_setAttrib(status, R_LevelsSymbol, levels);
    Rf_setAttrib(status, R_ClassSymbol, Rf_mkString("factor"));
    UNPROTECT(1);
    return counts;
}
