/* One integral over one axis of a function whose translation is cached, without the checks and the conversions that
 * other calls of gintegrate() need (cached_integral() in R/integrand-cache.R).  The entry points return R's NULL
 * unless an earlier call has made these checks for the same arguments. */
#include <float.h>
#include <math.h>
#include <string.h>
#include "r_translate.h"
#include "base/parallel.h"
#include "quadrature/dispatch.h"
#include "quadrature/integrals.h"
#include "integrand/sampler.h"

/* --- the cached translation ------------------------------------------------------------ */

#define IDENTICAL_BITS 17               /* for R_compute_identical(), as in identical(num.eq = FALSE) */

static int is_identical(SEXP x, SEXP y)
{
    return x == y || R_compute_identical(x, y, IDENTICAL_BITS);
}

static int is_integer_one(SEXP x)
{
    return TYPEOF(x) == INTSXP && XLENGTH(x) == 1 && INTEGER(x)[0] == 1;
}

/* A function of R, and the hash value of its text, 0 if it is not yet computed. */
struct text {
    SEXP formals, body;
    double hash;
};

/* TRUE if a key begins with the text of a function.  The same objects are found without a hash value. */
static int has_text(SEXP key, struct text *t)
{
    SEXP formals = VECTOR_ELT(key, 1), body = VECTOR_ELT(key, 2);
    if (formals == t->formals && body == t->body) return 1;
    if (t->hash == 0.0) t->hash = expression_hash(t->formals, t->body);
    return Rf_asReal(VECTOR_ELT(key, 0)) == t->hash && is_identical(formals, t->formals) &&
           is_identical(body, t->body);
}

/* TRUE for the key of a function, for one number as each limit, if there are neither further arguments nor parameters
 * nor a given `dim`. */
static int is_key_of_dimensions(SEXP key, struct text *t)
{
    for (int k = 3; k < 10; k++)
        if (k == 6 || k == 7 ? !is_integer_one(VECTOR_ELT(key, k)) : Rf_length(VECTOR_ELT(key, k)) > 0) return 0;
    return has_text(key, t);
}

/* TRUE for the key of its translation, or refusal, over one axis. */
static int is_key_of_translation(SEXP key, struct text *t)
{
    return is_integer_one(VECTOR_ELT(key, 3)) && !Rf_length(VECTOR_ELT(key, 4)) && !Rf_length(VECTOR_ELT(key, 5)) &&
           has_text(key, t);
}

static SEXP entry_of(SEXP entries, struct text *t, int (*is_key)(SEXP, struct text *))
{
    for (R_xlen_t k = 0; k < Rf_xlength(entries); k++)
        if (is_key(glue_element(VECTOR_ELT(entries, k), "key"), t)) return VECTOR_ELT(entries, k);
    return R_NilValue;
}

/* Returns the value of a name as R finds it; R's NULL if there is none. */
static SEXP value_of(SEXP name, SEXP env)
{
#if R_VERSION >= R_Version(4, 5, 0)
    return R_getVarEx(name, env, TRUE, R_NilValue);
#else
    SEXP value = Rf_findVar(name, env);
    if (value == R_UnboundValue || value == R_MissingArg) return R_NilValue;
    return TYPEOF(value) == PROMSXP ? Rf_eval(value, env) : value;
#endif
}

/* TRUE if the names of an entry, or of one of its other scopes, have the values that they had when it was made. */
static int has_values(SEXP scope, SEXP env)
{
    SEXP names = glue_element(scope, "names"), values = glue_element(scope, "values");
    for (R_xlen_t k = 0; k < XLENGTH(names); k++) {
        SEXP value = PROTECT(value_of(Rf_installChar(STRING_ELT(names, k)), env));
        int is_same = is_identical(value, VECTOR_ELT(values, k));
        UNPROTECT(1);
        if (!is_same) return 0;
    }
    return 1;
}

/* TRUE if all names that a function and the functions that it calls use have these values. */
static int is_current(SEXP entry, SEXP env)
{
    SEXP others = glue_find(entry, "others");
    if (!has_values(entry, env)) return 0;
    for (R_xlen_t k = 0; k < Rf_xlength(others); k++)
        if (!has_values(VECTOR_ELT(others, k), glue_element(VECTOR_ELT(others, k), "env"))) return 0;
    return 1;
}

/* Returns the entry of the cache for a function over one axis: its translation, or the value of refuse(). */
static SEXP find_translation(SEXP caches, SEXP f)
{
    SEXP entries = Rf_install("entries");
    struct text t = { R_ClosureFormals(f), R_ClosureExpr(f), 0.0 };
    for (int k = 0; k < 3; k++) {
        int (*is_key)(SEXP, struct text *) = k ? is_key_of_translation : is_key_of_dimensions;
        SEXP entry = entry_of(glue_variable(VECTOR_ELT(caches, k), entries), &t, is_key);
        if (!k && (entry == R_NilValue || !is_integer_one(glue_element(entry, "dim")))) return R_NilValue;
        if (k && entry != R_NilValue && is_current(entry, R_ClosureEnv(f))) return glue_element(entry, "made");
    }
    return R_NilValue;
}

/* --- the integral ------------------------------------------------------------------------ */

/* The values of a program, or of a function in R, up to a number of evaluations. */
struct limited {
    struct sampler program;             /* used if function is R's NULL */
    SEXP function;
    double left;                        /* evaluations, negative once the limit is exceeded */
    int count, is_refused;              /* is_refused: the function did not return one number for each point */
    double x[BLOCK], y[BLOCK];
};

/* Calls the function with the vector of points. */
static SEXP call_function(void *data)
{
    struct limited *l = data;
    SEXP x = PROTECT(Rf_allocVector(REALSXP, l->count)), call = PROTECT(Rf_lang2(l->function, x));
    memcpy(REAL(x), l->x, (size_t)l->count * sizeof(double));
    SEXP y = PROTECT(Rf_eval(call, R_GlobalEnv));
    int is_number = TYPEOF(y) == REALSXP || TYPEOF(y) == INTSXP || TYPEOF(y) == LGLSXP;
    l->is_refused = !is_number || Rf_isObject(y) || XLENGTH(y) != l->count;
    if (!l->is_refused) {
        y = PROTECT(Rf_coerceVector(y, REALSXP));
        memcpy(l->y, REAL(y), (size_t)l->count * sizeof(double));
        UNPROTECT(1);
    }
    UNPROTECT(3);
    return R_NilValue;
}

static double *limited_input(void *self, int thread, int k)
{
    struct limited *l = self;
    return l->function == R_NilValue ? l->program.input(l->program.self, thread, k) : l->x;
}

static const double *limited_run(void *self, int thread, int count)
{
    struct limited *l = self;
    SEXP unused;
    l->left -= l->count = count;
    if (l->left < 0.0) return NULL;
    if (l->function == R_NilValue) return l->program.run(l->program.self, thread, count);
    return glue_guard(call_function, l, &unused) || l->is_refused ? NULL : l->y;
}

/* Interrupts wait until the integral of a program is finished: work and number of evaluations are limited. */
static int never_interrupted(void)
{
    return 0;
}

/* Runs the method up to the number of evaluations that need no examination for divergence.  Returns 1 if the integral
 * has converged.  p: NULL if `function` is given. */
static int converges(const struct integral_job *job, const struct program *p, double *pool, SEXP function,
                     const struct quadrature_method *m, struct status *st)
{
    struct interpreter_pool *interpreter_pool = NULL;
    struct limited l = { .function = function, .left = m->trusted };
    struct sampler s = { &l, 1, BLOCK, limited_input, limited_run, NULL, 1, EVALUATION_TIME };
    struct tolerance t = { job->rel_tol, job->abs_tol };

    if (!p || (!program_check(p, 1, st) && !interpreters_open(p, pool, 1, never_interrupted, &interpreter_pool, st))) {
        if (p) l.program = interpreters_sampler(interpreter_pool);
        dispatch_cpu(job, NULL, &s, m->cpu, p ? never_interrupted : glue_interrupted, st);
    }
    interpreters_close(interpreter_pool);
    if (l.left < 0.0 || l.is_refused) {
        st->code = ST_OK;
        return 0;
    }
    return !st->code && !statuses_check(job->status, job->value, job->error, job->evaluations, 1, t, m->trusted);
}

/* Returns the method that "auto" and the names of bisecting methods stand for; NULL for other methods. */
static const struct quadrature_method *method_of(SEXP name)
{
    if (TYPEOF(name) != STRSXP || XLENGTH(name) != 1 || Rf_isObject(name)) return NULL;
    const char *text = CHAR(STRING_ELT(name, 0));
    const struct quadrature_method *m = quadrature_method_of(strcmp(text, "auto") ? text : "gk");
    return m && m->has_one_axis && m->trusted > 0.0 ? m : NULL;
}

static int is_limit(SEXP x)
{
    return glue_is_plain(x) && XLENGTH(x) == 1;
}

/* TRUE if `where` holds these limits, and no parameters. */
static int has_limits(SEXP where, SEXP lower, SEXP upper)
{
    SEXP limit[] = { lower, upper };
    if (TYPEOF(where) != VECSXP || XLENGTH(where) != 3 || XLENGTH(VECTOR_ELT(where, 0))) return 0;
    for (int k = 0; k < 2; k++)
        if (XLENGTH(VECTOR_ELT(where, k + 1)) != 1 ||
            !is_identical(VECTOR_ELT(VECTOR_ELT(where, k + 1), 0), limit[k])) return 0;
    return 1;
}

/* TRUE if short jobs run on the CPU. */
static int uses_cpu(void)
{
    struct status st = { ST_OK, "" };
    enum wanted wanted;
    glue_read_options();
    return !backend_wanted("", PRECISION_DOUBLE, &wanted, &st) && wanted != WANTED_DEVICE;
}

/* Strings that all results share: making them anew would take as long as a short integral. */
struct shared {
    SEXP strings;
    const char *const *text;
    int count;
};

static const char *const result_names[] = { "value", "abs.error", "evaluations", "status", "method", "backend", "time",
                                            "call", "problem", "message", "subdivisions" };
static const char *const problem_names[] = { "f", "fixed", "columns", "lower", "upper", "breaks", "tolerance",
                                             "options", "integrand", "stages", "dim" };
static const char *const tolerance_names[] = { "rel.tol", "abs.tol", "max.eval" };
static const char *const word[] = { "factor", "gintegral", "threads", "R", "OK" };

enum shared_strings { OF_RESULT, OF_PROBLEM, OF_TOLERANCE, FACTOR, GINTEGRAL, THREADS, BY_R, OK };

static SEXP shared(enum shared_strings k)
{
    static struct shared all[] = {
        { NULL, result_names, 11 }, { NULL, problem_names, 11 }, { NULL, tolerance_names, 3 }, { NULL, word, 1 },
        { NULL, word + 1, 1 }, { NULL, word + 2, 1 }, { NULL, word + 3, 1 }, { NULL, word + 4, 1 }
    };
    if (!all[k].strings) {
        SEXP strings = glue_strings(all[k].text, all[k].count);
        R_PreserveObject(strings);
        MARK_NOT_MUTABLE(strings);
        all[k].strings = strings;
    }
    return all[k].strings;
}

/* Returns a list of the elements at `value`. */
static SEXP named_list(enum shared_strings names, const SEXP *value)
{
    SEXP strings = shared(names), list = PROTECT(Rf_allocVector(VECSXP, XLENGTH(strings)));
    for (R_xlen_t k = 0; k < XLENGTH(list); k++) SET_VECTOR_ELT(list, k, value[k]);
    Rf_setAttrib(list, R_NamesSymbol, strings);
    UNPROTECT(1);
    return list;
}

/* Returns the problem as gintegrate() composes it. */
static SEXP problem_of(SEXP f, SEXP integrand, SEXP lower, SEXP upper, SEXP tolerance)
{
    SEXP none = PROTECT(Rf_allocVector(VECSXP, 0)), breaks = PROTECT(Rf_allocVector(REALSXP, 0));
    SEXP dim = PROTECT(Rf_ScalarInteger(1));
    SEXP value[] = { f, none, R_NilValue, lower, upper, breaks, tolerance, none, integrand, R_NilValue, dim };
    SEXP problem = named_list(OF_PROBLEM, value);
    UNPROTECT(3);
    return problem;
}

/* Returns the result of gintegrate() for an integral that has converged. */
static SEXP result_of(SEXP number[3], SEXP levels, SEXP method, SEXP backend, double seconds, SEXP call, SEXP problem)
{
    SEXP status = PROTECT(Rf_ScalarInteger(INTEGRAL_CONVERGED + 1)), time = PROTECT(Rf_ScalarReal(seconds));
    SEXP parts = PROTECT(Rf_ScalarInteger((int)ceil(REAL(number[2])[0] / EVALUATIONS_SUBDIVISION)));
    SEXP value[] = { number[0], number[1], number[2], status, method, backend, time, call, problem, shared(OK), parts };
    SEXP result = PROTECT(named_list(OF_RESULT, value));
    Rf_setAttrib(status, R_LevelsSymbol, levels);
    Rf_setAttrib(status, R_ClassSymbol, shared(FACTOR));
    Rf_setAttrib(result, R_ClassSymbol, shared(GINTEGRAL));
    UNPROTECT(4);
    return result;
}

/* Returns the tolerances and the largest number of evaluations, R's NULL if they need the checks in R. */
static SEXP tolerance_of(SEXP rel_tol, SEXP abs_tol, SEXP max_eval)
{
    SEXP evaluations = PROTECT(max_eval == R_NilValue ? Rf_ScalarReal(EVALUATIONS_DEFAULT) : max_eval);
    SEXP value[] = { rel_tol, abs_tol, evaluations }, list = R_NilValue;
    if (glue_is_positive(rel_tol, 1) && glue_is_positive(abs_tol, 1) && glue_is_positive(evaluations, 0))
        list = named_list(OF_TOLERANCE, value);
    UNPROTECT(1);
    return list;
}

/* Returns the result of gintegrate() for a program that was last compared with its function between the limits in
 * `where`, or for a function, which `integrand` calls in blocks, if the integral converges soon. */
SEXP r_integral(SEXP integrand, SEXP where, SEXP f, SEXP lower, SEXP upper, SEXP rel_tol, SEXP abs_tol, SEXP max_eval,
                SEXP method, SEXP levels, SEXP call)
{
    double began = threads_clock();
    struct status st = { ST_OK, "" };
    const struct quadrature_method *m = method_of(method);
    int is_function = Rf_isFunction(integrand), status = INTEGRAL_NOT_DONE, has_converged;
    if (!m || !is_limit(lower) || !is_limit(upper) || (!is_function && !has_limits(where, lower, upper)) ||
        TYPEOF(levels) != STRSXP || !uses_cpu()) return R_NilValue;

    SEXP tolerance = PROTECT(tolerance_of(rel_tol, abs_tol, max_eval)), number[3], result = R_NilValue;
    SEXP problem = PROTECT(problem_of(f, integrand, lower, upper, tolerance));
    for (int k = 0; k < 3; k++) number[k] = PROTECT(Rf_allocVector(REALSXP, 1));
    if (tolerance != R_NilValue) {
        struct column low = glue_column(lower), high = glue_column(upper);
        struct integral_job job = {
            .n = 1, .dim = 1, .components = 1, .lower = &low, .upper = &high,
            .rel_tol = glue_number(tolerance, "rel.tol"), .abs_tol = glue_number(tolerance, "abs.tol"),
            .max_eval = glue_number(tolerance, "max.eval"), .value = REAL(number[0]), .error = REAL(number[1]),
            .evaluations = REAL(number[2]), .status = &status
        };
        if (is_function) has_converged = converges(&job, NULL, NULL, f, m, &st);
        else {
            struct program p = program_from(integrand);
            has_converged = !p.laws && converges(&job, &p, program_pool(integrand), R_NilValue, m, &st);
        }
        if (st.code) glue_raise(&st);
        if (has_converged)
            result = result_of(number, levels, method, shared(is_function ? BY_R : THREADS), threads_clock() - began,
                               call, problem);
    }
    UNPROTECT(5);
    return result;
}

/* --- repeated calls ---------------------------------------------------------------------- */

#define WORK_MAX  1000.0                /* the most operations at one point of integrals that are not interrupted */

static int is_string(SEXP x, const char *text)
{
    return TYPEOF(x) == STRSXP && XLENGTH(x) == 1 && !glue_has_attributes(x) && !strcmp(CHAR(STRING_ELT(x, 0)), text);
}

static int is_true(SEXP x)
{
    return TYPEOF(x) == LGLSXP && XLENGTH(x) == 1 && LOGICAL(x)[0] == 1;
}

/* TRUE if a function returns one number within 1e-9 of an earlier value at the point of an earlier comparison, or if
 * none was stored. */
static int agrees_as_before(SEXP compared, SEXP f)
{
    SEXP expected = glue_variable(compared, Rf_install("value"));
    if (expected == R_NilValue) return 1;
    SEXP arguments = glue_variable(compared, Rf_install("arguments"));
    SEXP call = PROTECT(Rf_lang2(f, VECTOR_ELT(arguments, 0))), y = PROTECT(Rf_eval(call, R_GlobalEnv));
    int is_number = (TYPEOF(y) == REALSXP || TYPEOF(y) == INTSXP) && !Rf_isObject(y) && XLENGTH(y) == 1;
    double given = is_number ? Rf_asReal(y) : NA_REAL, value = Rf_asReal(expected), tolerance = 1e-9 * fabs(value);
    UNPROTECT(2);
    return fabs(given - value) <= (tolerance > DBL_MIN ? tolerance : DBL_MIN);
}

/* Returns the point at a given share of the range, as inside() in R does. */
static double point_inside(double a, double b, double share)
{
    double reach = share / (1.0 - share), way = (b > a) - (b < a);
    if (R_FINITE(a) && R_FINITE(b)) return a + (b - a) * share;
    if (R_FINITE(a)) return a + way * reach;
    if (R_FINITE(b)) return b - way * reach;
    return (2.0 * share - 1.0) / (share * (1.0 - share));
}

/* TRUE if a function returns, for one vector of points, the values of a program to within 1e-9. */
static int agrees_at(SEXP f, SEXP points, const double *values)
{
    SEXP call = PROTECT(Rf_lang2(f, points)), expected = PROTECT(Rf_eval(call, R_GlobalEnv));
    int agrees = TYPEOF(expected) == REALSXP && !Rf_isObject(expected) && XLENGTH(expected) == XLENGTH(points);
    for (R_xlen_t k = 0; k < XLENGTH(points) && agrees; k++)
        agrees = fabs(values[k] - REAL(expected)[k]) <= 1e-9 * fabs(REAL(expected)[k]);
    UNPROTECT(2);
    return agrees;
}

/* TRUE if the values of a program agree with those of a function at the points at these shares of the range; singly:
 * call it with each point, not with the vector of points. */
SEXP r_agrees(SEXP program, SEXP f, SEXP lower, SEXP upper, SEXP shares, SEXP singly)
{
    R_xlen_t n = XLENGTH(shares);
    SEXP inputs = PROTECT(Rf_allocVector(VECSXP, 1)), points = Rf_allocVector(REALSXP, n);
    SET_VECTOR_ELT(inputs, 0, points);
    for (R_xlen_t k = 0; k < n; k++)
        REAL(points)[k] = point_inside(REAL(lower)[0], REAL(upper)[0], REAL(shares)[k]);
    SEXP values = PROTECT(r_values(program, inputs));
    int agrees = 1;
    if (!Rf_asLogical(singly)) agrees = agrees_at(f, points, REAL(values));
    else for (R_xlen_t k = 0; k < n && agrees; k++) {
        SEXP point = PROTECT(Rf_ScalarReal(REAL(points)[k]));
        agrees = agrees_at(f, point, REAL(values) + k);
        UNPROTECT(1);
    }
    UNPROTECT(2);
    return Rf_ScalarLogical(agrees);
}

/* Returns the result of gintegrate() for the same function or translation as before, if the integral converges after
 * few evaluations.  Returns the translation if it was not yet compared between these limits, the value of refuse() if
 * the function has no translation, and R's NULL if the call needs the checks of gintegrate().  caches: a list of
 * dimensions, translations and refusals (R/integrand-cache.R), and what is stored once. */
SEXP r_recalled(SEXP f, SEXP lower, SEXP upper, SEXP rel_tol, SEXP abs_tol, SEXP max_eval, SEXP method, SEXP control,
                SEXP backend, SEXP call, SEXP caches)
{
    int is_ready = TYPEOF(f) == VECSXP && Rf_inherits(f, "gtranslation");
    if (!is_string(backend, "auto") || TYPEOF(control) != VECSXP || XLENGTH(control) ||
        (!is_ready && TYPEOF(f) != CLOSXP)) return R_NilValue;
    if (is_ready && (glue_number(f, "dim") != 1.0 || Rf_length(glue_find(f, "parameters")))) return R_NilValue;
    SEXP made = is_ready ? f : find_translation(caches, f);
    if (glue_find(made, "program") == R_NilValue)
        return is_true(glue_find(made, "is_evaluated_at_once")) ? made : R_NilValue;
    SEXP compared = glue_find(made, "compared");
    if (TYPEOF(compared) != ENVSXP || !(glue_number(made, "work") <= WORK_MAX)) return R_NilValue;
    SEXP where = glue_variable(compared, Rf_install("where"));
    if (where == R_NilValue || !agrees_as_before(compared, f)) return R_NilValue;
    if (!is_limit(lower) || !is_limit(upper)) return R_NilValue;
    if (!has_limits(where, lower, upper)) return made;
    return r_integral(glue_element(made, "program"), where, f, lower, upper, rel_tol, abs_tol, max_eval, method,
                      glue_variable(VECTOR_ELT(caches, 3), Rf_install("statuses")), call);
}
