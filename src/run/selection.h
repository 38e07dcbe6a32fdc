/* The user's preference for a backend, whether "auto" has given up devices, the devices that are selected, and the
 * sessions that are open. */
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
void preference_give_up(const char *why);
void preference_try_again(void);

/* Returns the same text once after a failure and clears the notice; NULL if there is none. */
const char *preference_notice(void);

/* --- devices --- */

enum selection_kind { SELECTION_AUTO, SELECTION_CPU, SELECTION_DEVICE };

/* Sets the kind and, for SELECTION_DEVICE, the devices, and returns 0; or returns ST_DEVICE and lists the
 * devices that exist. */
int selection_resolve(const char *preference, enum selection_kind *kind, struct selection *devices,
                      struct status *);

/* Selects the device that "auto" may use; returns 0 if there is none.  CPU-type OpenCL devices are excluded: the
 * threads of the package are as fast and need no driver.  While R checks a package no device is selected and no
 * driver is loaded, because a check must not depend on the drivers of a machine or write to their caches. */
int selection_auto(struct selection *device);

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

/* Opens a session on the devices unless it is open; devices used for the first time are tested. */
int sessions_devices(const struct selection *, struct target *, struct status *);

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

#endif
