/* Reads the columns of a job in order. */
#ifndef STABLECL_RUN_CURSOR_H
#define STABLECL_RUN_CURSOR_H

#include "../stable/user_law.h"
#include "job.h"

/* Position in a recycled column; reading in order avoids a division per element. */
struct cursor {
    const double *at;
    size_t length, next;
};

static inline struct cursor cursor_at(struct column c, size_t from)
{
    struct cursor k = { c.at, c.length, from % c.length };
    return k;
}

static inline double take(struct cursor *k)
{
    double value = k->at[k->next];
    if (++k->next == k->length) k->next = 0;
    return value;
}

/* Returns the next `count` elements as an array: a pointer into the column, or `room` if they wrap around. */
static inline const double *take_run(struct cursor *k, size_t count, double *room)
{
    const double *run = k->at + k->next;
    if (count > k->length - k->next) {
        for (size_t i = 0; i < count; i++) room[i] = take(k);
        return room;
    }
    k->next += count;
    if (k->next == k->length) k->next = 0;
    return run;
}

struct law_cursor {
    struct cursor alpha, beta, gamma, delta;
    int pm;
};

static inline struct law_cursor laws_at(const struct laws *l, size_t from)
{
    struct law_cursor k = {
        cursor_at(l->alpha, from), cursor_at(l->beta, from),
        cursor_at(l->gamma, from), cursor_at(l->delta, from), l->pm
    };
    return k;
}

static inline struct user_law take_law(struct law_cursor *k)
{
    struct user_law l;
    l.alpha = take(&k->alpha);
    l.beta = take(&k->beta);
    l.gamma = take(&k->gamma);
    l.delta = take(&k->delta);
    l.pm = k->pm;
    return l;
}

#endif
