/* Subregions (intervals or boxes) of adaptive quadrature (refinement.c), and the rules applied to them. */
#ifndef STABLECL_QUADRATURE_ADAPTIVE_SUBREGION_H
#define STABLECL_QUADRATURE_ADAPTIVE_SUBREGION_H

#include "../quadrature.h"
#include "bisection.h"

/* First member of every interval or box. */
struct subregion {
    double value, error, size;          /* size: the integral of |f| */
    double noise;                       /* the part of the error that is due to the rounding of points */
    size_t integral;
    signed char is_new;                 /* no value yet */
    signed char is_stuck;               /* too narrow to be bisected; set when it has a value */
    signed char sibling;                /* 1, 2: first or second half of a subregion; 0: not a half */
    signed char width_class;            /* 1: wide, -1: narrow (bisection.h) */
    int listed;                         /* number of its integral in the list of a slab (refinement.c) */
    double before, change;              /* as in struct halves (bisection.h) */
};

static inline void subregion_set(struct subregion *p, struct totals b, double noise, int is_stuck)
{
    p->value = b.value;
    p->error = b.error;
    p->size = b.size;
    p->noise = noise;
    p->is_stuck = (signed char)is_stuck;
    p->is_new = 0;
}

#define TOGETHER 8

struct region_store;

/* Outcomes of an attempt to complete an integral: no result; a result; a result that further bisection is not expected
 * to improve enough within the evaluations allowed. */
enum completion { COMPLETION_NONE, COMPLETION_FOUND, COMPLETION_HOPELESS };

/* A rule, and how its subregions are formed. */
struct subdivision {
    size_t bytes;                       /* size of a subregion */
    int first_points, points;           /* points of an initial subregion, and new points of a half */
    int first_intervals, first_intervals_zero;  /* initial intervals of a part of the range, or boxes of the range;
                                                   the same if all values were 0 (0: zeros are accepted) */
    int two_level;                      /* compare halves with the whole */
    double min_share;                 /* least share of each half in the error of both */
    double rest_share;                  /* share of the error not bisected in a round (bisection.h) */
    const double *node;                 /* nodes for set_points(), or NULL */
    /* Stores the initial subregions of integral i at `to`, which has memory for initial_capacity() subregions, and
     * returns their number. */
    size_t (*begin)(const struct integral_job *, size_t i, int first_intervals, void *to);
    size_t (*initial_capacity)(const struct integral_job *, int first_intervals);
    int together;                       /* subregions that set_points() and sum() process at a time, at most TOGETHER */
    /* Stores the points of `count` subregions, or the new ones if `sibling` marks them as halves: coordinate k of point
     * q of subregion p in x[k][q count + p]. */
    void (*set_points)(const struct subdivision *, void *const *subregion, int count, double *const *x);
    void (*sum)(void *const *subregion, int count, const double *f);    /* calls subregion_set() */
    /* Adds the contributions of neighbours to the errors of an integral's subregions; or NULL. */
    void (*add_joint_errors)(void *subregions, size_t count);
    double (*estimate_error)(const void *subregion);  /* error without the contribution of neighbours; or NULL */
    void (*halve)(const void *subregion, void *left, void *right);
    /* Copies from the same subregion of another component, `leader`, where halve() divides it.  NULL: all components
     * are divided in the same way. */
    void (*copy_split)(void *subregion, const void *leader);
    /* TRUE if its halves are to be bisected as well, if evaluations allow; or NULL */
    int (*is_singular)(const void *subregion);
    /* Tries to complete an integral with these subregions and sums, without further bisection.  is_last: none is
     * possible.  If it returns anything but COMPLETION_NONE, it has set *result.  NULL: the rule cannot. */
    enum completion (*complete)(struct region_store *, size_t from, size_t to, const struct region_sums *,
                                double tolerance, int is_last, struct totals *result);
    /* Raises the errors of subregions that may contain a feature sampled in others only; is_last: the integral ends if
     * none is raised, otherwise it is optional.  Returns 1 if it has raised any.  NULL: the rule does not compare them.
     * */
    int (*raise_errors)(struct region_store *, size_t from, size_t to, double tolerance, int is_last);
    /* Evaluates new subregions of one integral, whose parameters the box holds, on a device, in a round with this
     * number of points, and calls subregion_set().  Returns the result of the device's run().  `new`: indices in
     * `subregions`.  NULL: devices have no kernel for the rule. */
    int (*on_device)(struct box_device *, const struct box_job *, void *subregions, const size_t *new, size_t count,
                     double points);
};

int integrate_adaptive(const struct integral_job *, const struct subdivision *, const struct sampler *, poll_function,
                       struct status *);

#endif
