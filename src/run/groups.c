#include <stdlib.h>
#include <string.h>
#include "groups.h"
#include "columns.h"
#include "../base/memory.h"

#define GROUPING_MIN 64                 /* jobs with fewer elements are not split */
#define GROUP_LARGE    2000             /* smallest size of a group that is run as a separate job */

#define SAMPLE 1024                     /* size of the sample that is examined first */
#define FREE   ((size_t)-1)
#define POLLED ((size_t)1 << 22)        /* elements between two polls for interrupts */

struct shape_key { double alpha, beta; };

/* Hash table with open addressing that numbers the shapes in order of appearance. */
struct table {
    struct shape_key *key;              /* key[k]: shape number k */
    size_t *slot, mask, count, capacity;
};

static int table_set(struct table *t, size_t elements)
{
    t->mask = 15;
    while (t->mask < 2 * elements) t->mask = 2 * t->mask + 1;
    t->count = 0;
    t->capacity = elements;
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
    if (t->count == t->capacity) return FREE;
    t->key[t->count] = key;
    return t->slot[at] = t->count++;
}

/* TRUE if shapes repeat within a sample of the elements. */
static int shapes_repeat(const struct laws *l, size_t n, struct status *st)
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
static void set_starts(struct parts *p, size_t *next)
{
    size_t at = 0, k = 0;
    for (int large = 1; large >= 0; large--) {
        for (size_t i = 0; i < p->groups; i++) {
            size_t size = p->first[i + 1];
            if ((size >= GROUP_LARGE) != large) continue;
            next[i] = at;
            at += size;
            k++;
        }
        if (large) p->large = k;
    }
}

/* Orders the starts of the groups, which are numbered by appearance and not by their position in `order`. */
static int by_start(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static void order_by_group(struct parts *p, const size_t *group, size_t *next, size_t n)
{
    memset(p->first, 0, (p->groups + 1) * sizeof *p->first);
    for (size_t i = 0; i < n; i++) p->first[group[i] + 1]++;
    set_starts(p, next);
    memcpy(p->first, next, p->groups * sizeof *next);
    qsort(p->first, p->groups, sizeof *p->first, by_start);
    p->first[p->groups] = n;
    for (size_t i = 0; i < n; i++) p->order[next[group[i]]++] = i;
}

/* Groups the elements; groups = 0 if most elements have different shapes. */
static int find_groups(struct parts *p, poll_function poll, struct status *st)
{
    const struct laws *l = &p->whole->laws;
    size_t n = p->whole->n, *group = NULL, *next = NULL;
    struct table t = { NULL, NULL, 0, 0, 0 };

    if (!shapes_repeat(l, n, st)) return st->code;
    p->order = memory_allocate(n * sizeof *p->order);
    p->first = memory_allocate((n / 2 + 1) * sizeof *p->first);
    group = memory_allocate(n * sizeof *group);
    next = memory_allocate(n / 2 * sizeof *next);
    if (!p->order || !p->first || !group || !next || !table_set(&t, n / 2))
        fail(st, ST_MEMORY, "no memory for %.0f elements", (double)n);
    else if (number_all(l, n, &t, group, poll, st)) {
        p->groups = t.count;
        order_by_group(p, group, next, n);
    }
    table_free(&t);
    memory_release(group);
    memory_release(next);
    return st->code;
}

/* Replaces a column by its elements in the order of the groups. */
static int gather(struct parts *p, struct column *c, poll_function poll, struct status *st)
{
    size_t n = p->whole->n;

    if (c->length == 1) return ST_OK;
    if (poll && poll()) return fail(st, ST_INTERRUPTED, "interrupted");
    double *value = p->memory[p->allocated++] = memory_allocate(n * sizeof *value);
    if (!value) return fail(st, ST_MEMORY, "no memory for %.0f elements", (double)n);
    for (size_t k = 0; k < n; k++) value[k] = column_value(*c, p->order[k]);
    c->at = value;
    c->length = n;
    return ST_OK;
}

static int regroup(struct parts *p, poll_function poll, struct status *st)
{
    struct laws *l = &p->job.laws;
    struct column *column[5] = { &p->job.x, &l->alpha, &l->beta, &l->gamma, &l->delta };

    p->job = *p->whole;
    for (int k = 0; k < 5; k++)
        if (gather(p, column[k], poll, st)) return st->code;
    for (int k = 0; k < OUTPUTS; k++) {
        if (!p->job.out[k]) continue;
        p->job.out[k] = p->memory[p->allocated++] = memory_allocate(p->job.n * sizeof(double));
        if (!p->job.out[k]) return fail(st, ST_MEMORY, "no memory for %.0f elements", (double)p->job.n);
    }
    return ST_OK;
}

/* TRUE if the elements of the job are worth grouping; variates depend on their number, and are cheap. */
static int may_share_shapes(const struct element_job *job)
{
    return !is_one_shape(&job->laws) && job->n >= GROUPING_MIN
        && (job->quantity == JOB_VALUES || job->quantity == JOB_QUANTILES);
}

static void release(struct parts *p)
{
    for (int k = 0; k < p->allocated; k++) memory_release(p->memory[k]);
    memory_release(p->order);
    memory_release(p->first);
}

int parts_find(struct parts *p, const struct element_job *job, poll_function poll, struct status *st)
{
    p->whole = job;
    p->count = 1;
    p->groups = 0;
    if (!may_share_shapes(job)) return ST_OK;
    p->order = p->first = NULL;
    p->allocated = 0;
    if (!find_groups(p, poll, st) && p->groups) {
        p->count = p->large + (p->first[p->large] < job->n);
        regroup(p, poll, st);
    }
    if (st->code || !p->groups) release(p);
    return st->code;
}

const struct element_job *parts_job(const struct parts *p, size_t k, struct element_job *part)
{
    if (!p->groups) return p->whole;
    size_t first = p->first[k], last = k < p->large ? p->first[k + 1] : p->job.n;
    struct laws *l = &part->laws;
    struct column *column[5] = { &part->x, &l->alpha, &l->beta, &l->gamma, &l->delta };

    *part = p->job;
    part->n = last - first;
    for (int c = 0; c < 5; c++) {
        if (column[c]->length == 1) continue;
        column[c]->at += first;
        column[c]->length = part->n;
    }
    if (k < p->large) l->alpha.length = l->beta.length = 1;
    for (int c = 0; c < OUTPUTS; c++) if (part->out[c]) part->out[c] += first;
    return part;
}

void parts_end(struct parts *p, int is_complete)
{
    if (!p->groups) return;
    for (int k = 0; is_complete && k < OUTPUTS; k++)
        for (size_t i = 0; p->whole->out[k] && i < p->job.n; i++) p->whole->out[k][p->order[i]] = p->job.out[k][i];
    release(p);
}
