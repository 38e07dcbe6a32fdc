/* What adaptive quadrature (refinement.c) knows of an interval or a box, and of how they are cut. */
#ifndef STABLECL_QUADRATURE_ADAPTIVE_SUBREGION_H
#define STABLECL_QUADRATURE_ADAPTIVE_SUBREGION_H

#include "../quadrature.h"
#include "bisection.h"

/* Every interval or box begins with that. */
struct subregion {
    double value, error, size;          /* size: the integral of |f| */
    size_t integral;
    signed char is_new;                 /* no value yet */
    signed char is_stuck;               /* too narrow to be halved; if it has a value */
    signed char sibling;                /* 1, 2: first or second half of a piece; 0: none */
    double before, change;              /* value of the whole, and by how much its halves differ from that */
};

static inline void subregion_set(struct subregion *p, struct totals b)
{
    p->value = b.value;
    p->error = b.error;
    p->size = b.size;
}

#define TOGETHER 8

/* A rule and the way of its pieces. */
struct subdivision {
    size_t bytes;                       /* of a piece */
    int first_points, points;           /* of the rule: those of a piece to begin with, new ones of a half */
    int first_intervals, first_intervals_zero;  /* along a range, to begin with; where all was 0 (0: it is believed) */
    int two_level;                      /* compare halves with the whole */
    double least_share;                 /* of the error of two halves that each has at least */
    double rest_share;                  /* of the error, for those that are not halved in a round (bisection.h) */
    const double *node;                 /* what place() looks points up in; or NULL */
    /* The pieces of integral i at `to`, which has room for most(); their number. */
    size_t (*begin)(const struct integral_job *, size_t i, int first_intervals, void *to);
    size_t (*most)(const struct integral_job *, int first_intervals);
    int together;                       /* pieces that place() and sum() take at a time, at most TOGETHER */
    /* The points of `count` pieces, first ones or new ones by `mate`: coordinate k of point q of piece p at
     * x[k][q count + p]. */
    void (*place)(const struct subdivision *, void *const *subregion, int count, double *const *x);
    void (*sum)(void *const *subregion, int count, const double *f);
    void (*join)(void *subregions, size_t count);  /* errors of an integral's pieces, where neighbours tell; or NULL */
    double (*own_error)(const void *subregion);  /* without what neighbours tell; NULL if they do not */
    void (*halve)(const void *subregion, void *left, void *right);
    /* are its halves to be halved as well, where evaluations allow? or NULL */
    int (*is_singular)(const void *subregion);
    int (*is_stuck)(const void *subregion); /* too narrow to be halved */
    /* New pieces of one integral, whose parameters the box has, on a device, by a round of so many points: as its run()
     * answers; `new`: their places among `pieces`.  NULL: devices have no rule for them. */
    int (*on_device)(struct box_device *, const struct box_job *, void *subregions, const size_t *new, size_t count,
                     double points);
};

int integrate_adaptive(const struct integral_job *, const struct subdivision *, const struct sampler *, poll_function,
                       struct status *);

#endif
