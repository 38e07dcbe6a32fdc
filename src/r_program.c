/* Entry points for programs, the translated integrands (R/integrand-*.R): their conversion, the table of operations,
 * their values, and the OpenCL C text. */
#include <limits.h>
#include <string.h>
#include "r_glue.h"
#include "base/memory.h"
#include "stable/user_law.h"
#include "integrand/sampler.h"

/* Programs are R objects, which users can modify.  This file checks the members that it reads; program_check() checks
 * the other numbers. */
void program_raise_invalid(void)
{
    struct status st = { ST_OK, "" };
    fail(&st, ST_UNSUPPORTED, "the program of the integrand is invalid");
    glue_raise(&st);
}

SEXP program_part(SEXP list, const char *name, SEXPTYPE type, R_xlen_t minimum)
{
    SEXP x = glue_find(list, name);
    if ((SEXPTYPE)TYPEOF(x) != type || XLENGTH(x) < minimum || XLENGTH(x) > INT_MAX) program_raise_invalid();
    return x;
}

/* Returns an element that is one number or logical value, as an integer; else an R error. */
static int whole(SEXP list, const char *name)
{
    SEXP x = glue_find(list, name);
    if (!(Rf_isNumeric(x) || Rf_isLogical(x)) || XLENGTH(x) != 1) program_raise_invalid();
    return Rf_asInteger(x);
}

/* Returns a column of a table with n rows, NULL if it is missing. */
static const double *doubles(SEXP list, const char *name, int n)
{
    SEXP x = glue_find(list, name);
    return TYPEOF(x) == REALSXP && XLENGTH(x) >= n ? REAL(x) : NULL;
}

static struct table table_of(SEXP t)
{
    int n = (int)XLENGTH(program_part(t, "y", REALSXP, 1));
    struct table u = {
        whole(t, "kind"), n, doubles(t, "x", n), doubles(t, "y", n), doubles(t, "b", n), doubles(t, "c", n),
        doubles(t, "d", n), glue_number(t, "left"), glue_number(t, "right"), glue_number(t, "share"),
        whole(t, "periodic"), whole(t, "natural")
    };
    return u;
}

static struct law_use law_of(SEXP l)
{
    const int *constant = INTEGER(program_part(l, "constant", INTSXP, 4));
    const int *operand = INTEGER(program_part(l, "operand", INTSXP, 4));
    struct law_use u = {
        whole(l, "pdf") ? WANT_PDF : WANT_CDF, whole(l, "lower"), whole(l, "log"), whole(l, "pm"),
        { constant[0], constant[1], constant[2], constant[3] }, { operand[0], operand[1], operand[2], operand[3] }
    };
    return u;
}

struct program program_from(SEXP list)
{
    SEXP code = program_part(list, "code", INTSXP, 0), prelude = program_part(list, "prelude", INTSXP, 0);
    SEXP tables = program_part(list, "tables", VECSXP, 0), laws = program_part(list, "laws", VECSXP, 0);
    SEXP result = program_part(list, "result", INTSXP, 1);
    int count = (int)(XLENGTH(code) / 5), prelude_count = (int)(XLENGTH(prelude) / 5);
    struct table *table = (struct table *)R_alloc((size_t)XLENGTH(tables) + 1, sizeof *table);
    struct law_use *law = (struct law_use *)R_alloc((size_t)XLENGTH(laws) + 1, sizeof *law);
    struct program p = {
        whole(list, "inputs"), whole(list, "registers"), (int)XLENGTH(program_part(list, "constants", REALSXP, 0)),
        (int)XLENGTH(result), glue_number(list, "work"), INTEGER(result), count, prelude_count,
        (const struct instruction *)INTEGER(code), (const struct instruction *)INTEGER(prelude),
        (int)XLENGTH(tables), (int)XLENGTH(laws), table, law
    };
    for (int k = 0; k < p.tables; k++) table[k] = table_of(VECTOR_ELT(tables, k));
    for (int k = 0; k < p.laws; k++) law[k] = law_of(VECTOR_ELT(laws, k));
    return p;
}

double *program_pool(SEXP list)
{
    SEXP given = glue_element(list, "constants");
    double *pool = (double *)R_alloc((size_t)XLENGTH(given) + 1, sizeof *pool);
    memcpy(pool, REAL(given), (size_t)XLENGTH(given) * sizeof *pool);
    return pool;
}

/* Returns the names of the kinds of lookup tables, in the order of their numbers from 0 on. */
SEXP r_table_kinds(void)
{
    return glue_strings(table_kind_name, TABLE_KINDS);
}

/* Returns the table of operations (integrand/operations.h): names, names in R, and numbers of operands. */
SEXP r_operations(void)
{
    const char *names[] = { "name", "in_r", "arity", "" };
    SEXP list = PROTECT(Rf_mkNamed(VECSXP, names));
    SEXP name = Rf_allocVector(STRSXP, OP_END), in_r, arity;
    SET_VECTOR_ELT(list, 0, name);
    SET_VECTOR_ELT(list, 1, in_r = Rf_allocVector(STRSXP, OP_END));
    SET_VECTOR_ELT(list, 2, arity = Rf_allocVector(INTSXP, OP_END));
    int k = 0;
#define PUT(n, r, a) \
    SET_STRING_ELT(name, k, Rf_mkChar(n)); SET_STRING_ELT(in_r, k, Rf_mkChar(r)); INTEGER(arity)[k++] = a
#define PUT_OPERATION(n, r, a, value) PUT(#n, r, a);
    OPERATIONS(PUT_OPERATION)
    PUT("SKIP", "", 1);
    PUT("LOOKUP", "", 1);
    PUT("STABLE", "", 1);
    PUT("COPY", "", 1);
    PUT("LOOP", "", 0);
    PUT("NEXT", "", 0);
    UNPROTECT(1);
    return list;
}

/* Returns the value of operation number `op`, counted from 0, for three operands; NA if it does not exist. */
SEXP r_operation(SEXP op, SEXP a, SEXP b, SEXP c)
{
    int k = Rf_asInteger(op);
    if (k < 0 || k >= OP_COUNT) return Rf_ScalarReal(NA_REAL);
    return Rf_ScalarReal(program_number(k, Rf_asReal(a), Rf_asReal(b), Rf_asReal(c)));
}

/* --- values of a program --------------------------------------------------------- */

/* Returns the values of a program, component by component.  inputs: a list of columns of equal length. */
SEXP r_values(SEXP program, SEXP inputs)
{
    struct program p = program_from(program);
    struct status st = { ST_OK, "" };
    struct interpreter_pool *interpreter_pool = NULL;
    double *pool = program_pool(program);
    const struct column *input = glue_columns(inputs);
    int inputs_given = (int)XLENGTH(inputs);
    size_t n = inputs_given ? input[0].length : 0;
    SEXP y = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)n * p.components));
    double *to = REAL(y);               /* R is not called from here until the pool is closed */

    for (int k = 0; k < inputs_given; k++)
        if (input[k].length != n) inputs_given = -1;
    if (!program_check(&p, inputs_given, &st) &&
        !interpreters_open(&p, pool, 1, glue_interrupted, &interpreter_pool, &st)) {
        struct sampler s = interpreters_sampler(interpreter_pool);
        for (size_t i = 0; i < n && !st.code; i += BLOCK) {
            int count = n - i < BLOCK ? (int)(n - i) : BLOCK;
            for (int k = 0; k < p.inputs; k++)
                memcpy(s.input(s.self, 0, k), input[k].at + i, (size_t)count * sizeof *to);
            const double *value = s.run(s.self, 0, count);
            for (int c = 0; value && c < p.components; c++)
                memcpy(to + (size_t)c * n + i, value + c * BLOCK, (size_t)count * sizeof *to);
            if (!value) fail(&st, ST_INTERRUPTED, "interrupted");
        }
    }
    interpreters_close(interpreter_pool);
    if (st.code) glue_raise(&st);
    UNPROTECT(1);
    return y;
}

/* --- the OpenCL C text ----------------------------------------------------------- */

static SEXP string_of(void *text)
{
    return Rf_mkString(text);
}

/* Returns the OpenCL C text of a program over one axis, in double or single precision, for the tests. */
SEXP r_source(SEXP program, SEXP is_single)
{
    struct program p = program_from(program);
    struct status st = { ST_OK, "" };
    char *text = program_check(&p, p.inputs, &st) ? NULL : source_of(&p, 1, Rf_asLogical(is_single) == TRUE, &st);
    if (!text) glue_raise(&st);
    SEXP y;
    if (glue_guard(string_of, text, &y)) st.code = ST_INTERRUPTED;
    memory_release(text);
    if (st.code) glue_raise(&st);
    return y;
}
