/* Location and scale of random variates of the user's distribution. */
#ifndef STABLECL_STABLE_VARIATE_H
#define STABLECL_STABLE_VARIATE_H

#include "random.h"
#include "user_law.h"

FN struct draw_place user_draw_place(const struct draw_law *s, const struct user_law *l, const struct frame *f)
{
    if (!user_is_vast(f)) return draw_place_of(s, f->gamma, l->delta - f->gamma * f->shift, f->shifted);
    struct draw_place p = draw_place_of(s, l->gamma, l->delta, f->shifted);
    p.log_factor = f->log_gamma - log(l->gamma);
    return p;
}

#endif
