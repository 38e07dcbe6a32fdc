#include <string.h>
#include "columns.h"
#include "grouped.h"
#include "../base/memory.h"

/* Jobs with fewer elements are not split. */
#define WORTH_GROUPING 64

/* The columns in the order of the groups, and memory for their outputs. */
struct regrouped {
    struct columns columns;
    double *room[9];                    /* memory owned by this struct, or NULL */
    int rooms;
    poll_function poll;
    int is_interrupted;
};

/* Returns the elements of a column in the order of the groups; returns the column itself if its length is 1 or
 * the user has interrupted the call. */
static struct column gathered(struct regrouped *r, struct column c, const size_t *order, size_t n)
{
    double *room;
    if (c.length == 1 || r->is_interrupted) return c;
    if (r->poll && r->poll()) {
        r->is_interrupted = 1;
        return c;
    }
    room = r->room[r->rooms++] = memory_allocate(n * sizeof *room);
    for (size_t k = 0; room && k < n; k++) room[k] = column_value(c, order[k]);
    c.at = room;
    c.length = n;
    return c;
}

static int regroup(struct regrouped *r, const struct columns *c, const struct groups *g, poll_function poll,
                   struct status *st)
{
    memset(r, 0, sizeof *r);
    r->poll = poll;
    r->columns = *c;
    r->columns.x = gathered(r, c->x, g->order, c->n);
    r->columns.laws.alpha = gathered(r, c->laws.alpha, g->order, c->n);
    r->columns.laws.beta = gathered(r, c->laws.beta, g->order, c->n);
    r->columns.laws.gamma = gathered(r, c->laws.gamma, g->order, c->n);
    r->columns.laws.delta = gathered(r, c->laws.delta, g->order, c->n);
    if (r->is_interrupted) return fail(st, ST_INTERRUPTED, "interrupted");
    for (int k = 0; k < 4; k++)
        if (c->out[k]) r->columns.out[k] = r->room[r->rooms++] = memory_allocate(c->n * sizeof(double));
    for (int k = 0; k < r->rooms; k++)
        if (!r->room[k]) return fail(st, ST_MEMORY, "no memory for %.0f elements", (double)c->n);
    return ST_OK;
}

static struct column part_of(struct column c, size_t first, size_t n)
{
    if (c.length == 1) return c;
    c.at += first;
    c.length = n;
    return c;
}

/* Returns the columns for elements [first, last), which have one shape or belong to the small groups. */
static struct columns cut(const struct columns *c, size_t first, size_t last, int one_shape)
{
    struct columns part = *c;
    part.n = last - first;
    part.x = part_of(c->x, first, part.n);
    part.laws.alpha = part_of(c->laws.alpha, first, part.n);
    part.laws.beta = part_of(c->laws.beta, first, part.n);
    part.laws.gamma = part_of(c->laws.gamma, first, part.n);
    part.laws.delta = part_of(c->laws.delta, first, part.n);
    if (one_shape) part.laws.alpha.length = part.laws.beta.length = 1;
    for (int k = 0; k < 4; k++) if (c->out[k]) part.out[k] = c->out[k] + first;
    return part;
}

static int run_parts(const void *job, const struct columns *c, const struct groups *g, part_function part,
                     poll_function poll, int *nans, struct status *st)
{
    size_t left = g->first[g->large], parts = g->large + (left < c->n);
    for (size_t k = 0; k < parts; k++) {
        struct columns some = cut(c, g->first[k], k < g->large ? g->first[k + 1] : c->n, k < g->large);
        int more = 0;
        if (part(job, &some, poll, &more, st)) return st->code;
        *nans |= more;
    }
    return ST_OK;
}

static void scatter(const struct columns *from, const struct columns *to, const size_t *order)
{
    for (int k = 0; k < 4; k++)
        for (size_t i = 0; to->out[k] && i < to->n; i++) to->out[k][order[i]] = from->out[k][i];
}

int grouped_run(const void *job, const struct columns *c, part_function part, poll_function poll, int *nans,
                struct status *st)
{
    struct groups g;
    struct regrouped r;

    if (is_one_shape(&c->laws) || c->n < WORTH_GROUPING) return part(job, c, poll, nans, st);
    if (groups_find(&g, &c->laws, c->n, poll, st)) return st->code;
    if (!g.count) return part(job, c, poll, nans, st);
    *nans = 0;
    if (!regroup(&r, c, &g, poll, st) && !run_parts(job, &r.columns, &g, part, poll, nans, st))
        scatter(&r.columns, c, g.order);
    for (int k = 0; k < r.rooms; k++) memory_release(r.room[k]);
    groups_free(&g);
    return st->code;
}
