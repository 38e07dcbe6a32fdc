/* Ends an integral by one of the methods of Kern and Alaghband. */
#include "kern_alaghband.h"
#include "../limits.h"

int cut_end(const struct cuts *c, size_t integral, const struct cut_sum *s, double tolerance, int used_up, int again)
{
    int status = cut_status(&c->rule, s, tolerance, used_up, again), is_finite = status != INTEGRAL_NOT_FINITE;
    if (status == CUT_AGAIN) return 1;
    integral_end(c->job, integral, is_finite ? s->value : NAN, is_finite ? s->error : NAN, status);
    return 0;
}
