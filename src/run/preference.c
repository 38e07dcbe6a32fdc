#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "preference.h"

#define WISH_LENGTH 256

static char wishes[WISH_SOURCES][WISH_LENGTH];
static char given_up[1200];
static int notice_due;

enum wish_source wish_source_in_force(void)
{
    int s = 0;
    while (s < WISH_SOURCES && !wishes[s][0]) s++;
    return (enum wish_source)s;
}

const char *wish_in_force(void)
{
    enum wish_source s = wish_source_in_force();
    return s < WISH_SOURCES ? wishes[s] : "auto";
}

const char *wish_of(enum wish_source source)
{
    return wishes[source];
}

int wish_check(const char *text, struct status *st)
{
    if (strlen(text) < WISH_LENGTH) return ST_OK;
    return fail(st, ST_DEVICE, "the name of a backend has fewer than %d letters", WISH_LENGTH);
}

void wish_set(enum wish_source source, const char *text)
{
    memcpy(wishes[source], text, strlen(text) + 1);
}

void wish_try_again(void)
{
    given_up[0] = 0;
    notice_due = 0;
}

void wish_load(void)
{
    const char *wish = getenv("STABLECL_BACKEND");
    memset(wishes, 0, sizeof wishes);
    wish_try_again();
    if (wish && strlen(wish) < WISH_LENGTH) wish_set(WISH_ENVIRONMENT, wish);
}

const char *wish_given_up(void)
{
    return given_up;
}

void wish_give_up(const char *why)
{
    snprintf(given_up, sizeof given_up, "%s", why);
    notice_due = 1;
}

const char *wish_notice(void)
{
    int due = notice_due;
    notice_due = 0;
    return due ? given_up : NULL;
}
