/* SCAQ and PSCAQ (continuity.h): a stepper tries intervals one at a time, from the upper end of its range to the lower
 * one, each with the length of the previous one.  The CPU driver and the kernel evaluate the three points of an
 * interval and advance the stepper.
 */
#ifndef STABLECL_QUADRATURE_PUBLISHED_SCAQ_H
#define STABLECL_QUADRATURE_PUBLISHED_SCAQ_H

#include "continuity.h"
#include "stepper.h"

#define SCAQ_POINTS 3                   /* values for an interval */
#define SCAQ_ITEMS  4                   /* work items for a stepper on a device */

struct scaq {
    struct stepper stepper;
    struct part part;
    double low, upper, length, longest; /* low: lower end of the stepper's own share of the part */
    double tolerance, share, max_eval;  /* share: length to which the tolerance refers; max_eval: evaluations allowed */
    double density;                     /* error of the previous interval divided by its length */
    struct cut_sum sum;
    uint32 number, step;                /* number of the stepper in its integral; accepted intervals */
    int carry, is_paused, used_up, unused;  /* used_up: the next interval is the last */
};

FN double scaq_low(const struct scaq *w)
{
    return cut_low(w->upper, w->length, w->low, w->used_up);
}

/* Returns point q of the next interval. */
FN double scaq_point(const struct scaq *w, int q)
{
    return part_x(w->part, cut_point(scaq_low(w), w->upper, q));
}

/* Adds an accepted interval, and sets the length of the next one. */
FN void scaq_accept(struct scaq *w, const struct cut_rule *rule, double low, double share, struct cut_sum *s)
{
    double length = w->upper - low;
    s->slope = w->density - s->error / length;
    w->density = s->error / length;
    cut_add(&w->sum, s);
    w->upper = low;
    if (cut_expands(rule, w->stepper.integral, w->number, w->step++, w->tolerance * share, s))
        w->length = fmin(2.0 * w->length, w->longest);
    w->stepper.is_finished = !s->finite || !(w->upper > w->low);
}

/* Advances the stepper by the values f at the three points of its interval.  It pauses if the evaluations allowed do
 * not suffice for two more intervals. */
FN void scaq_step(struct scaq *w, const struct cut_rule *rule, const double *f)
{
    double low = scaq_low(w), length = w->upper - low, share = length / w->share;
    int carry = w->carry;
    struct cut_sum s = cut_interval(&w->part, low, w->upper, f);
    cut_finalise(&s, &carry);
    if (cut_accepts(&s, w->tolerance, share, w->used_up, low, w->upper)) {
        scaq_accept(w, rule, low, share, &s);
        w->carry = carry;
    } else
        w->length = 0.5 * length;
    if (!w->stepper.is_finished && !w->used_up && w->stepper.evaluations + 2.0 * SCAQ_POINTS > w->max_eval)
        w->is_paused = w->stepper.is_finished = 1;
}

#endif
