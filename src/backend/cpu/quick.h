/* backend/cpu/quick.h: log densities of one law and their derivatives, from its sketch.
 *
 * With y = z + o the sketch's place of a position z, where o depends on alpha and beta, and y = s sinh(u),
 *
 *     l_z = l_u/sqrt(y^2 + s^2),      l_alpha(z) = l_alpha(u) - y l_z (log s)_alpha + o_alpha l_z,
 *
 * and likewise for beta.  What the sketch does not hold goes to point_eval() and point_score().
 */
#ifndef STABLECL_QUICK_H
#define STABLECL_QUICK_H

#include "../../plan/sketch.h"
#include "point.h"

/* A quick_job whose law has a sketch or none (NULL): of (alpha, |beta|). */
struct sketched_job {
    const struct quick_job *job;
    struct user_law law;
    const struct sketch *sketch;
};

/* May a law's densities be read off a sketch? */
int quick_is_sketchable(const struct user_law *);

/* Blocks [from, to) of a sketched_job; workers have scorers. */
int quick_range(const void *sketched_job, struct worker *, size_t from, size_t to);

#endif
