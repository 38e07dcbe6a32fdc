/* Conversion of arguments, options, interrupts, and conditions. */
#include <math.h>
#include <setjmp.h>
#include <string.h>
#include <Rversion.h>
#include "r_glue.h"
#include "base/background.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/process.h"
#include "opencl/binaries.h"

/* The continuation of a jump that glue_guard() has stopped.  It is created when the package is loaded, so that a
 * poll does not allocate. */
static SEXP unwinding;

static int calls_of_r;

int glue_is_calling(void)
{
    return calls_of_r > 0;
}

/* R compares its time limits with the clock only in every sixth of these checks. */
#define LIMIT_CHECKS 6

#define CHECK_SECONDS 0.02              /* between two checks for interrupts */

static SEXP check_interrupt(void *unused)
{
    (void)unused;
    for (int k = 0; k < LIMIT_CHECKS; k++) R_CheckUserInterrupt();
    return R_NilValue;
}

static void stop_unwinding(void *back, Rboolean jumping)
{
    if (jumping) longjmp(*(jmp_buf *)back, 1);
}

/* If R jumps to a handler, for an error, an interrupt or a time limit, the jump is stopped here, before it reaches a C
 * frame that owns resources.  glue_raise() continues it once these frames have returned. */
int glue_guard(SEXP (*call)(void *), void *data, SEXP *result)
{
    jmp_buf back;

    calls_of_r++;
    if (setjmp(back)) {
        calls_of_r--;
        return 1;
    }
    *result = R_UnwindProtect(call, data, stop_unwinding, &back, unwinding);
    calls_of_r--;
    return 0;
}

int glue_interrupted(void)
{
    static double checked;
    double now = threads_clock();
    SEXP unused;

    if (fabs(now - checked) < CHECK_SECONDS) return 0;
    checked = now;
    return glue_guard(check_interrupt, NULL, &unused);
}

/* Calls a function of the package's namespace with a text. */
static void call_with_text(const char *function, const char *text)
{
    SEXP name = PROTECT(Rf_mkString("stablecl"));
    SEXP space = PROTECT(R_FindNamespace(name));
    SEXP argument = PROTECT(Rf_mkString(text));
    SEXP call = PROTECT(Rf_lang2(Rf_install(function), argument));
    Rf_eval(call, space);
    UNPROTECT(4);
}

static SEXP tell_of_build(void *what)
{
    call_with_text("tell_of_build", what);
    return R_NilValue;
}

/* Returns TRUE if a handler of the message jumps. */
static int report_build(const char *what)
{
    char copy[BACKGROUND_TEXT];
    SEXP unused;

    snprintf(copy, sizeof copy, "%s", what);
    return glue_guard(tell_of_build, copy, &unused);
}

void glue_load(void)
{
    background_load(glue_interrupted, report_build);
    if (unwinding) return;              /* the package was unloaded, and its code stayed in memory */
    unwinding = R_MakeUnwindCont();
    R_PreserveObject(unwinding);
}

void glue_raise(const struct status *st)
{
    if (st->code == ST_INTERRUPTED) R_ContinueUnwind(unwinding);

    SEXP name = PROTECT(Rf_mkString("stablecl"));
    SEXP space = PROTECT(R_FindNamespace(name));
    SEXP code = PROTECT(Rf_ScalarInteger(st->code));
    SEXP message = PROTECT(Rf_mkString(st->message));
    SEXP call = PROTECT(Rf_lang3(Rf_install("raise_status"), code, message));
    Rf_eval(call, space);
    UNPROTECT(5);
}

void glue_raise_memory(const char *what)
{
    struct status st;
    fail(&st, ST_MEMORY, "no memory for %s", what);
    glue_raise(&st);
}

void glue_warn_devices(void)
{
    const char *reason = backend_notice();
    if (reason) call_with_text("warn_device", reason);
}

/* Returns the value of an option of R.  Its symbol is looked up at the first call. */
static SEXP option_value(SEXP *symbol, const char *name)
{
    if (!*symbol) *symbol = Rf_install(name);
    return Rf_GetOption1(*symbol);
}

/* Reads options(stablecl.backend); anything but one string counts as no preference. */
static void read_backend(void)
{
    static SEXP symbol;
    SEXP preference = option_value(&symbol, "stablecl.backend");
    struct status st = { ST_OK, "" };
    const char *text = "";

    if (TYPEOF(preference) == STRSXP && XLENGTH(preference) == 1 && STRING_ELT(preference, 0) != NA_STRING)
        text = CHAR(STRING_ELT(preference, 0));
    if (backend_preference(PREFERENCE_OPTION, text, &st)) glue_raise(&st);
}

/* Returns the folder for binaries of programs if no option selects one: that of R for caches of packages, which R
 * determines once; "" while a package is being checked, or if R has none. */
static const char *default_folder(void)
{
    static char folder[FILES_PATH];
    static int is_known;

    if (is_known) return folder;
    is_known = 1;
    if (process_is_checked()) return folder;
    SEXP name = PROTECT(Rf_mkString("stablecl"));
    SEXP space = PROTECT(R_FindNamespace(name));
    SEXP call = PROTECT(Rf_lang1(Rf_install("cache_folder")));
    SEXP path = PROTECT(Rf_eval(call, space));
    snprintf(folder, sizeof folder, "%s", CHAR(STRING_ELT(path, 0)));
    UNPROTECT(4);
    return folder;
}

/* Reads options(stablecl.programs): one string, or FALSE; anything else counts as not set. */
static void read_programs(void)
{
    static SEXP symbol;
    SEXP option = option_value(&symbol, "stablecl.programs");

    if (TYPEOF(option) == LGLSXP && XLENGTH(option) == 1 && LOGICAL(option)[0] == FALSE)
        binaries_folder("", 0);
    else if (TYPEOF(option) == STRSXP && XLENGTH(option) == 1 && STRING_ELT(option, 0) != NA_STRING)
        binaries_folder(R_ExpandFileName(Rf_translateChar(STRING_ELT(option, 0))), 1);
    else
        binaries_folder(default_folder(), 0);
}

/* Reads options(stablecl.threads); anything but one number from 1 to 65536 counts as no preference. */
static void read_threads(void)
{
    static SEXP symbol;
    SEXP preference = option_value(&symbol, "stablecl.threads");
    int threads = 0;

    if (Rf_isNumeric(preference) && Rf_xlength(preference) == 1) {
        double value = Rf_asReal(preference);
        if (value >= 1 && value <= 65536) threads = (int)value;
    }
    backend_preference_threads(-1, threads);
}

void glue_read_options(void)
{
    glue_read_options_for(R_XLEN_T_MAX);
}

/* R searches the list of all options for each name, in about 350 instructions: two of three searches are a tenth of
 * the instructions of dstable() for one element of a distribution that was used before. */
void glue_read_options_for(R_xlen_t n)
{
    read_backend();
    if (n == 1 && backend_computes_one_on_cpu()) return;
    read_programs();
    read_threads();
}

/* Raises the R error of R/check-arguments.R. */
static void raise_parametrisation(SEXP pm)
{
    SEXP name = PROTECT(Rf_mkString("stablecl"));
    SEXP space = PROTECT(R_FindNamespace(name));
    SEXP given = PROTECT(Rf_lang2(R_QuoteSymbol, pm));
    SEXP call = PROTECT(Rf_lang2(Rf_install("check_parametrisation"), given));
    Rf_eval(call, space);
    UNPROTECT(4);
}

int glue_parametrisation(SEXP pm)
{
    static const char *const names[] = { "S0", "S1", "S2" };

    if (Rf_xlength(pm) == 1 && TYPEOF(pm) == STRSXP) {
        for (int i = 0; i < 3; i++)
            if (!strcmp(CHAR(STRING_ELT(pm, 0)), names[i])) return i;
    } else if (Rf_xlength(pm) == 1 && Rf_isNumeric(pm)) {
        double value = Rf_asReal(pm);
        if (value == 0 || value == 1 || value == 2) return (int)value;
    }
    raise_parametrisation(pm);
    return 0;
}

SEXP glue_doubles(SEXP x)
{
    if (TYPEOF(x) == REALSXP) return x;
    if (!Rf_isNumeric(x)) Rf_error("Non-numeric argument to mathematical function");
    return Rf_coerceVector(x, REALSXP);
}

int glue_is_plain(SEXP x)
{
    return TYPEOF(x) == REALSXP && !Rf_isObject(x) && Rf_getAttrib(x, R_DimSymbol) == R_NilValue &&
           Rf_getAttrib(x, R_NamesSymbol) == R_NilValue;
}

int glue_has_attributes(SEXP x)
{
#if R_VERSION >= R_Version(4, 5, 0)
    return ANY_ATTRIB(x);
#else
    return ATTRIB(x) != R_NilValue;
#endif
}

int glue_is_positive(SEXP x, int or_zero)
{
    return glue_is_plain(x) && XLENGTH(x) == 1 && (REAL(x)[0] > 0.0 || (or_zero && REAL(x)[0] == 0.0));
}

struct column glue_column(SEXP doubles)
{
    struct column c = { REAL(doubles), (size_t)XLENGTH(doubles) };
    return c;
}

/* Leaves `protected` objects on the protection stack, which the caller removes. */
struct arguments glue_arguments(SEXP x, SEXP alpha, SEXP beta, SEXP gamma, SEXP delta)
{
    struct arguments a = { { x, alpha, beta, gamma, delta }, { NULL }, 0, 0 };

    for (int i = 0; i < 5; i++) {
        a.value[i] = PROTECT(glue_doubles(a.given[i]));
        a.protected++;
        if (XLENGTH(a.value[i]) > a.n) a.n = XLENGTH(a.value[i]);
    }
    for (int i = 0; i < 5; i++)
        if (XLENGTH(a.value[i]) == 0) a.n = 0;
    return a;
}

struct laws glue_one_law(SEXP law, int pm)
{
    const double *p = REAL(law);
    struct laws l = { { p, 1 }, { p + 1, 1 }, { p + 2, 1 }, { p + 3, 1 }, pm };
    return l;
}

SEXP glue_data(SEXP data)
{
    SEXP x = TYPEOF(data) == EXTPTRSXP ? R_ExternalPtrProtected(data) : data;
    if (TYPEOF(x) != REALSXP) Rf_error("the pointer is not a handle of stable_data()");
    return x;
}

SEXP glue_strings(const char *const *text, int n)
{
    SEXP strings = PROTECT(Rf_allocVector(STRSXP, n));
    for (int k = 0; k < n; k++) SET_STRING_ELT(strings, k, Rf_mkChar(text[k]));
    UNPROTECT(1);
    return strings;
}

/* Returns the index of an element of a named list; -1 if it is missing. */
static R_xlen_t index_in(SEXP list, const char *name)
{
    SEXP names = Rf_getAttrib(list, R_NamesSymbol);
    if (TYPEOF(list) != VECSXP || TYPEOF(names) != STRSXP) return -1;
    for (R_xlen_t k = 0; k < XLENGTH(list); k++)
        if (strcmp(CHAR(STRING_ELT(names, k)), name) == 0) return k;
    return -1;
}

SEXP glue_find(SEXP list, const char *name)
{
    R_xlen_t k = index_in(list, name);
    return k < 0 ? R_NilValue : VECTOR_ELT(list, k);
}

SEXP glue_element(SEXP list, const char *name)
{
    R_xlen_t k = index_in(list, name);
    if (k < 0) Rf_error("a list lacks '%s'", name);
    return VECTOR_ELT(list, k);
}

SEXP glue_variable(SEXP env, SEXP name)
{
#if R_VERSION >= R_Version(4, 5, 0)
    return R_getVarEx(name, env, FALSE, R_NilValue);
#else
    SEXP value = Rf_findVarInFrame(env, name);
    if (value == R_UnboundValue) return R_NilValue;
    return TYPEOF(value) == PROMSXP ? Rf_eval(value, env) : value;
#endif
}

void *glue_enlarge(void *old, int count, int capacity, size_t size)
{
    char *larger = R_alloc((size_t)capacity, (int)size);
    if (count) memcpy(larger, old, (size_t)count * size);
    return larger;
}

double glue_number(SEXP list, const char *name)
{
    SEXP x = glue_find(list, name);
    return Rf_isNumeric(x) && XLENGTH(x) == 1 ? Rf_asReal(x) : NA_REAL;
}

struct column *glue_columns(SEXP list)
{
    struct column *c = (struct column *)R_alloc((size_t)XLENGTH(list) + 1, sizeof *c);
    for (R_xlen_t k = 0; k < XLENGTH(list); k++) c[k] = glue_column(VECTOR_ELT(list, k));
    return c;
}

struct column glue_weights(SEXP weight)
{
    struct column none = { NULL, 0 };
    return weight == R_NilValue ? none : glue_column(weight);
}

struct laws glue_laws(const struct arguments *a, int pm)
{
    struct laws l = {
        glue_column(a->value[1]), glue_column(a->value[2]),
        glue_column(a->value[3]), glue_column(a->value[4]), pm
    };
    return l;
}

SEXP glue_reals(R_xlen_t n)
{
    SEXP y = Rf_allocVector(REALSXP, n);
    memory_use_large_pages(REAL(y), (size_t)n * sizeof(double));
    return y;
}

SEXP glue_result(const struct arguments *a)
{
    SEXP y = PROTECT(glue_reals(a->n));

    for (int i = 0; i < 5 && a->n > 0; i++) {
        if (XLENGTH(a->value[i]) == a->n) {
            SHALLOW_DUPLICATE_ATTRIB(y, a->value[i]);
            break;
        }
    }
    UNPROTECT(1);
    return y;
}
