/* Determines which jobs may be evaluated by an interpolant (interpolant/interpolant.h), identically on every
 * backend.
 *
 * Each backend decides by its costs when to build one.
 */
#ifndef STABLECL_RUN_INTERPOLABLE_H
#define STABLECL_RUN_INTERPOLABLE_H

#include "../stable/user_law.h"
#include "columns.h"

/* Smallest number of elements for which an existing interpolant is used: for fewer, exact values are preferred,
 * and a device would spend more on copying the interpolant than it gains. */
#define USE_INTERPOLANT 2000

/* Returns the law of element 0. */
static inline struct user_law first_law(const struct laws *l)
{
    struct user_law law = { l->alpha.at[0], l->beta.at[0], l->gamma.at[0], l->delta.at[0], l->pm };
    return law;
}

/* TRUE if interpolants support the law. */
static inline int is_interpolated_law(const struct user_law *l)
{
    return l->pm != 2 && user_is_proper(l);
}

/* TRUE if values (without error estimates) or quantiles of n elements may be evaluated by an interpolant. */
static inline int is_interpolable(const struct laws *l, size_t n)
{
    struct user_law law = first_law(l);
    return is_one_law(l) && n >= USE_INTERPOLANT && is_interpolated_law(&law);
}

#endif
