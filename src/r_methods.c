/* The table of quadrature methods (quadrature/method.h) for R, and the options of a call for the methods. */
#include <math.h>
#include <string.h>
#include "r_glue.h"
#include "quadrature/method.h"

/* --- the table ---------------------------------------------------------------------- */

static SEXP choices_of(const struct method_option *o)
{
    int n = 0;
    while (o->choices && o->choices[n]) n++;
    return glue_strings(o->choices, n);
}

static SEXP string_or_null(const char *text)
{
    return text ? Rf_mkString(text) : R_NilValue;
}

/* Returns the default of an option as users write it; NULL if the method, or the random generator, chooses the value,
 * and NA if it must be given. */
static SEXP preset_of(const struct method_option *o)
{
    if (isnan(o->preset)) return Rf_ScalarReal(NA_REAL);
    if (o->kind == OPTION_FLAG) return Rf_ScalarLogical((int)o->preset);
    if (o->kind == OPTION_CHOICE) return Rf_mkString(o->choices[(int)o->preset]);
    if (o->kind == OPTION_SEED || o->kind == OPTION_KEY) return R_NilValue;
    if (o->kind == OPTION_COUNT && o->preset < o->minimum) return R_NilValue;
    return o->kind == OPTION_POSITIVE && o->preset == 0.0 ? R_NilValue : Rf_ScalarReal(o->preset);
}

static SEXP option_of(const struct method_option *o)
{
    const char *names[] = { "kind", "default", "choices", "at_most", "drawn_for", "help", "below", "least", "most",
                            "" };
    SEXP list = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(list, 0, Rf_mkString(option_kind_name[o->kind]));
    SET_VECTOR_ELT(list, 1, preset_of(o));
    SET_VECTOR_ELT(list, 2, choices_of(o));
    SET_VECTOR_ELT(list, 3, string_or_null(o->at_most));
    SET_VECTOR_ELT(list, 4, string_or_null(o->drawn_for));
    SET_VECTOR_ELT(list, 5, string_or_null(o->help));
    SET_VECTOR_ELT(list, 6, string_or_null(o->below));
    SET_VECTOR_ELT(list, 7, Rf_ScalarInteger(o->minimum));
    SET_VECTOR_ELT(list, 8, Rf_ScalarInteger(o->maximum));
    UNPROTECT(1);
    return list;
}

/* Returns the options of a method as a named list. */
static SEXP options_of(const struct quadrature_method *m)
{
    int n = 0;
    while (m->option && m->option[n].name) n++;
    SEXP list = PROTECT(Rf_allocVector(VECSXP, n)), names = PROTECT(Rf_allocVector(STRSXP, n));
    for (int k = 0; k < n; k++) {
        SET_STRING_ELT(names, k, Rf_mkChar(m->option[k].name));
        SET_VECTOR_ELT(list, k, option_of(&m->option[k]));
    }
    Rf_setAttrib(list, R_NamesSymbol, names);
    UNPROTECT(2);
    return list;
}

/* Returns the table of methods as a list of columns. */
SEXP r_methods(void)
{
    const char *columns[] = {
        "name", "one", "more", "breaks", "samples", "bounds", "shares", "trusted", "options", ""
    };
    const SEXPTYPE type[] = { STRSXP, LGLSXP, INTSXP, LGLSXP, LGLSXP, LGLSXP, LGLSXP, REALSXP, VECSXP };
    SEXP list = PROTECT(Rf_mkNamed(VECSXP, columns));

    for (int k = 0; k < 9; k++) SET_VECTOR_ELT(list, k, Rf_allocVector(type[k], quadrature_method_count));
    for (int k = 0; k < quadrature_method_count; k++) {
        const struct quadrature_method *m = &quadrature_methods[k];
        SET_STRING_ELT(VECTOR_ELT(list, 0), k, Rf_mkChar(m->name));
        LOGICAL(VECTOR_ELT(list, 1))[k] = m->has_one_axis;
        INTEGER(VECTOR_ELT(list, 2))[k] = m->axes_max;
        LOGICAL(VECTOR_ELT(list, 3))[k] = m->takes_breaks;
        LOGICAL(VECTOR_ELT(list, 4))[k] = m->sampling != NO_SAMPLING;
        LOGICAL(VECTOR_ELT(list, 5))[k] = m->returns_bounds;
        LOGICAL(VECTOR_ELT(list, 6))[k] = m->shares_points;
        REAL(VECTOR_ELT(list, 7))[k] = m->trusted;
        SET_VECTOR_ELT(VECTOR_ELT(list, 8), k, options_of(m));
    }
    UNPROTECT(1);
    return list;
}

/* Returns the names of the statuses, in the order of their numbers from 0 on. */
SEXP r_statuses(void)
{
    return glue_strings(integral_status_name, INTEGRAL_STATUSES);
}

/* Returns the numbers of evaluations that R needs, too, as a named vector. */
SEXP r_evaluations(void)
{
    const char *names[] = { "default", "subdivision", "" };
    SEXP numbers = PROTECT(Rf_mkNamed(REALSXP, names));
    REAL(numbers)[0] = EVALUATIONS_DEFAULT;
    REAL(numbers)[1] = EVALUATIONS_SUBDIVISION;
    UNPROTECT(1);
    return numbers;
}

/* --- the options of a call ---------------------------------------------------------- */

static void set_option(const struct method_option *o, SEXP list, struct integral_job *job)
{
    char *to = (char *)&job->option + o->offset;
    SEXP x = glue_find(list, o->name);
    R_xlen_t n = TYPEOF(x) == REALSXP ? XLENGTH(x) : 0;
    const double *given = n > 0 ? REAL(x) : NULL;
    double value = given ? *given : o->preset;
    int whole = isfinite(value) ? (int)value : 0;

    if (o->kind == OPTION_NUMBER || o->kind == OPTION_POSITIVE) memcpy(to, &value, sizeof value);
    else if (o->kind == OPTION_FLAG || o->kind == OPTION_CHOICE || o->kind == OPTION_COUNT)
        memcpy(to, &whole, sizeof whole);
    else if (o->kind == OPTION_EACH) {
        struct column each = { given ? given : &o->preset, given ? (size_t)n : 1 };
        job->each = each;
    }
    else if (given && n == 2) {
        struct philox_key key = { { (uint32)given[0], (uint32)given[1] } };
        memcpy(to, &key, sizeof key);
    }
}

/* Options that the list lacks are set to their defaults.  In the list, choices are indices from 0 on, and keys two
 * words. */
void methods_set_options(const struct quadrature_method *m, SEXP list, struct integral_job *job)
{
    memset(&job->option, 0, sizeof job->option);
    for (const struct method_option *o = m->option; o && o->name; o++) set_option(o, list, job);
}
