/* Evaluation at a single point, without data shared between points: of the standard distribution, and of the user's. */
#ifndef STABLECL_STABLE_SINGLE_VALUE_H
#define STABLECL_STABLE_SINGLE_VALUE_H

#include "standard.h"
#include "streamed_sum.h"
#include "user_law.h"

/* without_tail: only v->pdf, its scale and the error are valid. */
APART void value_single(const struct standard *law, struct abscissa z, int without_tail, struct stable_value *v)
{
    struct position p;
    struct sums sums;
    if (standard_closed(law, z, &p, v)) return;
    if (standard_is_far(law, &p) && argument_log_z(&law->law, &p) <= tail_limit(&law->law)) {
        struct tail tail;
        tail_set(&tail, &law->law, argument_side(&law->law, &p));
        if (value_tail(&law->law, &p, &tail, v)) return;
    }
    struct integrand_peak b = standard_peak(law, &p);
    streamed_sums(&b, without_tail, &sums);
    value_from_sums(&law->law, &p, &sums, v);
}

/* Returns 1 if NaNs were produced although no argument is NaN.  mode: as in user_frame(); used only if
 * user_needs_mode(). */
FN int point_single(const struct user_law *l, double mode, double x, int what, int give_log, struct point_values *y)
{
    struct place at;
    struct stable_value v;
    struct standard law;
    int nans;
    if (user_place(l, mode, x, what, give_log, &at, y, &nans)) return nans;
    standard_set(&law, l->alpha, l->beta);
    value_single(&law, at.z, what == WANT_PDF, &v);
    user_values(l, &at, &v, what, give_log, y);
    return 0;
}

#endif
