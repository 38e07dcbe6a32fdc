/* What the user wishes to compute on, and whether "auto" has given devices up. */
#ifndef STABLECL_RUN_PREFERENCE_H
#define STABLECL_RUN_PREFERENCE_H

#include "backend.h"

enum preference_source preference_source_in_force(void);
const char *preference_in_force(void);
const char *preference_of(enum preference_source);
int preference_check(const char *text, struct status *);  /* is it short enough to be set? */
void preference_set(enum preference_source, const char *text);
void preference_load(void);             /* from the environment */

/* Why "auto" does without devices, or "". */
const char *preference_given_up(void);
void preference_give_up(const char *why);
void preference_try_again(void);

/* The same, once; else NULL. */
const char *preference_notice(void);

#endif
