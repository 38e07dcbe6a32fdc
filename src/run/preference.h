/* run/preference.h: what the user wishes to compute on, and whether "auto" has given devices up. */
#ifndef STABLECL_RUN_PREFERENCE_H
#define STABLECL_RUN_PREFERENCE_H

#include "backend.h"

enum wish_source wish_source_in_force(void);
const char *wish_in_force(void);
const char *wish_of(enum wish_source);
int wish_check(const char *text, struct status *);          /* is it short enough to be set? */
void wish_set(enum wish_source, const char *text);
void wish_load(void);                   /* from the environment */

/* Why "auto" does without devices, or "". */
const char *wish_given_up(void);
void wish_give_up(const char *why);
void wish_try_again(void);

/* The same, once; else NULL. */
const char *wish_notice(void);

#endif
