/* Functions shared by the files that R calls: arguments, options, interrupts and conditions; and the entry points. */
#ifndef STABLECL_R_GLUE_H
#define STABLECL_R_GLUE_H

#define R_NO_REMAP
#define STRICT_R_HEADERS
#include <R.h>
#include <Rinternals.h>
#include "run/backend.h"

/* Called when the package is loaded or unloaded. */
void glue_load(void);
void api_load(void);
void data_load(void);
void routines_keep(SEXP space, SEXP names);  /* replaces the variables `names` of the namespace by addresses */
void approximate_unload(void);

/* TRUE if an interrupt or a time limit ends the call; returns in either case.  Cheap: R is called 50 times a second at
 * most. */
int glue_interrupted(void);

/* TRUE during glue_guard(), that is, if R code runs below compiled code of this package. */
int glue_is_calling(void);

/* Calls R.  Returns 1 if R starts to jump to a handler; glue_raise() with ST_INTERRUPTED completes the jump. */
int glue_guard(SEXP (*call)(void *), void *data, SEXP *result);

/* Raises a failure as an R condition, or completes the jump of an interrupt.  Does not return: release all resources
 * before. */
void glue_raise(const struct status *st);

/* Raises an R error: no memory for `what`. */
void glue_raise_memory(const char *what);

/* Warns if a device was given up during the job.  Called when the results are complete. */
void glue_warn_devices(void);

/* Reads options(stablecl.threads, stablecl.backend, stablecl.programs) again and applies their changes. */
void glue_read_options(void);

/* Reads the options that a job of n elements depends on: for a single element that the CPU computes, only
 * stablecl.backend. */
void glue_read_options_for(R_xlen_t n);

/* Returns 0, 1 or 2 for the argument `pm`; an R error if it is not valid. */
int glue_parametrisation(SEXP pm);

/* Returns a numeric argument as doubles; an R error if it is not numeric.  The caller protects the result. */
SEXP glue_doubles(SEXP x);

/* TRUE for a double vector without class, dim or names, and for one that is a positive number (or zero). */
int glue_is_plain(SEXP x);
int glue_is_positive(SEXP x, int or_zero);

int glue_has_attributes(SEXP x);

struct column glue_column(SEXP doubles);

/* The five vector arguments of a d/p/q function, as doubles, for recycling. */
struct arguments {
    SEXP given[5];                      /* x, alpha, beta, gamma, delta as the user gave them */
    SEXP value[5];                      /* as doubles */
    R_xlen_t n;                         /* length of the result */
    int protected;                      /* number of objects that the caller unprotects */
};

struct arguments glue_arguments(SEXP x, SEXP alpha, SEXP beta, SEXP gamma, SEXP delta);
struct laws glue_laws(const struct arguments *, int pm);

/* One law from four doubles (alpha, beta, gamma, delta). */
struct laws glue_one_law(SEXP law, int pm);

/* The vector of data given as a vector or as a handle (r_data.c); an R error if it is neither. */
SEXP glue_data(SEXP data);

SEXP glue_strings(const char *const *text, int n);

/* Return an element of a named list; if it is missing, R's NULL and an R error, respectively. */
SEXP glue_find(SEXP list, const char *name);
SEXP glue_element(SEXP list, const char *name);

/* Returns the value of a variable in an environment itself, R's NULL if there is none. */
SEXP glue_variable(SEXP env, SEXP name);

/* Returns `count` elements, copied to an array of `capacity` elements, which belongs to R until the call ends. */
void *glue_enlarge(void *old, int count, int capacity, size_t size);

/* Returns an element that is one number, else NA. */
double glue_number(SEXP list, const char *name);

/* Returns an array of columns that refer to the vectors of a list.  R frees the array at the end of the call. */
struct column *glue_columns(SEXP list);

/* Programs of integrands (r_program.c), which are R objects that users can modify.  program_raise_invalid() raises an R
 * error; program_part() returns an element of a list, and raises the error unless it has this type and at least
 * `minimum` values.  program_from() converts a program, whose memory belongs to R and is valid until the call ends.
 * program_pool() returns a copy of the constants, since the prelude writes to it. */
void program_raise_invalid(void);
SEXP program_part(SEXP list, const char *name, SEXPTYPE type, R_xlen_t minimum);
struct program program_from(SEXP list);
double *program_pool(SEXP list);

/* Sets the options of a job from a named list of doubles (r_methods.c), which must outlive the job. */
struct quadrature_method;
struct integral_job;
void methods_set_options(const struct quadrature_method *, SEXP list, struct integral_job *);

/* Returns the number under which devices may cache the data; 0: none. */
unsigned long glue_data_number(SEXP data);

/* Weights as a column, of length 0 for NULL. */
struct column glue_weights(SEXP weight);

/* Returns a numeric vector of length n, in large pages if it is long. */
SEXP glue_reals(R_xlen_t n);

/* Returns a vector for the results, with attributes as in R's own distribution functions: those of the first argument
 * of full length. */
SEXP glue_result(const struct arguments *);

/* The entry points. */
SEXP r_elements(SEXP name, SEXP x, SEXP alpha, SEXP beta, SEXP gamma, SEXP delta, SEXP pm, SEXP lower, SEXP log,
                SEXP is_single);
SEXP r_eval(SEXP x, SEXP alpha, SEXP beta, SEXP gamma, SEXP delta, SEXP pm, SEXP what, SEXP give_log);
SEXP r_random(SEXP n, SEXP alpha, SEXP beta, SEXP gamma, SEXP delta, SEXP pm, SEXP is_single);
SEXP r_tables(SEXP list);
SEXP r_approximate(SEXP data, SEXP law, SEXP pm, SEXP weight, SEXP sums, SEXP scores);
SEXP r_data(SEXP x);
SEXP r_loglik(SEXP data, SEXP law, SEXP pm, SEXP weight, SEXP calls, SEXP is_single);
SEXP r_logliks(SEXP data, SEXP laws, SEXP pm);
SEXP r_fits(SEXP list, SEXP weights, SEXP starts, SEXP preference, SEXP quantile_start);
SEXP r_window_fits(SEXP x, SEXP first, SEXP size, SEXP starts, SEXP preference, SEXP quantile_start);
SEXP r_streamed_fit(SEXP part, SEXP start, SEXP moments, SEXP preference, SEXP quantile_start, SEXP answers);
SEXP r_quartiles(SEXP shapes);
SEXP r_threads(SEXP n);
SEXP r_cache(SEXP limit, SEXP programs);
SEXP r_devices(SEXP look);
SEXP r_backend_preference(SEXP text);
SEXP r_backend_state(void);
SEXP r_is_device_selected(void);
SEXP r_build(void);
SEXP r_situation(void);
SEXP r_single(SEXP x, SEXP alpha, SEXP beta);
SEXP r_philox(SEXP counter, SEXP key);
SEXP r_elementary(SEXP x);
SEXP r_table_kinds(void);
SEXP r_operations(void);
SEXP r_operation(SEXP op, SEXP a, SEXP b, SEXP c);
SEXP r_nodes(SEXP axes, SEXP max_nodes, SEXP max_steps);
SEXP r_nodes_release(SEXP handle);
SEXP r_nodes_mark(SEXP handle);
SEXP r_nodes_restore(SEXP handle, SEXP mark);
SEXP r_node(SEXP handle, SEXP op, SEXP arg);
SEXP r_node_leaf(SEXP handle, SEXP op, SEXP value);
SEXP r_node_data(SEXP handle, SEXP value, SEXP label);
SEXP r_node_power(SEXP handle, SEXP id, SEXP k);
SEXP r_node_append(SEXP handle, SEXP op, SEXP arg, SEXP value, SEXP listed);
SEXP r_node_close(SEXP handle, SEXP id);
SEXP r_scope_open(SEXP handle);
SEXP r_scope_close(SEXP handle, SEXP first);
SEXP r_is_never_nan(SEXP handle, SEXP id);
SEXP r_node_uniform(SEXP handle, SEXP id);
SEXP r_node_parts(SEXP handle, SEXP id);
SEXP r_count_step(SEXP handle);
SEXP r_assemble(SEXP handle, SEXP result, SEXP inputs);
SEXP r_is_operation(SEXP tr, SEXP frame, SEXP expr);
SEXP r_is_foldable(SEXP tr, SEXP frame, SEXP expr);
SEXP r_translate_operations(SEXP tr, SEXP frame, SEXP expr);
SEXP r_forms_are_base(SEXP frame, SEXP expr, SEXP words);
SEXP r_constant(SEXP frame, SEXP expr);
SEXP r_expression_hash(SEXP formals, SEXP body);
SEXP r_calls_in(SEXP expr, SEXP names);
SEXP r_texts_in(SEXP expr);
SEXP r_integrate(SEXP state, SEXP problem, SEXP method, SEXP backend);
SEXP r_methods(void);
SEXP r_statuses(void);
SEXP r_evaluations(void);
SEXP r_integrals(SEXP count);
SEXP r_agrees(SEXP program, SEXP f, SEXP lower, SEXP upper, SEXP shares, SEXP singly);
SEXP r_recalled(SEXP f, SEXP lower, SEXP upper, SEXP rel_tol, SEXP abs_tol, SEXP max_eval, SEXP method, SEXP control,
                SEXP backend, SEXP call, SEXP caches);
SEXP r_integral(SEXP integrand, SEXP where, SEXP f, SEXP lower, SEXP upper, SEXP rel_tol, SEXP abs_tol, SEXP max_eval,
                SEXP method, SEXP levels, SEXP call);
SEXP r_plain_numbers(SEXP lower, SEXP upper, SEXP dim, SEXP rel_tol, SEXP abs_tol, SEXP max_eval);
SEXP r_unfinished(SEXP status);
SEXP r_zero_integrals(SEXP state);
SEXP r_judge(SEXP state, SEXP tolerance, SEXP max_eval);
SEXP r_examined(SEXP state, SEXP max_eval);
SEXP r_screen(SEXP program, SEXP lower, SEXP upper, SEXP columns, SEXP breaks, SEXP state, SEXP bounds);
SEXP r_finalise(SEXP state, SEXP levels);
SEXP r_source(SEXP program, SEXP is_single);
SEXP r_values(SEXP program, SEXP inputs);
SEXP r_unload(SEXP space, SEXP names);
SEXP r_argument(SEXP x, SEXP delta, SEXP gamma);
SEXP r_argument_back(SEXP hi, SEXP lo, SEXP delta, SEXP gamma);
SEXP r_hide_double(SEXP hidden);
SEXP r_hold_builds(SEXP held);
SEXP r_plain_builds(SEXP plain);
SEXP r_is_building(void);
SEXP r_fault(SEXP first, SEXP last, SEXP code, SEXP spoil, SEXP device);
SEXP r_fault_counts(void);
SEXP r_fault_calls(void);
SEXP r_memory_fault(SEXP first, SEXP last);
SEXP r_memory_counts(void);
SEXP r_auto(SEXP cpu_allowed, SEXP crossover);
SEXP r_close_devices(SEXP forget);
SEXP r_profile(SEXP on);
SEXP r_fit_times(void);

#endif
