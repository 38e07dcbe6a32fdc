/* Entry points of R/device-sitrep.R: how the package was built, and its state as far as it is known without loading a
 * driver. */
#include "r_glue.h"
#include "base/parallel.h"
#include "run/cpu.h"
#include "opencl/devices.h"

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

#if defined(STABLECL_OPENCL)
#  define OPENCL 1
#else
#  define OPENCL 0
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
    SET_VECTOR_ELT(list, 3, Rf_ScalarLogical(OPENCL));
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

/* Returns density and both tails, computed on the calling thread whatever the backend, for three double vectors of
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
    if (!context) glue_refuse_memory("a thread");
    context_run(context, &job, &st);
    context_free(context);
    UNPROTECT(1);
    if (st.code) glue_raise(&st);
    return list;
}
