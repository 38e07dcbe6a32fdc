/* SCAQ and PSCAQ (quadrature/published/continuity.h): intervals are tried one at a time, from the upper end to the
 * lower one, each with the length of the previous one.  A block holds the points of many steppers, each of which has
 * its own range. */
#include <string.h>
#include "drivers.h"
#include "../../base/memory.h"

#define STEPPERS 8192                    /* least number of steppers that advance together, if there are enough */
#define WORTH   60.0                    /* a stepper that gets fewer further evaluations ends with its next interval */

struct scaq {
    struct stepper stepper;
    const struct cuts *cuts;
    struct part part;
    double low, upper, length, longest; /* low: lower end of the stepper's own share of the part */
    double tolerance, share, most;      /* share: length to which the tolerance refers; most: evaluations allowed */
    double density;                     /* error of the previous interval divided by its length */
    uint32 number, step;                /* number of the stepper in its integral; accepted intervals */
    int carry, is_paused, used_up;      /* used_up: the next interval is the last */
    struct cut_sum sum;
};

static double next_low(const struct scaq *w)
{
    return cut_low(w->upper, w->length, w->low, w->used_up);
}

static void set_points(const void *stepper, double *const *x)
{
    const struct scaq *w = stepper;
    double low = next_low(w);
    for (int q = 0; q < 3; q++) x[0][q] = part_x(w->part, cut_point(low, w->upper, q));
}

static void step(void *stepper, const double *f)
{
    struct scaq *w = stepper;
    double low = next_low(w), length = w->upper - low, share = length / w->share;
    int carry = w->carry;
    struct cut_sum s = cut_interval(&w->part, low, w->upper, f);
    cut_finalise(&s, &carry);
    if (cut_accepts(&s, w->tolerance, share, w->used_up, low, w->upper)) {
        s.slope = w->density - s.error / length;
        w->density = s.error / length;
        cut_add(&w->sum, &s);
        w->upper = low;
        w->carry = carry;
        if (cut_expands(&w->cuts->rule, w->stepper.integral, w->number, w->step++, w->tolerance * share, &s))
            w->length = fmin(2.0 * w->length, w->longest);
        w->stepper.arrived = !s.finite || !(w->upper > w->low);
    } else
        w->length = 0.5 * length;
    if (!w->stepper.arrived && !w->used_up && w->stepper.evaluations + 6.0 > w->most)
        w->is_paused = w->stepper.arrived = 1;
}

/* --- several integrals ---------------------------------------------------------- */

/* The steppers of several integrals, those of an integral next to each other. */
struct band {
    const struct cuts *cuts;
    struct scaq *at;
    size_t count, room;
};

static struct scaq *add(struct band *b, struct status *st)
{
    if (b->count == b->room) {
        size_t room = 2 * b->room + 64;
        struct scaq *larger = memory_resize(b->at, room * sizeof *larger);
        if (!larger) {
            fail(st, ST_MEMORY, "no memory for %zu ranges", room);
            return NULL;
        }
        b->at = larger;
        b->room = room;
    }
    memset(&b->at[b->count], 0, sizeof *b->at);
    return &b->at[b->count++];
}

static int add_part(struct band *b, size_t i, const struct part *p, double tolerance, struct status *st)
{
    const struct cuts *c = b->cuts;
    int shares = c->variant == CUT_PSCAQ ? (int)c->rule.cells : 1;
    for (int k = 0; k < shares; k++) {
        struct part own = part_interval(*p, k, shares);
        struct scaq *w = add(b, st);
        if (!w) return st->code;
        w->stepper.integral = i;
        w->cuts = c;
        w->part = *p;
        w->low = own.low;
        w->upper = own.high;
        w->longest = w->length = (p->high - p->low) / (double)c->rule.cells;
        w->share = p->high - p->low;
        w->tolerance = tolerance;
        w->density = INFINITY;
        w->sum.finite = 1;
    }
    return ST_OK;
}

/* Adds the steppers of an integral.  If *tolerance is 0, it is determined first. */
static int add_integral(struct band *b, size_t i, double *tolerance, struct status *st)
{
    const struct cuts *c = b->cuts;
    struct parts parts = parts_of(c->job, i);
    struct part p;
    int count = cut_begin(c, 0, i, *tolerance > 0.0 ? NULL : tolerance);
    size_t first = b->count;
    if (!count) return fail(st, ST_INTERRUPTED, "interrupted");
    while (parts_next(&parts, &p))
        if (add_part(b, i, &p, *tolerance / count, st)) return st->code;
    for (size_t v = first; v < b->count; v++) {
        b->at[v].number = (uint32)(v - first);
        b->at[v].most = (c->job->max_eval - c->job->evaluations[i]) / (double)(b->count - first);
    }
    return ST_OK;
}

/* Divides the evaluations left to an integral equally among those of its steppers that have used up their own.  Returns
 * the number of these steppers in all integrals. */
static size_t share_again(struct band *b)
{
    const struct integral_job *j = b->cuts->job;
    size_t paused_in_all = 0;
    for (size_t v = 0, end; v < b->count; v = end) {
        size_t i = b->at[v].stepper.integral, paused = 0;
        double left = j->max_eval - j->evaluations[i];
        for (end = v; end < b->count && b->at[end].stepper.integral == i; end++) {
            left -= b->at[end].stepper.evaluations;
            paused += (size_t)b->at[end].is_paused;
        }
        for (size_t k = v; k < end; k++) {
            struct scaq *w = &b->at[k];
            if (!w->is_paused) continue;
            w->is_paused = w->stepper.arrived = 0;
            w->most = w->stepper.evaluations + left / (double)paused;
            w->used_up = left / (double)paused < WORTH;
        }
        paused_in_all += paused;
    }
    return paused_in_all;
}

/* Ends the integral of stepper v.  Sets *tolerance to the new tolerance if the integral must be repeated, to 0 if not.
 * Returns the index of the first stepper of the next integral. */
static size_t end_one(const struct band *b, size_t v, double *tolerance, int again)
{
    size_t i = b->at[v].stepper.integral;
    struct cut_sum all = CUT_NOTHING;
    int used_up = 0;
    for (; v < b->count && b->at[v].stepper.integral == i; v++) {
        cut_add(&all, &b->at[v].sum);
        used_up |= b->at[v].used_up;
        b->cuts->job->evaluations[i] += b->at[v].stepper.evaluations;
    }
    int wanted = cut_end(b->cuts, i, &all, *tolerance, used_up, again);
    *tolerance = wanted ? cut_tolerance(&b->cuts->rule, all.value, all.size) : 0.0;
    return v;
}

static int run_band(struct band *b, size_t from, size_t to, double *tolerance, poll_function poll, struct status *st)
{
    static const struct stepping stepping = { sizeof(struct scaq), 3, set_points, step };
    const struct integral_job *j = b->cuts->job;
    for (int again = 0; ; again++) {
        b->count = 0;
        for (size_t i = from; i < to; i++) {
            if (j->status[i] != INTEGRAL_NOT_DONE || integral_is_trivial(j, i)) continue;
            if (add_integral(b, i, &tolerance[i - from], st)) return st->code;
        }
        if (!b->count) return ST_OK;
        do {
            if (advance_steppers(j, &stepping, b->at, b->count, b->cuts->sampler, poll, st)) return st->code;
        } while (share_again(b));
        for (size_t v = 0; v < b->count;) {
            size_t i = b->at[v].stepper.integral;
            v = end_one(b, v, &tolerance[i - from], again);
        }
    }
}

int cut_scaq(const struct cuts *c, poll_function poll, struct status *st)
{
    struct band b = { c, NULL, 0, 0 };
    size_t each = c->variant == CUT_PSCAQ ? STEPPERS / (size_t)c->rule.cells + 1 : STEPPERS;
    double *tolerance = memory_allocate(each * sizeof *tolerance);
    if (!tolerance) return fail(st, ST_MEMORY, "no memory for %zu integrals", each);
    for (size_t i = 0; i < c->job->n && st->code == ST_OK; i += each) {
        memset(tolerance, 0, each * sizeof *tolerance);
        run_band(&b, i, i + each < c->job->n ? i + each : c->job->n, tolerance, poll, st);
    }
    memory_release(tolerance);
    memory_release(b.at);
    return st->code;
}
