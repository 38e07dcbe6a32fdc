/* The table of the methods of gintegrate().  The entry points, the dispatcher and R take names, numbers of axes,
 * options and functions from it: a new method is one entry in methods.c.
 */
#ifndef STABLECL_QUADRATURE_METHOD_H
#define STABLECL_QUADRATURE_METHOD_H

#include "quadrature.h"

typedef int (*integral_method)(const struct integral_job *, const struct sampler *, poll_function, struct status *);

/* The kinds of options: how R checks their values, and where they are stored (r_methods.c): in a member of union
 * method_options of the given type, unless stated otherwise. */
enum option_kind {
    OPTION_NUMBER,                      /* double, finite */
    OPTION_POSITIVE,                    /* double above 0; a default of 0 leaves the choice to the method */
    OPTION_FLAG,                        /* int, 0 or 1 */
    OPTION_CHOICE,                      /* int, the index of one of `choices` */
    OPTION_COUNT,                       /* int, a whole number from minimum to maximum, one of `choices` if there are
                                           any; a default below `minimum` leaves the choice to the method */
    OPTION_SEED,                        /* struct philox_key; by default drawn from R's generator for each run */
    OPTION_KEY,                         /* struct philox_key that is drawn for the choice `drawn_for` of another option;
                                           users cannot set it */
    OPTION_EACH,                        /* in integral_job.each: finite, one number or one for each integral */
    OPTION_KINDS
};

struct method_option {
    const char *name;                   /* in gintegrate(control = ); NULL ends a list of options */
    enum option_kind kind;
    size_t offset;                      /* of the member */
    double preset;                      /* the default: a number, a flag or the index of a choice; NAN: none */
    const char *const *choices;         /* ended by NULL */
    const char *at_most;                /* the option that this one must not exceed; NULL: none */
    const char *below;                  /* the option that this one must be smaller than; NULL: none */
    int minimum, maximum;
    const char *drawn_for;
    const char *help;                   /* for the manual */
};

struct quadrature_method {
    const char *name;                   /* as in gintegrate(method = ) */
    int has_one_axis;                   /* integrates over one axis */
    int axes_max;                      /* largest number of axes from 2 on; 0: one axis only */
    int takes_breaks;                   /* takes points at which a range over one axis is divided */
    integral_method cpu;
    int shares_points;                  /* evaluates all components of an integrand at the same points */
    int completes;                      /* on the CPU it also completes integrals for which bisection alone ends */
    int returns_bounds;                 /* returns bounds of the errors, too */
    double trusted;                     /* integrals over one axis that converged with no more evaluations than this are
                                           not examined for divergence */
    enum sampling_kind sampling;        /* NO_SAMPLING unless points are spread over the whole range */
    const struct method_option *option; /* NULL: none */
    const struct device_method *device; /* NULL: none; devices evaluate points for methods that sample */
    const char *(*unsupported_reason)(const struct integral_job *); /* the reason for which devices do not support these
                                                               options, or NULL; NULL: they support all */
    int (*has_steppers)(const struct integral_job *, double work);  /* TRUE if devices advance the steppers of the CPU
                                                               driver (published/drivers.h); work: operations of the
                                                               integrand; NULL: never */
};

extern const int quadrature_method_count;
extern const struct quadrature_method quadrature_methods[];

/* Returns the method of this name; NULL if there is none. */
const struct quadrature_method *quadrature_method_of(const char *name);

/* Numbers of evaluations that R reads by r_evaluations(): the default of `max.eval` over one axis, and those that
 * integrate() needs for a bisection, 42 times the number of its subdivisions, less 21, in all. */
#define EVALUATIONS_DEFAULT     1e6
#define EVALUATIONS_SUBDIVISION 42.0

#define LONG_WORK 1000.0                /* operations of a long integrand */

/* The names of the kinds for R. */
extern const char *const option_kind_name[OPTION_KINDS];

/* The names of the statuses in the result of gintegrate(). */
extern const char *const integral_status_name[INTEGRAL_STATUSES];

#endif
