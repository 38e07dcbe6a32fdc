/* Ends an integral by one of the methods of Kern and Alaghband. */
#include "kern_alaghband.h"
#include "../limits.h"

int cut_end(const struct cuts *c, size_t integral, struct cut_sum *s, double tolerance, int used_up, int again)
{
    int status = cut_status(&c->rule, s, tolerance, used_up, again);
    if (status == CUT_AGAIN) return 1;
    integral_end(c->job, integral, s->value, s->error, status);
    return 0;
}
