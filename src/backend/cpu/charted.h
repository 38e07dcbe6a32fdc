/* backend/cpu/charted.h: densities and probabilities of one law, read off its chart. */
#ifndef STABLECL_CHARTED_H
#define STABLECL_CHARTED_H

#include "../../plan/chart.h"
#include "point.h"

/* A job for a chart (backend/chartable.h), all of whose laws are `law`. */
struct charted_job {
    const void *job;
    struct user_law law;
    const struct chart *chart;          /* NULL: none, where that is allowed */
};

/* Elements [from, to) of an eval_job that asks for no errors.  What the chart does not hold goes to
 * point_eval().  Returns whether NaNs were made. */
int charted_range(const void *charted_job, struct worker *, size_t from, size_t to);

#endif
