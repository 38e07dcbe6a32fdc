/* Which jobs may be read off a chart (interpolant/interpolant.h), the same on every backend.
 *
 * When one is laid is a matter of the backend's cost.
 */
#ifndef STABLECL_RUN_INTERPOLABLE_H
#define STABLECL_RUN_INTERPOLABLE_H

#include "../stable/user_law.h"
#include "columns.h"

/* Elements from which on a chart that is there is used: at fewer, people look closely, and a
 * device would spend more on its copy of the chart than it gains. */
#define USE_INTERPOLANT 2000

/* That of element 0. */
static inline struct user_law first_law(const struct laws *l)
{
    struct user_law law = { l->alpha.at[0], l->beta.at[0], l->gamma.at[0], l->delta.at[0], l->pm };
    return law;
}

/* Has a law what charts can tell? */
static inline int is_interpolated_law(const struct user_law *l)
{
    return l->pm != 2 && user_is_proper(l);
}

/* May values (without their errors) or quantiles of n elements be read off a chart? */
static inline int is_interpolable(const struct laws *l, size_t n)
{
    struct user_law law = first_law(l);
    return is_one_law(l) && n >= USE_INTERPOLANT && is_interpolated_law(&law);
}

#endif
