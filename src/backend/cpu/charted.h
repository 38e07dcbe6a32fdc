/* backend/cpu/charted.h: densities and probabilities of one law, read off its chart. */
#ifndef STABLECL_CHARTED_H
#define STABLECL_CHARTED_H

#include "../../plan/chart.h"
#include "point.h"

/* Elements [from, to) of a job all of whose laws are `law`, which is inside the domain, with a
 * finite scale above 0 and a finite location, and not in S2; errors are not asked for.  What
 * the chart does not hold goes to point_eval().  Returns whether NaNs were made. */
int charted_range(const struct eval_job *, const struct user_law *law, const struct chart *, struct worker *,
                  size_t from, size_t to);

#endif
