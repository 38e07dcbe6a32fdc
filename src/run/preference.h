/* The user's preference for a backend, and whether "auto" has given up devices. */
#ifndef STABLECL_RUN_PREFERENCE_H
#define STABLECL_RUN_PREFERENCE_H

#include "../base/status.h"

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

#endif
