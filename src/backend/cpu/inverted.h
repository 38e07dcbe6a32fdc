/* backend/cpu/inverted.h: quantiles of one law, read off the inverse of its chart. */
#ifndef STABLECL_INVERTED_H
#define STABLECL_INVERTED_H

#include "../../plan/chart.h"
#include "point.h"

/* Elements [from, to) of a job all of whose laws are `law`, as for charted_range(); the chart has
 * an inverse.  What it does not hold goes to point_quantile().  Returns whether NaNs were made. */
int inverted_range(const struct quantile_job *, const struct user_law *law, const struct chart *, struct worker *,
                   size_t from, size_t to);

#endif
