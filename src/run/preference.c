#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "preference.h"

#define PREFERENCE_LENGTH 256

static char preferences[PREFERENCE_SOURCES][PREFERENCE_LENGTH];
static char given_up[1200];
static int notice_due;

enum preference_source preference_source_in_force(void)
{
    int s = 0;
    while (s < PREFERENCE_SOURCES && !preferences[s][0]) s++;
    return (enum preference_source)s;
}

const char *preference_in_force(void)
{
    enum preference_source s = preference_source_in_force();
    return s < PREFERENCE_SOURCES ? preferences[s] : "auto";
}

const char *preference_of(enum preference_source source)
{
    return preferences[source];
}

int preference_check(const char *text, struct status *st)
{
    if (strlen(text) < PREFERENCE_LENGTH) return ST_OK;
    return fail(st, ST_DEVICE, "the name of a backend must have fewer than %d characters", PREFERENCE_LENGTH);
}

void preference_set(enum preference_source source, const char *text)
{
    memcpy(preferences[source], text, strlen(text) + 1);
}

void preference_try_again(void)
{
    given_up[0] = 0;
    notice_due = 0;
}

void preference_load(void)
{
    const char *preference = getenv("STABLECL_BACKEND");
    memset(preferences, 0, sizeof preferences);
    preference_try_again();
    if (preference && strlen(preference) < PREFERENCE_LENGTH) preference_set(PREFERENCE_ENVIRONMENT, preference);
}

const char *preference_given_up(void)
{
    return given_up;
}

void preference_give_up(const char *why)
{
    snprintf(given_up, sizeof given_up, "%s", why);
    notice_due = 1;
}

const char *preference_notice(void)
{
    int due = notice_due;
    notice_due = 0;
    return due ? given_up : NULL;
}
