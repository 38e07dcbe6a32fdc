/* Entry points for tests and benchmarks: internal functions, fault injection and timings. */
#include "r_glue.h"
#include "run/selection.h"
#include "run/verify.h"
#include "opencl/devices.h"
#include "opencl/fault.h"
#include "base/background.h"
#include "base/memory.h"
#include "special/elementary.h"
#include "stable/standardised_argument.h"
#include "fit/fit.h"

/* Returns one block of Philox, words as doubles. */
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

/* Returns exp(-x), log(x), sin(x) and cos(x) as computed by the functions in special/, even outside their domains. */
SEXP r_elementary(SEXP x)
{
    if (TYPEOF(x) != REALSXP) Rf_error("invalid arguments");
    R_xlen_t n = XLENGTH(x);
    SEXP y = Rf_allocVector(REALSXP, 4 * n);
    double *at = REAL(y);
    for (R_xlen_t i = 0; i < n; i++, at += 4) {
        at[0] = exp_minus(REAL(x)[i]);
        at[1] = log_of_normal(REAL(x)[i]);
        at[2] = sin_cos_octant(REAL(x)[i], &at[3]);
    }
    return y;
}

/* Returns hi, lo and `log_excess` of (x - delta)/gamma. */
SEXP r_argument(SEXP x, SEXP delta, SEXP gamma)
{
    SEXP y = PROTECT(Rf_allocVector(REALSXP, 3));
    struct argument z = argument_for(Rf_asReal(x), Rf_asReal(delta), Rf_asReal(gamma), &REAL(y)[2]);

    REAL(y)[0] = z.hi;
    REAL(y)[1] = z.lo;
    UNPROTECT(1);
    return y;
}

/* Returns delta + gamma (hi + lo). */
SEXP r_argument_back(SEXP hi, SEXP lo, SEXP delta, SEXP gamma)
{
    struct argument z = { Rf_asReal(hi), Rf_asReal(lo), 0 };
    return Rf_ScalarReal(argument_to_x(z, Rf_asReal(delta), Rf_asReal(gamma)));
}

/* Makes OpenCL calls number `first` to `last`, counted from now, fail with `code`, and corrupts data read from a
 * device (`corrupt` 1: all, 2: floating-point numbers but not counters); first = NULL ends this.  `device`: number of
 * the device whose calls are counted and fail, 2 for all but the first; NULL for any.  Closes the sessions on devices,
 * so that the next session is affected. */
SEXP r_fault(SEXP first, SEXP last, SEXP code, SEXP corrupt, SEXP device)
{
    sessions_close_devices();
    if (first == R_NilValue) {
        fault_stop();
    } else {
        struct fault_plan plan = {
            Rf_asReal(first), Rf_asReal(last), Rf_asInteger(code), Rf_asInteger(corrupt),
            device == R_NilValue ? FAULT_ANY : Rf_asInteger(device) - 1
        };
        fault_start(&plan);
    }
    return R_NilValue;
}

/* Treats all devices as lacking double precision if `hidden` is TRUE, or ends this, and searches for devices again. */
SEXP r_hide_double(SEXP hidden)
{
    fault_hide_double(Rf_asLogical(hidden) == TRUE);
    return r_close_devices(Rf_ScalarLogical(1));
}

/* Closes the sessions on devices and makes builds of programs wait, or ends this. */
SEXP r_hold_builds(SEXP held)
{
    if (Rf_asLogical(held) == TRUE) sessions_close_devices();
    fault_hold_builds(Rf_asLogical(held) == TRUE);
    return R_NilValue;
}

/* Closes the sessions on devices and makes their drivers build programs without optimisation, or ends this. */
SEXP r_plain_builds(SEXP plain)
{
    sessions_close_devices();
    fault_disable_optimisation(Rf_asLogical(plain) == TRUE);
    return R_NilValue;
}

/* Returns whether a program is being compiled in the background. */
SEXP r_is_building(void)
{
    return Rf_ScalarLogical(background_is_busy());
}

/* Returns the number of OpenCL calls since fault injection began (of `device`), of live objects, and of kernels
 * launched since then on the first device and on all others. */
SEXP r_fault_counts(void)
{
    SEXP y = Rf_allocVector(REALSXP, 4);
    REAL(y)[0] = fault_calls();
    REAL(y)[1] = fault_live();
    REAL(y)[2] = fault_launches(FAULT_FIRST);
    REAL(y)[3] = fault_launches(FAULT_OTHERS);
    return y;
}

/* Returns the number of calls of each OpenCL function since fault injection began, named without the prefix "cl". */
SEXP r_fault_calls(void)
{
    const char *name;
    int n = 0;

    for (fault_calls_of(0, &name); name; fault_calls_of(n, &name)) n++;
    SEXP counts = PROTECT(Rf_allocVector(REALSXP, n)), names = PROTECT(Rf_allocVector(STRSXP, n));
    for (int k = 0; k < n; k++) {
        REAL(counts)[k] = fault_calls_of(k, &name);
        SET_STRING_ELT(names, k, Rf_mkChar(name));
    }
    Rf_setAttrib(counts, R_NamesSymbol, names);
    UNPROTECT(2);
    return counts;
}

/* Makes allocations number `first` to `last`, counted from now, fail; first = NULL ends this.  Closes all sessions
 * and frees what is kept between calls, both when faults begin and when they end, so that live blocks then belong
 * to R objects or are leaks. */
SEXP r_memory_fault(SEXP first, SEXP last)
{
    memory_fault_stop();
    batch_unload();
    sessions_close_all();
    verify_unload();
    if (first != R_NilValue) memory_fault_start((long)Rf_asReal(first), (long)Rf_asReal(last));
    return R_NilValue;
}

/* Returns the number of allocations since r_memory_fault(), and of live blocks. */
SEXP r_memory_counts(void)
{
    SEXP y = Rf_allocVector(REALSXP, 2);
    REAL(y)[0] = (double)memory_calls();
    REAL(y)[1] = (double)memory_live();
    return y;
}

/* Sets whether "auto" uses CPU-type devices, and the crossover in elements; NA: measured. */
SEXP r_auto(SEXP cpu_allowed, SEXP crossover)
{
    selection_allow_cpu(Rf_asLogical(cpu_allowed));
    crossover_forget();
    crossover_force(Rf_asReal(crossover));
    return R_NilValue;
}

/* Closes the sessions on devices.  With `forget`, devices are searched for and tested again. */
SEXP r_close_devices(SEXP forget)
{
    sessions_close_devices();
    if (Rf_asLogical(forget)) {
        sessions_forget_tests();
        devices_forget();
    }
    return R_NilValue;
}

/* Switches profiling of kernels on or off (NULL: no change).  Returns the seconds and elements so far and the
 * seconds of the three kernels of many.cl, and resets them to 0. */
SEXP r_profile(SEXP on)
{
    struct profile *p = profile_of_process();
    const double values[] = { p->seconds, p->elements, p->build, p->sums, p->exact };
    SEXP y = Rf_allocVector(REALSXP, 5);

    for (int i = 0; i < 5; i++) REAL(y)[i] = values[i];
    p->seconds = p->elements = p->build = p->sums = p->exact = 0;
    if (on != R_NilValue) p->on = Rf_asLogical(on) == TRUE;
    return y;
}

/* Returns the times and counts of lock-step fits since the last call: struct lockstep_times. */
SEXP r_fit_times(void)
{
    static const char *const names[] = {
        "prepare", "search", "device", "exact", "answer", "rest", "rounds", "requests", "on.cpu", ""
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
