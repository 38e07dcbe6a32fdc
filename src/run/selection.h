/* The user's preference for a backend, whether "auto" has given up devices, the devices that are selected, the
 * sessions that are open, and the number of elements above which devices are faster. */
#ifndef STABLECL_RUN_SELECTION_H
#define STABLECL_RUN_SELECTION_H

#include "job.h"

/* Sources of a preference for a backend, in order of precedence. */
enum preference_source { PREFERENCE_CALL, PREFERENCE_OPTION, PREFERENCE_ENVIRONMENT, PREFERENCE_SOURCES };

enum preference_source preference_source_in_force(void);
const char *preference_in_force(void);
const char *preference_of(enum preference_source);
int preference_check(const char *text, struct status *);  /* ST_OK if it is short enough */
void preference_set(enum preference_source, const char *text);
void preference_load(void);             /* reads the environment */

/* Returns why "auto" does not use devices, or "". */
const char *preference_given_up(void);
void preference_give_up(const char *reason);
void preference_try_again(void);

/* Returns the same text once after a failure and clears the notice; NULL if there is none. */
const char *preference_notice(void);

/* --- devices --- */

enum selection_kind { SELECTION_AUTO, SELECTION_CPU, SELECTION_DEVICE };

/* Sets the kind and, for SELECTION_DEVICE, the devices for jobs in this precision, and returns 0.  Returns ST_DEVICE
 * and lists the devices that exist if none matches, or ST_UNSUPPORTED if those that match lack double precision. */
int selection_resolve(const char *preference, enum precision, enum selection_kind *kind, struct selection *devices,
                      struct status *);

/* Selects the device that "auto" may use for jobs in this precision; returns 0 if there is none.  CPU-type OpenCL
 * devices are excluded: the threads of the package are as fast and need no driver.  While R checks a package no device
 * is selected and no driver is loaded, because a check must not depend on the drivers of a machine or write to their
 * caches. */
int selection_auto(enum precision, struct selection *device);

/* Lets "auto" use CPU-type devices, so that tests need no GPU, and devices while R checks a package. */
void selection_allow_cpu(int allowed);

int selection_equal(const struct selection *, const struct selection *);

/* --- sessions, which outlive a call ---
 *
 * The CPU session exists as long as the package is loaded.  At most one session on devices is open; it lasts until
 * other devices are requested.  In a forked child, the session on devices belongs to the parent and is neither used
 * nor closed.
 */

int sessions_cpu(struct target *, struct status *);

/* Opens a session on the devices unless it is open.  Those of `parts` of the self-test (verify.h) that a device has not
 * passed are run before; several devices are tested completely, because each is tested in a session of its own. */
int sessions_devices(const struct selection *, unsigned parts, struct target *, struct status *);

/* Returns the devices of the open session, or NULL if none is open. */
const struct selection *sessions_open_devices(void);

/* sessions_close_devices() closes the session on devices, for example after a failure; sessions_close_all() also
 * closes that on the CPU. */
void sessions_close_devices(void);
void sessions_close_all(void);

/* Releases data that devices keep. */
void sessions_forget_data(unsigned long data);

/* Makes the next session test its devices again. */
void sessions_forget_tests(void);

/* --- the number of elements above which a device is faster than the CPU (crossover.c) --- */

/* Number of kinds of jobs: values, quantiles and random numbers, each with one shape and with a shape per element. */
#define CROSSOVER_KINDS 6

/* Returns the kind of a job, or -1 if the job has no crossover. */
int crossover_kind(const struct element_job *);
const char *crossover_name(int kind);

/* Returns the number of elements above which the device is faster: NaN if it was not measured, infinite if the
 * device is never faster. */
double crossover_of(int kind);

/* Times small jobs of a kind on the device and on the CPU and keeps the result. */
int crossover_measure(int kind, const struct target *device, const struct target *cpu,
                      struct status *);

/* Discards the measurements, for example because the device has changed. */
void crossover_forget(void);

/* For tests: sets a crossover for all kinds that replaces the measurements; NaN restores the measurements. */
void crossover_force(double elements);
int crossover_is_forced(void);

#endif
