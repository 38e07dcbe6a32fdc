/* Entry points for fits of one or many data sets (R/fit-run.R), and for quartiles (R/fit-plane.R). */
#include <string.h>
#include "r_glue.h"
#include "fit/fit.h"
#include "fit/starting_values.h"

static double number(SEXP list, const char *name)
{
    return Rf_asReal(glue_element(list, name));
}

/* Adds column k of log.f in `quantile_start`, reflected if sign is -1, to the log densities of the tables. */
static void add_shape(SEXP list, int k, int sign, double *log_f, struct start_tables *t)
{
    const double *from = REAL(glue_element(list, "log.f")) + k * t->nodes;
    if (t->shapes == MAX_SHAPES) Rf_error("the tables of starts have more than %d shapes", MAX_SHAPES);
    t->shape_alpha[t->shapes] = REAL(glue_element(list, "shape.alpha"))[k];
    t->shape_beta[t->shapes] = sign * REAL(glue_element(list, "shape.beta"))[k];
    for (int i = 0; i < t->nodes; i++) log_f[i * MAX_SHAPES + t->shapes] = from[sign < 0 ? t->nodes - 1 - i : i];
    t->shapes++;
}

/* Converts the log densities of a few shapes in `quantile_start`, and adds those of their reflections. */
static void add_shapes(SEXP list, struct start_tables *t)
{
    SEXP columns = glue_element(list, "log.f"), beta = glue_element(list, "shape.beta");
    t->nodes = Rf_nrows(columns);
    t->reach = number(list, "reach");
    t->nodes_per_unit = (t->nodes - 1) / (2.0 * t->reach);
    size_t count = (size_t)t->nodes * MAX_SHAPES;
    double *log_f = (double *)R_alloc(count, sizeof *log_f);
    memset(log_f, 0, count * sizeof *log_f);
    for (int k = 0; k < Rf_ncols(columns); k++) {
        add_shape(list, k, 1, log_f, t);
        if (REAL(beta)[k] > 0.0) add_shape(list, k, -1, log_f, t);
    }
    t->log_f = log_f;
}

/* Converts `quantile_start` of R/sysdata.rda. */
static struct start_tables tables_from(SEXP list)
{
    SEXP alpha = glue_element(list, "alpha"), beta = glue_element(list, "beta");
    struct start_tables t = {
        .alphas = (int)XLENGTH(alpha), .betas = (int)XLENGTH(beta), .alpha = REAL(alpha), .beta = REAL(beta),
        .spread = REAL(glue_element(list, "spread")), .skew = REAL(glue_element(list, "skew")),
        .quartiles = REAL(glue_element(list, "quartiles")), .median = REAL(glue_element(list, "median"))
    };
    if (t.betas > START_BETAS) Rf_error("the tables of starts have more than %d values of beta", START_BETAS);
    add_shapes(list, &t);
    return t;
}

/* Converts the options of a fit.  Laws are of S0; `fixed` is NA for parameters that are free. */
static struct fit_preference preference_from(SEXP list, const struct start_tables *tables)
{
    const double *fixed = REAL(glue_element(list, "fixed"));
    struct fit_preference w = {
        .tables = tables, .alpha_min = number(list, "alpha.min"), .tolerance = number(list, "tol"),
        .max_steps = (int)number(list, "maxit"), .wants_covariance = number(list, "se") != 0.0,
        .estimator = (enum estimator)(int)number(list, "estimator")
    };
    for (int j = 0; j < PARAMETERS; j++) {
        w.is_fixed[j] = !ISNAN(fixed[j]);
        w.fixed[j] = fixed[j];
    }
    return w;
}

enum {
    THETA, COV, LOGLIK, QUICK, GRADIENT, ACTIVE, END, NOTES, STEPS, EVALUATIONS, TROUBLE, TIED, TIE, TIE_SHARE,
    TIED_SHARE, TIED_ALPHA, OMITTED, COLUMNS
};

/* Returns a list with a vector for each member of struct fit_result, for `count` data sets. */
static SEXP result_columns(R_xlen_t count)
{
    const char *names[] = {
        "theta", "cov", "loglik", "start", "gradient", "active", "end", "notes", "steps", "evaluations", "trouble",
        "tied", "tie", "tie.share", "tied.share", "tied.alpha", "omitted", ""
    };
    static const int rows[COLUMNS] = { 4, 16, 1, 4, 4, 4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    SEXP list = PROTECT(Rf_mkNamed(VECSXP, names));
    for (int k = 0; k < COLUMNS; k++) SET_VECTOR_ELT(list, k, Rf_allocVector(REALSXP, rows[k] * count));
    UNPROTECT(1);
    return list;
}

/* Returns the numbers of data set i in a column with `rows` numbers for each data set. */
static double *cell(SEXP columns, int column, int rows, R_xlen_t i)
{
    return REAL(VECTOR_ELT(columns, column)) + rows * i;
}

/* Copies numbers, with NaN (unknown) as NA. */
static void write_known(const double *from, int count, double *to)
{
    for (int k = 0; k < count; k++) to[k] = ISNAN(from[k]) ? NA_REAL : from[k];
}

static void write_result(const struct fit_result *r, SEXP columns, R_xlen_t i)
{
    const struct estimate *e = &r->estimate;
    memcpy(cell(columns, THETA, 4, i), e->theta, sizeof e->theta);
    write_known(&e->cov[0][0], 16, cell(columns, COV, 16, i));
    memcpy(cell(columns, QUICK, 4, i), r->approximate, sizeof r->approximate);
    write_known(e->gradient, 4, cell(columns, GRADIENT, 4, i));
    for (int j = 0; j < PARAMETERS; j++) cell(columns, ACTIVE, 4, i)[j] = e->active[j];
    *cell(columns, LOGLIK, 1, i) = e->loglik;
    *cell(columns, END, 1, i) = e->end;
    *cell(columns, NOTES, 1, i) = e->notes;
    *cell(columns, STEPS, 1, i) = e->steps;
    *cell(columns, EVALUATIONS, 1, i) = e->evaluations;
    *cell(columns, TROUBLE, 1, i) = r->trouble;
    *cell(columns, TIED, 1, i) = (double)r->tie.values;
    *cell(columns, TIE, 1, i) = r->tie.at;
    *cell(columns, TIE_SHARE, 1, i) = r->tie.share;
    *cell(columns, TIED_SHARE, 1, i) = r->tie.all;
    *cell(columns, TIED_ALPHA, 1, i) = r->tie.alpha;
    *cell(columns, OMITTED, 1, i) = (double)r->omitted;
}

/* Sets data set i to `n` finite values; starts: NULL, or a matrix with a column for each data set. */
static void set_data(struct fit_data *data, R_xlen_t i, const double *x, size_t n, SEXP starts)
{
    struct fit_data d = { .x = x, .n = n, .start = starts == R_NilValue ? NULL : REAL(starts) + PARAMETERS * i };
    data[i] = d;
}

/* Fits the data sets and returns the columns of their results. */
static SEXP fit_all(const struct fit_data *data, R_xlen_t count, SEXP preference, SEXP quantile_start)
{
    struct start_tables tables = tables_from(quantile_start);
    struct fit_preference w = preference_from(preference, &tables);
    struct fit_result *result = (struct fit_result *)R_alloc((size_t)count, sizeof *result);
    struct status st = { ST_OK, "" };

    glue_read_options();
    if (batch_fit(data, (size_t)count, &w, result, glue_interrupted, &st)) glue_raise(&st);
    SEXP columns = PROTECT(result_columns(count));
    for (R_xlen_t i = 0; i < count; i++) write_result(&result[i], columns, i);
    glue_warn_devices();
    UNPROTECT(1);
    return columns;
}

/* Fits each of a list of double vectors or handles (r_data.c), all finite.  weights: NULL, or a list with a vector for
 * each; starts: as in set_data(). */
SEXP r_fits(SEXP list, SEXP weights, SEXP starts, SEXP preference, SEXP quantile_start)
{
    R_xlen_t count = XLENGTH(list);
    struct fit_data *data = (struct fit_data *)R_alloc((size_t)count, sizeof *data);

    for (R_xlen_t i = 0; i < count; i++) {
        SEXP handle = VECTOR_ELT(list, i), x = glue_data(handle);
        set_data(data, i, REAL(x), (size_t)XLENGTH(x), starts);
        data[i].data = glue_data_number(handle);
        if (weights != R_NilValue) data[i].weight = REAL(VECTOR_ELT(weights, i));
    }
    return fit_all(data, count, preference, quantile_start);
}

/* Fits windows over a series, which is not copied: window i has the finite values x[first[i]], x[first[i] + 1], ...,
 * x[first[i] + size[i] - 1], counted from 0.  The arguments are checked in R. */
SEXP r_window_fits(SEXP x, SEXP first, SEXP size, SEXP starts, SEXP preference, SEXP quantile_start)
{
    R_xlen_t count = XLENGTH(first);
    struct fit_data *data = (struct fit_data *)R_alloc((size_t)count, sizeof *data);

    for (R_xlen_t i = 0; i < count; i++)
        set_data(data, i, REAL(x) + (size_t)REAL(first)[i], (size_t)REAL(size)[i], starts);
    return fit_all(data, count, preference, quantile_start);
}

/* Continues the fit of a sample that is not in memory.  part, start: some of its values, and their estimate (S0).
 * moments: the number of all values, their mean and variance.  answers: a matrix with a column for each sum requested
 * so far.  Returns the result, as r_fits() does, or a list of further requests, a matrix with a column (alpha, beta,
 * gamma, delta, pm) for each, and their kind (REQUEST_..., fit/evaluate.h). */
SEXP r_streamed_fit(SEXP part, SEXP start, SEXP moments, SEXP preference, SEXP quantile_start, SEXP answers)
{
    const char *names[] = { "requests", "what", "" };
    struct start_tables tables = tables_from(quantile_start);
    struct fit_preference w = preference_from(preference, &tables);
    const double *moment = REAL(moments);
    struct streamed_data d = {
        { REAL(part), NULL, REAL(start), (size_t)XLENGTH(part), 0 }, moment[0], moment[1], moment[2]
    };
    struct streamed_requests q;
    struct fit_result result;
    struct status st = { ST_OK, "" };

    glue_read_options();
    if (fit_streamed(&d, &w, (size_t)Rf_ncols(answers), (double (*)[APPROXIMATE_SUMS])REAL(answers), &q, &result,
                     glue_interrupted, &st))
        glue_raise(&st);
    if (q.count == 0) {
        SEXP columns = PROTECT(result_columns(1));
        write_result(&result, columns, 0);
        UNPROTECT(1);
        return columns;
    }
    SEXP list = PROTECT(Rf_mkNamed(VECSXP, names)), laws = Rf_allocMatrix(REALSXP, 5, q.count);
    SET_VECTOR_ELT(list, 0, laws);
    SET_VECTOR_ELT(list, 1, Rf_ScalarInteger(q.what));
    for (int i = 0; i < q.count; i++) {
        const struct many_request *r = &q.request[i];
        const double law[5] = { r->alpha, r->beta, r->gamma, r->delta, r->pm };
        memcpy(REAL(laws) + 5 * i, law, sizeof law);
    }
    UNPROTECT(1);
    return list;
}

/* Returns the quartiles of the standard distributions (S0) of a matrix of shapes, rows (alpha, beta), as columns.  They
 * are too few for a device to save time. */
SEXP r_quartiles(SEXP shapes)
{
    static const double level[] = { 0.25, 0.5, 0.75 };
    static const double unit = 1.0, origin = 0.0;
    int count = Rf_nrows(shapes), nans;
    size_t n = 3 * (size_t)count;
    double *shape = (double *)R_alloc(2 * n, sizeof *shape);
    SEXP q = PROTECT(Rf_allocMatrix(REALSXP, 3, count));
    struct status st = { ST_OK, "" };
    struct element_job job = {
        .quantity = JOB_QUANTILES, .n = n, .x = { level, 3 }, .lower = 1, .out = { REAL(q) }, .on_cpu = 1,
        .laws = { { shape, n }, { shape + n, n }, { &unit, 1 }, { &origin, 1 }, 0 }
    };

    for (size_t i = 0; i < 2 * n; i++) shape[i] = REAL(shapes)[i / 3];
    glue_read_options();
    if (n > 0 && backend_run(&job, glue_interrupted, &nans, &st)) glue_raise(&st);
    UNPROTECT(1);
    return q;
}
