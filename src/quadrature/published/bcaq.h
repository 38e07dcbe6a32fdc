/* BCAQ, or block-cutting (continuity.h): the sequence of regions.  bcaq_begin() and bcaq_advance() set the next region,
 * which the CPU driver or the kernel evaluates.
 *
 * First, each part is evaluated as a whole, to determine the tolerance.  Then each part is divided into regions, from
 * its upper to its lower end; the first region to be tried is the whole part.  (If there is only one part, its first
 * evaluation is used for both.)
 */
#ifndef STABLECL_QUADRATURE_PUBLISHED_BCAQ_H
#define STABLECL_QUADRATURE_PUBLISHED_BCAQ_H

#include "continuity.h"

struct region { double low, high, step; int64 cells; };

FN struct region region_between(double low, double high, int64 cells)
{
    struct region r = { low, high, (high - low) / (double)(2 * cells), cells };
    return r;
}

/* Returns point q of a region, 0 <= q <= 2 cells. */
FN double region_point(const struct region *r, int64 q)
{
    return q == 0 ? r->low : q == 2 * r->cells ? r->high : r->low + r->step * (double)q;
}

/* Adds interval k of a region, the next one below those in `to`, from its three values f. */
FN void region_add_interval(struct cut_sum *to, const struct part *p, const struct region *r, int64 k, const double *f)
{
    struct cut_sum one = cut_interval(p, region_point(r, 2 * k), region_point(r, 2 * k + 2), f);
    one.slope = ((double)k - 0.5 * (double)(r->cells - 1)) * one.error;
    cut_add_lower(to, &one);
}

/* Returns the number of points of a region; neighbouring intervals share one. */
FN double region_points(int64 cells)
{
    return 2.0 * (double)cells + 1.0;
}

/* Completes the sums of a region.  The slope is raised by its rounding error, so that differences due to rounding do
 * not suppress the expansion step. */
FN void region_finalise(struct cut_sum *s, int64 cells)
{
    int carry = 0;
    cut_finalise(s, &carry);
    s->slope += 4.0 * ROUNDING * (double)cells * s->size;
}

/* --- an integral ---------------------------------------------------------------------- */

enum bcaq_stage { BCAQ_ESTIMATE, BCAQ_FIRST_REGION, BCAQ_REGIONS };

/* The state of one integral.  The current region is (low, upper) of the part.  status: INTEGRAL_NOT_DONE until the
 * integral is finished; its value and error are then those of `sum`. */
struct bcaq {
    struct cut_rule rule;
    struct parts all, parts;            /* the parts of the range: all of them, and those not begun yet */
    struct part part;
    uint64 integral;
    double low, upper, length;          /* length: that of the region to be tried */
    double tolerance, count, evaluations;  /* count: number of parts */
    uint32 number, step;                /* number of the current part; accepted regions */
    int stage, again, used_up, status;
    struct cut_sum estimate, sum;
};

/* Sets the region to the whole of the next part.  Returns 0 if there is none. */
FN int bcaq_next_part(struct bcaq *c)
{
    if (!parts_next(&c->parts, &c->part)) return 0;
    c->low = c->part.low;
    c->upper = c->part.high;
    return 1;
}

/* Begins the evaluation of all parts, each as a whole. */
FN void bcaq_begin_estimate(struct bcaq *c)
{
    const struct cut_sum nothing = CUT_SUM_EMPTY;
    c->stage = BCAQ_ESTIMATE;
    c->estimate = c->sum = nothing;
    c->count = 0.0;
    c->parts = c->all;
    bcaq_next_part(c);
}

FN void bcaq_begin(struct bcaq *c, struct cut_rule rule, struct parts parts, uint64 integral)
{
    const struct bcaq begun = { .rule = rule, .all = parts, .integral = integral, .status = INTEGRAL_NOT_DONE };
    *c = begun;
    bcaq_begin_estimate(c);
}

/* Sets the region that begins at `upper` and has the current length; if few evaluations are left, the rest of the
 * part. */
FN void bcaq_set_region(struct bcaq *c)
{
    c->used_up |= c->evaluations + 2.0 * region_points(c->rule.cells) > c->rule.max_eval;
    c->low = cut_low(c->upper, c->length, c->part.low, c->used_up);
}

/* Finishes the integral after the last part, or begins to repeat it. */
FN void bcaq_end(struct bcaq *c)
{
    int status = cut_status(&c->rule, &c->sum, c->tolerance, c->used_up, c->again);
    if (status == CUT_ZERO) {
        c->rule.cells = CUT_CELLS_ZERO;
        c->step = 0;
        c->again = c->used_up = 0;
    } else if (status == CUT_AGAIN) {
        c->tolerance = cut_tolerance(&c->rule, c->sum.value, c->sum.size);
        c->again++;
    } else {
        c->status = status;
        return;
    }
    bcaq_begin_estimate(c);
}

/* Accepts the current region and sets the next one, or tries it again with half its length. */
FN void bcaq_test_region(struct bcaq *c, const struct cut_sum *s)
{
    double whole = c->part.high - c->part.low, length = c->upper - c->low, share = length / whole;
    double tolerance = c->tolerance / c->count, high = c->low + length / (double)c->rule.cells;
    if (!cut_accepts(s, tolerance, share, c->used_up, c->low, high)) {
        c->length = 0.5 * length;
        bcaq_set_region(c);
        return;
    }
    cut_add(&c->sum, s);
    c->upper = c->low;
    if (s->finite && cut_expands(&c->rule, c->integral, c->number, c->step++, tolerance * share, s)) c->length *= 2.0;
    if (s->finite && c->upper > c->part.low) {
        bcaq_set_region(c);
        return;
    }
    c->stage = BCAQ_FIRST_REGION;
    c->number++;
    if (!bcaq_next_part(c)) bcaq_end(c);
}

/* Uses the sums of the current region, and sets the next region or finishes the integral. */
FN void bcaq_advance(struct bcaq *c, const struct cut_sum *seen)
{
    struct cut_sum s = *seen;
    region_finalise(&s, c->rule.cells);
    c->evaluations += region_points(c->rule.cells);
    if (c->stage == BCAQ_ESTIMATE) {
        cut_add(&c->estimate, &s);
        c->count++;
        if (bcaq_next_part(c)) return;
        if (!c->again) c->tolerance = cut_tolerance(&c->rule, c->estimate.value, c->estimate.size);
        c->number = 0;
        c->stage = BCAQ_FIRST_REGION;
        c->parts = c->all;
        bcaq_next_part(c);
        if (c->count > 1.0) return;
    }
    if (c->stage == BCAQ_FIRST_REGION) {
        c->length = c->part.high - c->part.low;
        bcaq_set_region(c);
        c->stage = BCAQ_REGIONS;
    }
    bcaq_test_region(c, &s);
}

#endif
