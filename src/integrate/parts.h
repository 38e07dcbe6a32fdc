/* integrate/parts.h: a range in parts, between limits and breaks, each of which is finite in t.
 *
 * A finite part has x = t; a half-line t in (0, 1], x = origin + side (1 - t)/t, dx = dt/t^2; the whole line is
 * two half-lines.
 */
#ifndef STABLECL_PARTS_H
#define STABLECL_PARTS_H

#include "integrate.h"

struct part {
    double low, high, origin;
    int side;                           /* 0: x = t */
};

struct parts {
    const struct integral_job *job;
    double a, b;                        /* of what is left */
    int at;                             /* the next break */
    int half, done;                     /* half: the left half-line of the whole line has been taken */
};

struct parts parts_of(const struct integral_job *, size_t i);

/* 0 when there is none left; at most break_count + 2 in all. */
int parts_next(struct parts *, struct part *);

/* Panel k of several equal ones. */
static inline struct part part_of_panels(const struct part *p, int k, int panels)
{
    struct part q = *p;
    if (k > 0) q.low = p->low + (p->high - p->low) * k / panels;
    if (k < panels - 1) q.high = p->low + (p->high - p->low) * (k + 1) / panels;
    return q;
}

static inline double part_abscissa(const struct part *p, double t)
{
    return p->side == 0 ? t : p->origin + p->side * ((1.0 - t) / t);
}

#endif
