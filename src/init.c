/* The table of routines that R calls, and the initialisation of the library. */
#include <string.h>
#include "r_glue.h"
#include <R_ext/Rdynload.h>
#include <R_ext/Visibility.h>

/* Casts through void (*)(void), the type that compilers accept for any function. */
#define ROUTINE(name, arguments) \
    { "C_" #name, (DL_FUNC)(void (*)(void))&r_##name, arguments }

static const R_CallMethodDef routines[] = {
    ROUTINE(elements, 10),
    ROUTINE(eval, 8),
    ROUTINE(random, 7),
    ROUTINE(tables, 1),
    ROUTINE(approximate, 6),
    ROUTINE(data, 1),
    ROUTINE(loglik, 6),
    ROUTINE(logliks, 3),
    ROUTINE(fits, 5),
    ROUTINE(window_fits, 6),
    ROUTINE(streamed_fit, 6),
    ROUTINE(quartiles, 1),
    ROUTINE(threads, 1),
    ROUTINE(cache, 2),
    ROUTINE(devices, 1),
    ROUTINE(backend_preference, 1),
    ROUTINE(backend_state, 0),
    ROUTINE(is_device_selected, 0),
    ROUTINE(build, 0),
    ROUTINE(situation, 0),
    ROUTINE(single, 3),
    ROUTINE(philox, 2),
    ROUTINE(elementary, 1),
    ROUTINE(argument, 3),
    ROUTINE(argument_back, 4),
    ROUTINE(fault, 5),
    ROUTINE(hide_double, 1),
    ROUTINE(hold_builds, 1),
    ROUTINE(plain_builds, 1),
    ROUTINE(is_building, 0),
    ROUTINE(fault_counts, 0),
    ROUTINE(fault_calls, 0),
    ROUTINE(memory_fault, 2),
    ROUTINE(memory_counts, 0),
    ROUTINE(auto, 2),
    ROUTINE(close_devices, 1),
    ROUTINE(profile, 1),
    ROUTINE(fit_times, 0),
    ROUTINE(table_kinds, 0),
    ROUTINE(operations, 0),
    ROUTINE(operation, 4),
    ROUTINE(nodes, 3),
    ROUTINE(nodes_release, 1),
    ROUTINE(nodes_mark, 1),
    ROUTINE(nodes_restore, 2),
    ROUTINE(node, 3),
    ROUTINE(node_leaf, 3),
    ROUTINE(node_data, 3),
    ROUTINE(node_power, 3),
    ROUTINE(node_append, 5),
    ROUTINE(node_close, 2),
    ROUTINE(scope_open, 1),
    ROUTINE(scope_close, 2),
    ROUTINE(is_never_nan, 2),
    ROUTINE(node_uniform, 2),
    ROUTINE(node_parts, 2),
    ROUTINE(count_step, 1),
    ROUTINE(assemble, 3),
    ROUTINE(is_operation, 3),
    ROUTINE(is_foldable, 3),
    ROUTINE(translate_operations, 3),
    ROUTINE(forms_are_base, 3),
    ROUTINE(constant, 2),
    ROUTINE(expression_hash, 2),
    ROUTINE(calls_in, 2),
    ROUTINE(texts_in, 1),
    ROUTINE(integrate, 4),
    ROUTINE(integral, 11),
    ROUTINE(agrees, 6),
    ROUTINE(recalled, 11),
    ROUTINE(methods, 0),
    ROUTINE(statuses, 0),
    ROUTINE(evaluations, 0),
    ROUTINE(integrals, 1),
    ROUTINE(plain_numbers, 6),
    ROUTINE(unfinished, 1),
    ROUTINE(zero_integrals, 1),
    ROUTINE(judge, 3),
    ROUTINE(screen, 7),
    ROUTINE(examined, 2),
    ROUTINE(finalise, 2),
    ROUTINE(source, 2),
    ROUTINE(values, 2),
    ROUTINE(unload, 2),
    { NULL, NULL, 0 }
};

static const R_CallMethodDef *routine_of(const char *name)
{
    for (const R_CallMethodDef *r = routines; r->name; r++)
        if (!strcmp(r->name, name)) return r;
    return NULL;
}

void routines_keep(SEXP space, SEXP names)
{
    SEXP tag = Rf_install("native symbol");
    for (R_xlen_t k = 0; k < XLENGTH(names); k++) {
        const R_CallMethodDef *r = routine_of(CHAR(STRING_ELT(names, k)));
        if (!r) continue;
        SEXP name = Rf_install(r->name), address = PROTECT(R_MakeExternalPtrFn(r->fun, tag, R_NilValue));
        Rf_setAttrib(address, R_ClassSymbol, Rf_mkString("NativeSymbol"));
        R_unLockBinding(name, space);
        Rf_defineVar(name, address, space);
        R_LockBinding(name, space);
        UNPROTECT(1);
    }
}

void attribute_visible R_init_stablecl(DllInfo *dll)
{
    R_registerRoutines(dll, NULL, routines, NULL, NULL);
    R_useDynamicSymbols(dll, FALSE);
    R_forceSymbols(dll, TRUE);
    glue_load();
    data_load();
    api_load();
    backend_load();
}
