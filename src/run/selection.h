/* The user's preference for a backend, whether "auto" has given up devices, and the devices that are selected. */
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

#endif
