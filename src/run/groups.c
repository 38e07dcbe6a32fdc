/* Runs jobs grouped by shape.
 *
 * Vectors of alpha and beta often repeat a few pairs, as with the levels of a factor or recycled values.  All
 * elements of a group use the same node sets, and large groups are jobs with one shape.
 */
#include <stdlib.h>
#include <string.h>
#include "backend.h"
#include "columns.h"
#include "run.h"
#include "../base/memory.h"

#define WORTH_GROUPING 64               /* jobs with fewer elements are not split */
#define GROUP_LARGE    2000             /* smallest size of a group that is run as a separate job */

#define SAMPLE 1024                     /* size of the sample that is examined first */
#define FREE   ((size_t)-1)
#define POLLED ((size_t)1 << 22)        /* elements between two polls for interrupts */

struct groups {
    size_t *order;                      /* indices of the elements by group, large groups first */
    size_t *first;                      /* start of group k in `order`; first[count] = n */
    size_t count, large;                /* number of groups, and of large groups */
};

struct shape_key { double alpha, beta; };

/* Hash table with open addressing that numbers the shapes in order of appearance. */
struct table {
    struct shape_key *key;              /* key[k]: shape number k */
    size_t *slot, mask, count, room;
};

static int table_set(struct table *t, size_t elements)
{
    t->mask = 15;
    while (t->mask < 2 * elements) t->mask = 2 * t->mask + 1;
    t->count = 0;
    t->room = elements;
    t->key = memory_allocate(elements * sizeof *t->key);
    t->slot = memory_allocate((t->mask + 1) * sizeof *t->slot);
    if (t->slot) memset(t->slot, 0xFF, (t->mask + 1) * sizeof *t->slot);
    return t->key && t->slot;
}

static void table_free(struct table *t)
{
    memory_release(t->key);
    memory_release(t->slot);
}

/* Returns the number of a shape, which is inserted if it is new; FREE if it is new and the table is full. */
static size_t table_number(struct table *t, double alpha, double beta)
{
    struct shape_key key = { alpha, beta };
    unsigned long long bits[2];
    memcpy(bits, &key, sizeof bits);
    size_t at = (size_t)((bits[0] * 0x9E3779B97F4A7C15ull ^ bits[1]) * 0xD6E8FEB86659FD93ull >> 20) & t->mask;
    for (; t->slot[at] != FREE; at = (at + 1) & t->mask)
        if (!memcmp(&t->key[t->slot[at]], &key, sizeof key)) return t->slot[at];
    if (t->count == t->room) return FREE;
    t->key[t->count] = key;
    return t->slot[at] = t->count++;
}

/* TRUE if shapes repeat within a sample of the elements. */
static int repeats(const struct laws *l, size_t n, struct status *st)
{
    struct table t;
    size_t taken = n < SAMPLE ? n : SAMPLE;
    if (table_set(&t, taken))
        for (size_t k = 0; k < taken; k++) {
            size_t i = n / taken * k;
            table_number(&t, column_value(l->alpha, i), column_value(l->beta, i));
        }
    else fail(st, ST_MEMORY, "no memory for %.0f elements", (double)n);
    table_free(&t);
    return !st->code && 10 * t.count < 9 * taken;
}

/* Sets the group of every element; returns 0 if the number of groups exceeds n/2, or on failure. */
static int number_all(const struct laws *l, size_t n, struct table *t, size_t *group, poll_function poll,
                      struct status *st)
{
    for (size_t i = 0; i < n; i++) {
        if (i % POLLED == POLLED - 1 && poll && poll()) return !fail(st, ST_INTERRUPTED, "interrupted");
        group[i] = table_number(t, column_value(l->alpha, i), column_value(l->beta, i));
        if (group[i] == FREE) return 0;
    }
    return 1;
}

/* Computes the starts of the groups in `order`, large groups first, from their sizes in first[1], ... */
static void place(struct groups *g, size_t *next)
{
    size_t at = 0, k = 0;
    for (int large = 1; large >= 0; large--) {
        for (size_t i = 0; i < g->count; i++) {
            size_t size = g->first[i + 1];
            if ((size >= GROUP_LARGE) != large) continue;
            next[i] = at;
            at += size;
            k++;
        }
        if (large) g->large = k;
    }
}

/* Orders the starts of the groups, which are numbered by appearance and not by their position in `order`. */
static int by_place(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static void arrange(struct groups *g, const size_t *group, size_t *next, size_t n)
{
    memset(g->first, 0, (g->count + 1) * sizeof *g->first);
    for (size_t i = 0; i < n; i++) g->first[group[i] + 1]++;
    place(g, next);
    memcpy(g->first, next, g->count * sizeof *next);
    qsort(g->first, g->count, sizeof *g->first, by_place);
    g->first[g->count] = n;
    for (size_t i = 0; i < n; i++) g->order[next[group[i]]++] = i;
}

static void groups_free(struct groups *g)
{
    memory_release(g->order);
    memory_release(g->first);
    memset(g, 0, sizeof *g);
}

/* Groups n elements; count = 0 if most elements have different shapes. */
static int groups_find(struct groups *g, const struct laws *l, size_t n, poll_function poll, struct status *st)
{
    struct table t = { NULL, NULL, 0, 0, 0 };
    size_t *group = NULL, *next = NULL;

    memset(g, 0, sizeof *g);
    if (!repeats(l, n, st)) return st->code;
    g->order = memory_allocate(n * sizeof *g->order);
    g->first = memory_allocate((n / 2 + 1) * sizeof *g->first);
    group = memory_allocate(n * sizeof *group);
    next = memory_allocate(n / 2 * sizeof *next);
    if (!g->order || !g->first || !group || !next || !table_set(&t, n / 2))
        fail(st, ST_MEMORY, "no memory for %.0f elements", (double)n);
    else if (number_all(l, n, &t, group, poll, st)) {
        g->count = t.count;
        arrange(g, group, next, n);
    }
    table_free(&t);
    memory_release(group);
    memory_release(next);
    if (!g->count) groups_free(g);
    return st->code;
}

/* The job with its columns in the order of the groups, and memory for its outputs. */
struct regrouped {
    struct element_job job;
    double *room[5 + OUTPUTS];          /* memory owned by this struct, or NULL */
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

static int regroup(struct regrouped *r, const struct element_job *job, const struct groups *g, poll_function poll,
                   struct status *st)
{
    struct laws *l = &r->job.laws;
    struct column *column[5] = { &r->job.x, &l->alpha, &l->beta, &l->gamma, &l->delta };

    memset(r, 0, sizeof *r);
    r->poll = poll;
    r->job = *job;
    for (int k = 0; k < 5; k++) *column[k] = gathered(r, *column[k], g->order, job->n);
    if (r->is_interrupted) return fail(st, ST_INTERRUPTED, "interrupted");
    for (int k = 0; k < OUTPUTS; k++)
        if (job->out[k]) r->job.out[k] = r->room[r->rooms++] = memory_allocate(job->n * sizeof(double));
    for (int k = 0; k < r->rooms; k++)
        if (!r->room[k]) return fail(st, ST_MEMORY, "no memory for %.0f elements", (double)job->n);
    return ST_OK;
}

/* Returns the job for elements [first, last), which have one shape or belong to the small groups. */
static struct element_job part_of(const struct element_job *job, size_t first, size_t last, int one_shape)
{
    struct element_job part = *job;
    struct laws *l = &part.laws;
    struct column *column[5] = { &part.x, &l->alpha, &l->beta, &l->gamma, &l->delta };

    part.n = last - first;
    for (int k = 0; k < 5; k++) {
        if (column[k]->length == 1) continue;
        column[k]->at += first;
        column[k]->length = part.n;
    }
    if (one_shape) l->alpha.length = l->beta.length = 1;
    for (int k = 0; k < OUTPUTS; k++) if (part.out[k]) part.out[k] += first;
    return part;
}

static int run_parts(const struct element_job *job, const struct groups *g, poll_function poll, int *nans,
                     struct status *st)
{
    size_t left = g->first[g->large], parts = g->large + (left < job->n);
    for (size_t k = 0; k < parts; k++) {
        struct element_job part = part_of(job, g->first[k], k < g->large ? g->first[k + 1] : job->n, k < g->large);
        int more = 0;
        if (run_job(&part, poll, &more, st)) return st->code;
        *nans |= more;
    }
    return ST_OK;
}

static void scatter(const struct element_job *from, const struct element_job *to, const size_t *order)
{
    for (int k = 0; k < OUTPUTS; k++)
        for (size_t i = 0; to->out[k] && i < to->n; i++) to->out[k][order[i]] = from->out[k][i];
}

/* TRUE if the elements of the job are worth grouping; variates depend on their number, and are cheap. */
static int may_share_shapes(const struct element_job *job)
{
    return !is_one_shape(&job->laws) && job->n >= WORTH_GROUPING
        && (job->quantity == JOB_VALUES || job->quantity == JOB_QUANTILES);
}

int backend_run(const struct element_job *job, poll_function poll, int *nans, struct status *st)
{
    struct groups g;
    struct regrouped r;

    if (!may_share_shapes(job)) return run_job(job, poll, nans, st);
    if (groups_find(&g, &job->laws, job->n, poll, st)) return st->code;
    if (!g.count) return run_job(job, poll, nans, st);
    *nans = 0;
    if (!regroup(&r, job, &g, poll, st) && !run_parts(&r.job, &g, poll, nans, st)) scatter(&r.job, job, g.order);
    for (int k = 0; k < r.rooms; k++) memory_release(r.room[k]);
    groups_free(&g);
    return st->code;
}
