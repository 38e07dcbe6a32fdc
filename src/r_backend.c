/* Entry points of R/device-backend.R, R/device-list.R and R/device-sitrep.R, and the unloading of the package. */
#include "r_glue.h"
#include "run/selection.h"
#include "run/cpu.h"
#include "opencl/binaries.h"
#include "opencl/devices.h"
#include "base/parallel.h"
#include "base/process.h"
#include "fit/fit.h"

/* Returns the number of threads in force before the call; n is NULL or the new number, checked in R, 0 for the
 * default. */
SEXP r_threads(SEXP n)
{
    glue_read_options();
    int before = backend_threads();
    if (n != R_NilValue) backend_preference_threads(Rf_asInteger(n), -1);
    return Rf_ScalarInteger(before);
}

enum { PLATFORM, DEVICE, TYPE, UNITS, MEMORY, FP64, VERSION, DRIVER, USABLE, REASON, SINGLE, COLUMNS };

static void describe_device(SEXP table, int row, const struct device *d)
{
    SET_STRING_ELT(VECTOR_ELT(table, PLATFORM), row, Rf_mkChar(d->platform_name));
    SET_STRING_ELT(VECTOR_ELT(table, DEVICE), row, Rf_mkChar(d->name));
    SET_STRING_ELT(VECTOR_ELT(table, TYPE), row, Rf_mkChar(d->type));
    INTEGER(VECTOR_ELT(table, UNITS))[row] = (int)d->units;
    REAL(VECTOR_ELT(table, MEMORY))[row] = d->memory;
    LOGICAL(VECTOR_ELT(table, FP64))[row] = d->fp64;
    SET_STRING_ELT(VECTOR_ELT(table, VERSION), row, Rf_mkChar(d->version));
    SET_STRING_ELT(VECTOR_ELT(table, DRIVER), row, Rf_mkChar(d->driver));
    LOGICAL(VECTOR_ELT(table, USABLE))[row] = d->usable;
    SET_STRING_ELT(VECTOR_ELT(table, REASON), row, Rf_mkChar(d->reason));
    LOGICAL(VECTOR_ELT(table, SINGLE))[row] = d->single;
}

/* Returns the columns of stable_devices(), with the attribute "note", which states why there are no rows.  If `look` is
 * FALSE, there are no rows, and no driver is loaded. */
SEXP r_devices(SEXP look)
{
    const char *names[] = {
        "platform", "device", "type", "compute_units", "memory", "fp64", "opencl_version", "driver", "usable",
        "why_not", "single", ""
    };
    static const SEXPTYPE types[COLUMNS] = {
        STRSXP, STRSXP, STRSXP, INTSXP, REALSXP, LGLSXP, STRSXP, STRSXP, LGLSXP, STRSXP, LGLSXP
    };
    int count = 0, is_asked = Rf_asLogical(look);
    const struct device *devices = is_asked ? devices_list(&count) : NULL;
    SEXP table = PROTECT(Rf_mkNamed(VECSXP, names));

    for (int i = 0; i < COLUMNS; i++) SET_VECTOR_ELT(table, i, Rf_allocVector(types[i], count));
    for (int i = 0; i < count; i++) describe_device(table, i, &devices[i]);
    SEXP note = PROTECT(Rf_mkString(count || !is_asked ? "" : devices_note()));
    Rf_setAttrib(table, Rf_install("note"), note);
    UNPROTECT(2);
    return table;
}

/* Sets the backend preference by call, and returns the previous one.  `text` is one string, checked in R, "" for
 * none. */
SEXP r_backend_preference(SEXP text)
{
    struct status st = { ST_OK, "" };
    SEXP before = PROTECT(Rf_mkString(backend_preferred(PREFERENCE_CALL)));

    if (backend_preference(PREFERENCE_CALL, CHAR(STRING_ELT(text, 0)), &st)) glue_raise(&st);
    UNPROTECT(1);
    return before;
}

/* Returns whether a device is selected by name; a preference that cannot be met is an error. */
SEXP r_is_device_selected(void)
{
    struct status st = { ST_OK, "" };
    enum wanted wanted;

    glue_read_options();
    if (backend_wanted("", PRECISION_DOUBLE, &wanted, &st)) glue_raise(&st);
    return Rf_ScalarLogical(wanted == WANTED_DEVICE);
}

/* Returns the crossovers by name (run/selection.h), NA where not measured. */
static SEXP crossovers(void)
{
    SEXP n = PROTECT(Rf_allocVector(REALSXP, CROSSOVER_KINDS));
    SEXP names = PROTECT(Rf_allocVector(STRSXP, CROSSOVER_KINDS));

    for (int i = 0; i < CROSSOVER_KINDS; i++) {
        double elements = crossover_of(i);
        REAL(n)[i] = ISNAN(elements) ? NA_REAL : elements;
        SET_STRING_ELT(names, i, Rf_mkChar(crossover_name(i)));
    }
    Rf_setAttrib(n, R_NamesSymbol, names);
    UNPROTECT(2);
    return n;
}

/* Returns struct backend_state as a named list. */
SEXP r_backend_state(void)
{
    const char *names[] = {
        "preference", "source", "auto", "devices", "open", "forked", "given_up", "wrong", "crossover", ""
    };
    static const char *const sources[] = { "call", "option", "environment", "default" };
    struct backend_state s;

    glue_read_options();
    backend_describe(&s);
    SEXP list = PROTECT(Rf_mkNamed(VECSXP, names));
    SEXP devices = PROTECT(Rf_allocVector(INTSXP, s.devices.count));
    for (int i = 0; i < s.devices.count; i++) INTEGER(devices)[i] = s.devices.device[i] + 1;
    SET_VECTOR_ELT(list, 0, Rf_mkString(s.preference));
    SET_VECTOR_ELT(list, 1, Rf_mkString(sources[s.source]));
    SET_VECTOR_ELT(list, 2, Rf_ScalarLogical(s.is_auto));
    SET_VECTOR_ELT(list, 3, devices);
    SET_VECTOR_ELT(list, 4, Rf_ScalarLogical(s.is_open));
    SET_VECTOR_ELT(list, 5, Rf_ScalarLogical(s.is_child));
    SET_VECTOR_ELT(list, 6, Rf_mkString(s.given_up));
    SET_VECTOR_ELT(list, 7, Rf_mkString(s.wrong.message));
    SET_VECTOR_ELT(list, 8, crossovers());
    UNPROTECT(2);
    return list;
}

#define CACHE_CAPACITY 4096             /* laws listed at most */

/* Returns struct binaries_state as a named list. */
static SEXP programs_on_disk(void)
{
    const char *names[] = { "folder", "limit", "bytes", "files", "trouble", "" };
    struct binaries_state s;

    binaries_describe(&s);
    SEXP list = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(list, 0, Rf_mkString(s.folder));
    SET_VECTOR_ELT(list, 1, Rf_ScalarReal(s.limit));
    SET_VECTOR_ELT(list, 2, Rf_ScalarReal(s.bytes));
    SET_VECTOR_ELT(list, 3, Rf_ScalarInteger(s.files));
    SET_VECTOR_ELT(list, 4, Rf_mkString(s.trouble));
    UNPROTECT(1);
    return list;
}

/* Returns the limit of the interpolant cache (bytes) before the call, the laws in the cache, and for each its bytes and
 * whether it has a quantile interpolant; and the state of the programs on disk before the call.  limit, programs: the
 * new limits, NULL for no change. */
SEXP r_cache(SEXP limit, SEXP programs)
{
    const char *names[] = { "limit", "alpha", "beta", "bytes", "quantiles", "programs", "" };
    struct status st = { ST_OK, "" };
    struct cache_entry *e = (struct cache_entry *)R_alloc(CACHE_CAPACITY, sizeof *e);
    double before = 0.0;
    int n = backend_cache_list(e, CACHE_CAPACITY, &st);

    glue_read_options();
    if (n < 0 || backend_cache_limit(limit == R_NilValue ? -1 : Rf_asReal(limit), &before, &st)) glue_raise(&st);
    SEXP list = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(list, 0, Rf_ScalarReal(before));
    for (int k = 1; k <= 3; k++) SET_VECTOR_ELT(list, k, Rf_allocVector(REALSXP, n));
    SET_VECTOR_ELT(list, 4, Rf_allocVector(LGLSXP, n));
    for (int i = 0; i < n; i++) {
        REAL(VECTOR_ELT(list, 1))[i] = e[i].alpha;
        REAL(VECTOR_ELT(list, 2))[i] = e[i].beta;
        REAL(VECTOR_ELT(list, 3))[i] = e[i].bytes;
        LOGICAL(VECTOR_ELT(list, 4))[i] = e[i].quantiles;
    }
    SET_VECTOR_ELT(list, 5, programs_on_disk());
    if (programs != R_NilValue) binaries_limit(Rf_asReal(programs));
    UNPROTECT(1);
    return list;
}

/* --- how the package was built, and its state without loading a driver ------------------------- */

#if defined(__clang__)
#  define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#  define COMPILER "gcc " __VERSION__
#else
#  define COMPILER "an unknown compiler"
#endif

#if defined(STABLECL_HAVE_CLONES)
#  define CLONES STABLECL_HAVE_CLONES     /* register width in bits */
#else
#  define CLONES 0
#endif

#if defined(__FAST_MATH__)
#  define FAST_MATH 1
#else
#  define FAST_MATH 0
#endif

/* Returns a number that is positive with OpenMP, NA without. */
static SEXP openmp_number(int number)
{
    return Rf_ScalarInteger(number ? number : NA_INTEGER);
}

/* Returns compiler, options of the build, and the number of processors. */
SEXP r_build(void)
{
    const char *names[] = { "compiler", "openmp", "clones", "opencl", "fast_math", "processors", "" };
    SEXP list = PROTECT(Rf_mkNamed(VECSXP, names));

    SET_VECTOR_ELT(list, 0, Rf_mkString(COMPILER));
    SET_VECTOR_ELT(list, 1, openmp_number(threads_openmp()));
    SET_VECTOR_ELT(list, 2, Rf_ScalarInteger(CLONES));
    SET_VECTOR_ELT(list, 3, Rf_ScalarLogical(HAVE_OPENCL));
    SET_VECTOR_ELT(list, 4, Rf_ScalarLogical(FAST_MATH));
    SET_VECTOR_ELT(list, 5, openmp_number(threads_processors()));
    UNPROTECT(1);
    return list;
}

/* Returns the backend preferences, "" where none is set; why devices were given up; and the OpenCL library, NA until
 * devices have been searched for. */
SEXP r_situation(void)
{
    const char *names[] = { "call", "option", "environment", "given_up", "library", "" };
    SEXP list = PROTECT(Rf_mkNamed(VECSXP, names));

    glue_read_options();
    SET_VECTOR_ELT(list, 0, Rf_mkString(backend_preferred(PREFERENCE_CALL)));
    SET_VECTOR_ELT(list, 1, Rf_mkString(backend_preferred(PREFERENCE_OPTION)));
    SET_VECTOR_ELT(list, 2, Rf_mkString(backend_preferred(PREFERENCE_ENVIRONMENT)));
    SET_VECTOR_ELT(list, 3, Rf_mkString(backend_given_up()));
    SET_VECTOR_ELT(list, 4, devices_are_known() ? Rf_mkString(devices_library()) : Rf_ScalarString(NA_STRING));
    UNPROTECT(1);
    return list;
}

/* Returns density and both tails, computed on the calling thread regardless of the backend, for three double vectors of
 * equal length. */
SEXP r_single(SEXP x, SEXP alpha, SEXP beta)
{
    static const double unit = 1.0, zero = 0.0;
    const char *names[] = { "pdf", "cdf", "sf", "" };
    SEXP list = PROTECT(Rf_mkNamed(VECSXP, names));
    struct status st = { ST_OK, "" };

    for (int k = 0; k < 3; k++) SET_VECTOR_ELT(list, k, Rf_allocVector(REALSXP, XLENGTH(x)));
    struct element_job job = {
        .quantity = JOB_VALUES, .n = (size_t)XLENGTH(x), .x = glue_column(x),
        .laws = { glue_column(alpha), glue_column(beta), { &unit, 1 }, { &zero, 1 }, 0 }
    };
    for (int k = 0; k < 3; k++) job.out[k] = REAL(VECTOR_ELT(list, k));
    struct context *context = context_new();  /* created last, since an R error would leak it */
    if (!context) glue_raise_memory("a thread");
    context_run(context, &job, &st);
    context_free(context);
    UNPROTECT(1);
    if (st.code) glue_raise(&st);
    return list;
}

/* --- unloading -------------------------------------------------------------------------------- */

/* Called by .onUnload, because R does not call R_unload_stablecl when dynamic symbols are disabled.  Closes all
 * sessions, unless the package is unloaded by R code that its own compiled code has called.  Returns TRUE if R may
 * unload the library.
 *
 * The code stays in memory (base/process.h), because other references to it cannot be found: finalizers of handles,
 * evaluators and the table of functions that other packages hold, and fork handlers.  R frees its own table of
 * routines, to which the variables C_... of the namespace refer.  These variables are therefore replaced by the
 * addresses, so that functions of the package that a user has kept continue to work.  space: the namespace, where
 * `names` are variables. */
SEXP r_unload(SEXP space, SEXP names)
{
    if (!process_keep_code()) return Rf_ScalarLogical(FALSE);
    routines_keep(space, names);
    if (!glue_is_calling()) {
        batch_unload();
        backend_unload();
        approximate_unload();
    }
    return Rf_ScalarLogical(TRUE);
}
