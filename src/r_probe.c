/* Pieces of the compiled code that only the tests call. */
#include "r_glue.h"
#include "run/selection.h"
#include "run/crossover.h"
#include "run/sessions.h"
#include "run/verify.h"
#include "opencl/devices.h"
#include "opencl/fault.h"
#include "opencl/profiling.h"
#include "base/memory.h"
#include "special/sine_cosine.h"
#include "special/logarithm.h"
#include "stable/standardise.h"
#include "fit/batch.h"
#include "fit/lockstep.h"

/* One block of Philox; words as doubles. */
SEXP r_philox(SEXP counter, SEXP key)
{
    struct philox_block c;
    struct philox_key k;

    if (TYPEOF(counter) != REALSXP || XLENGTH(counter) != 4 ||
        TYPEOF(key) != REALSXP || XLENGTH(key) != 2)
        Rf_error("invalid arguments");
    for (int i = 0; i < 4; i++) c.word[i] = (uint32)REAL(counter)[i];
    for (int i = 0; i < 2; i++) k.word[i] = (uint32)REAL(key)[i];
    c = philox4x32_10(c, k);
    SEXP y = Rf_allocVector(REALSXP, 4);
    for (int i = 0; i < 4; i++) REAL(y)[i] = c.word[i];
    return y;
}

/* exp(-x), log(x), sin(x) and cos(x) by core/, each outside its domain, too. */
SEXP r_elementary(SEXP x)
{
    if (TYPEOF(x) != REALSXP) Rf_error("invalid arguments");
    R_xlen_t n = XLENGTH(x);
    SEXP y = Rf_allocVector(REALSXP, 4 * n);
    double *at = REAL(y);
    for (R_xlen_t i = 0; i < n; i++, at += 4) {
        at[0] = exp_minus(REAL(x)[i]);
        at[1] = log_normal(REAL(x)[i]);
        at[2] = sin_cos_octant(REAL(x)[i], &at[3]);
    }
    return y;
}

/* hi, lo and `beyond` of (x - delta)/gamma. */
SEXP r_argument(SEXP x, SEXP delta, SEXP gamma)
{
    SEXP y = PROTECT(Rf_allocVector(REALSXP, 3));
    struct abscissa z = argument_for(Rf_asReal(x), Rf_asReal(delta), Rf_asReal(gamma), &REAL(y)[2]);

    REAL(y)[0] = z.hi;
    REAL(y)[1] = z.lo;
    UNPROTECT(1);
    return y;
}

/* delta + gamma (hi + lo). */
SEXP r_argument_back(SEXP hi, SEXP lo, SEXP delta, SEXP gamma)
{
    struct abscissa z = { Rf_asReal(hi), Rf_asReal(lo), 0 };
    return Rf_ScalarReal(argument_back(z, Rf_asReal(delta), Rf_asReal(gamma)));
}

/* OpenCL calls number `first` to `last` from now on fail with `code`, and data read from a
 * device are spoilt (`spoil` 1: all, 2: numbers but not counters); first = NULL ends that.
 * Sessions are closed, so that the next one sees it. */
SEXP r_fault(SEXP first, SEXP last, SEXP code, SEXP spoil)
{
    sessions_close_devices();
    if (first == R_NilValue) {
        fault_stop();
    } else {
        struct fault_plan plan = {
            Rf_asReal(first), Rf_asReal(last), Rf_asInteger(code), Rf_asInteger(spoil)
        };
        fault_start(&plan);
    }
    return R_NilValue;
}

/* Calls since fault injection began, and objects alive. */
SEXP r_fault_counts(void)
{
    SEXP y = Rf_allocVector(REALSXP, 2);
    REAL(y)[0] = fault_calls();
    REAL(y)[1] = fault_live();
    return y;
}

/* Allocations number `first` to `last` from now on fail; first = NULL ends that.  Closes all sessions and gives up what
 * is kept from call to call, before and after, so that blocks that are alive then belong to objects of R, or leak. */
SEXP r_memory_fault(SEXP first, SEXP last)
{
    memory_fault_stop();
    batch_unload();
    sessions_close_all();
    verify_unload();
    if (first != R_NilValue) memory_fault_start((long)Rf_asReal(first), (long)Rf_asReal(last));
    return R_NilValue;
}

/* Allocations since r_memory_fault(), and blocks alive. */
SEXP r_memory_counts(void)
{
    SEXP y = Rf_allocVector(REALSXP, 2);
    REAL(y)[0] = (double)memory_calls();
    REAL(y)[1] = (double)memory_live();
    return y;
}

/* Lets "auto" use CPU-type devices or not, from `crossover` elements on; NA: measured. */
SEXP r_auto(SEXP cpu_allowed, SEXP crossover)
{
    selection_allow_cpu(Rf_asLogical(cpu_allowed));
    crossover_forget();
    crossover_force(Rf_asReal(crossover));
    return R_NilValue;
}

/* Closes the session on devices; with `forget`, also looks for devices again and tests
 * them again. */
SEXP r_close_devices(SEXP forget)
{
    sessions_close_devices();
    if (Rf_asLogical(forget)) {
        sessions_forget_tests();
        devices_forget();
    }
    return R_NilValue;
}

/* Switches the clock of kernels on or off (NULL: as it is); seconds and elements so far, and seconds of the three
 * kernels of many.cl, which then start again from 0. */
SEXP r_profile(SEXP on)
{
    struct profile *p = profile_of_process();
    const double values[] = { p->seconds, p->elements, p->draw, p->sums, p->exact };
    SEXP y = Rf_allocVector(REALSXP, 5);

    for (int i = 0; i < 5; i++) REAL(y)[i] = values[i];
    p->seconds = p->elements = p->draw = p->sums = p->exact = 0;
    if (on != R_NilValue) p->on = Rf_asLogical(on) == TRUE;
    return y;
}

/* Where fits in rounds have spent their time since this was asked last: struct lockstep_times. */
SEXP r_fit_times(void)
{
    static const char *const names[] = {
        "prepare", "search", "device", "exact", "answer", "rest", "rounds", "requests", "grounded", ""
    };
    const struct lockstep_times t = lockstep_times();
    const double values[] = {
        t.prepare, t.search, t.device, t.exact, t.answer, t.rest, t.rounds, t.requests, t.on_cpu
    };
    SEXP y = PROTECT(Rf_mkNamed(REALSXP, (const char **)names));
    for (R_xlen_t i = 0; i < XLENGTH(y); i++) REAL(y)[i] = values[i];
    UNPROTECT(1);
    return y;
}
