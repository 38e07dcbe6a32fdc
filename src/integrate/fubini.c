/* integrate/fubini.c: forward quadrature (forward.h) of many integrals, in several dimensions by Fubini's theorem.
 *
 * The points of the first axis are chosen along the line through the middle of the other axes (Thuerck et al. 2014,
 * section 5.2, do not say along which); those of the second for each of these, through the middle of the rest; and so
 * on: a stage for each axis, in which all walks are made side by side.  The walks of the last stage have values; those
 * along an axis before are the sums of theirs, with the errors of the trapezoids that they make added to their own.
 *
 * An integral is finished when all walks have arrived: its status is COARSE if the error is beyond the tolerance.
 */
#include <stdlib.h>
#include <string.h>
#include "forward.h"
#include "limits.h"

#define WALKERS 8192                    /* to begin with, of all integrals that are worked off together */
#define MIN_SHARE (1.0 / 100.0)         /* of a range: steps that are not given */
#define MAX_SHARE (1.0 / 20.0)

struct stage { struct forward *at; size_t count, room; };

struct slab {
    const struct integral_job *job;
    const struct sampler *sampler;
    struct stage stage[AXES_MAX];
};

static struct forward *add(struct stage *s, struct status *st)
{
    if (s->count == s->room) {
        size_t room = 2 * s->room + 64;
        struct forward *larger = realloc(s->at, room * sizeof *larger);
        if (!larger) {
            fail(st, ST_MEMORY, "no memory for %zu walks", room);
            return NULL;
        }
        s->at = larger;
        s->room = room;
    }
    memset(&s->at[s->count], 0, sizeof *s->at);
    return &s->at[s->count++];
}

static double longest(const struct integral_job *j, double range)
{
    return j->option[1] > 0.0 ? j->option[1] : fmax(MAX_SHARE * range, j->option[0]);
}

/* Evaluations that a walk takes at least. */
static double least(const struct integral_job *j, double range)
{
    return range / longest(j, range) + 2.0;
}

/* Steps are those of the options, or shares of the range. */
static void set_out(const struct integral_job *j, struct forward *w, int axis)
{
    double range = w->part.high - w->part.low;
    w->dim = j->dim;
    w->axis = axis;
    w->keep = axis < j->dim - 1;
    w->is_again = j->dim > 1;
    w->h_max = longest(j, range);
    w->h_min = fmin(j->option[0] > 0.0 ? j->option[0] : MIN_SHARE * range, w->h_max);
    forward_begin(w);
}

static int add_integral(struct slab *s, size_t i, struct status *st)
{
    const struct integral_job *j = s->job;
    struct parts parts = parts_of(j, i);
    struct part p;
    int count = 0;
    while (parts_next(&parts, &p)) {
        struct forward *w = add(&s->stage[0], st);
        if (!w) return st->code;
        w->walker.integral = i;
        w->part = p;
        w->most = j->max_eval;
        for (int k = 0; k < j->dim; k++) {
            double low, high;
            range_of(j, i, k, &low, &high);
            w->x[k] = 0.5 * low + 0.5 * high;
        }
        set_out(j, w, 0);
        count++;
    }
    for (int k = 1; k <= count; k++) s->stage[0].at[s->stage[0].count - (size_t)k].most /= count;
    return ST_OK;
}

/* --- from axis to axis --------------------------------------------------------- */

/* A walk along the next axis from each point of the walks along this one. */
static int spawn(struct slab *s, int axis, struct status *st)
{
    const struct integral_job *j = s->job;
    for (size_t v = 0; v < s->stage[axis].count; v++) {
        struct forward *w = &s->stage[axis].at[v];
        double low, high;
        range_of(j, w->walker.integral, axis + 1, &low, &high);
        w->first_child = s->stage[axis + 1].count;
        if (w->status == INTEGRAL_CONVERGED && w->most / (double)w->count < least(j, high - low))
            w->status = INTEGRAL_MAX_EVAL;
        if (w->status != INTEGRAL_CONVERGED) w->count = 0;
        for (size_t q = 0; q < w->count; q++) {
            struct forward *c = add(&s->stage[axis + 1], st);
            if (!c) return st->code;
            c->walker.integral = w->walker.integral;
            memcpy(c->x, w->x, sizeof c->x);
            c->x[axis] = w->point[q];
            c->part.low = low;
            c->part.high = high;
            c->most = w->most / (double)w->count;
            set_out(j, c, axis + 1);
        }
    }
    return ST_OK;
}

/* What the walks along the next axis tell of those along this one. */
static void fold(struct slab *s, int axis)
{
    for (size_t v = 0; v < s->stage[axis].count; v++) {
        struct forward *w = &s->stage[axis].at[v], *c = s->stage[axis + 1].at + w->first_child;
        if (w->status != INTEGRAL_CONVERGED || !w->count) continue;
        struct trapezoid value = trapezoid_begin(w->point[0], c[0].value, NAN, NAN);
        double error = 0.0, bound = 0.0;
        for (size_t q = 0; q < w->count; q++) {
            double before = q > 0 ? w->point[q] - w->point[q - 1] : 0.0;
            double after = q + 1 < w->count ? w->point[q + 1] - w->point[q] : 0.0;
            error += 0.5 * (before + after) * c[q].error;
            bound += 0.5 * (before + after) * c[q].bound;
            if (q > 0) trapezoid_to(&value, w->point[q], c[q].value, w->h_min, w->h_max);
            if (c[q].status != INTEGRAL_CONVERGED) w->status = c[q].status;
        }
        trapezoid_end(&value);
        w->value = value.value;
        w->bound = bound + trapezoid_bound(&value);
        w->error = error + fmax(value.error, trapezoid_bound(&value));
    }
}

/* --- integrals --------------------------------------------------------------------- */

/* The walks of the first stage from `v` on that belong to one integral; the first that does not. */
static size_t end_one(const struct slab *s, size_t v)
{
    const struct integral_job *j = s->job;
    const struct stage *first = &s->stage[0];
    size_t i = first->at[v].walker.integral;
    double value = 0.0, error = 0.0, bound = 0.0;
    int status = INTEGRAL_CONVERGED;
    for (; v < first->count && first->at[v].walker.integral == i; v++) {
        const struct forward *w = &first->at[v];
        value += w->value;
        error += w->error;
        bound += w->bound;
        if (w->status != INTEGRAL_CONVERGED) status = w->status;
    }
    if (status == INTEGRAL_NOT_FINITE) value = error = bound = NAN;
    int is_coarse = !(error <= fmax(j->abs_tol, j->rel_tol * fabs(value)));
    if (status == INTEGRAL_CONVERGED && is_coarse) status = INTEGRAL_COARSE;
    integral_end(j, i, value, error, status);
    j->bound[i] = bound;
    return v;
}

static int is_without_memory(const struct stage *s, struct status *st)
{
    for (size_t v = 0; v < s->count; v++)
        if (s->at[v].failed) return fail(st, ST_MEMORY, "no memory for the points of a walk");
    return ST_OK;
}

static int run_slab(struct slab *s, poll_function poll, struct status *st)
{
    const struct integral_job *j = s->job;
    for (int k = 0; k < j->dim; k++) {
        struct stage *now = &s->stage[k];
        if (walk(j, &forward_walking, now->at, now->count, s->sampler, poll, st) || is_without_memory(now, st))
            return st->code;
        for (size_t v = 0; v < now->count; v++)
            j->evaluations[now->at[v].walker.integral] += now->at[v].walker.evaluations;
        if (k + 1 < j->dim && spawn(s, k, st)) return st->code;
    }
    for (int k = j->dim - 2; k >= 0; k--) fold(s, k);
    for (size_t v = 0; v < s->stage[0].count;) v = end_one(s, v);
    return ST_OK;
}

static void empty(struct slab *s)
{
    for (int k = 0; k < s->job->dim; k++) {
        for (size_t v = 0; v < s->stage[k].count; v++) free(s->stage[k].at[v].point);
        s->stage[k].count = 0;
    }
}

int integrate_forward(const struct integral_job *j, const struct sampler *sampler, poll_function poll,
                      struct status *st)
{
    struct slab s = { .job = j, .sampler = sampler };
    size_t most = WALKERS;
    for (int k = 1; k < j->dim; k++) most = most / 32 + 1;
    for (size_t i = 0; i < j->n && st->code == ST_OK;) {
        for (; i < j->n && s.stage[0].count < most && st->code == ST_OK; i++)
            if (j->status[i] == INTEGRAL_NOT_DONE && !integral_is_trivial(j, i)) add_integral(&s, i, st);
        if (st->code == ST_OK) run_slab(&s, poll, st);
        empty(&s);
    }
    for (int k = 0; k < j->dim; k++) free(s.stage[k].at);
    return st->code;
}
