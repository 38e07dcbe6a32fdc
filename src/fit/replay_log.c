#include <string.h>
#include "evaluate.h"
#include "../base/memory.h"

#define FIRST_CAPACITY      384         /* numbers in the answers of a typical fit */
#define FIRST_REQUESTS 8                /* requests at a time */

/* Returns the number of doubles in an answer. */
static size_t length_of(int what)
{
    return what == REQUEST_SUMS ? APPROXIMATE_SUMS : 1;
}

void replay_begin(struct replay_log *s)
{
    s->at = s->requests_so_far = 0;
}

int replay_has_answer(const struct replay_log *s)
{
    return s->at < s->count;
}

int replay_read(struct replay_log *s, int what, double *sum)
{
    if (!replay_has_answer(s)) return 0;
    memcpy(sum, s->sum + s->at + 1, length_of(what) * sizeof *sum);
    s->at += 1 + (size_t)s->sum[s->at];
    return 1;
}

int replay_request(struct replay_log *s, const struct laws *l, int what, struct status *st)
{
    if (s->requests_so_far == s->request_capacity) {
        size_t capacity = s->request_capacity ? 2 * s->request_capacity : FIRST_REQUESTS;
        struct many_request *more = memory_resize(s->replay_entry, capacity * sizeof *more);
        if (!more) return fail(st, ST_MEMORY, "no memory for the requests of a fit");
        s->replay_entry = more;
        s->request_capacity = capacity;
    }
    struct many_request *q = &s->replay_entry[s->requests_so_far++];
    memset(q, 0, sizeof *q);
    q->alpha = l->alpha.at[0];
    q->beta = l->beta.at[0];
    q->gamma = l->gamma.at[0];
    q->delta = l->delta.at[0];
    q->pm = l->pm;
    q->only_value = what == REQUEST_VALUE;
    s->what = what;
    if (!st->code) fail(st, ST_AWAITED, "a requested value must be computed first");
    return st->code;
}

int replay_add_answer(struct replay_log *s, const double *sum, struct status *st)
{
    size_t length = length_of(s->what);
    if (s->count + 1 + length > s->capacity) {
        size_t capacity = s->capacity ? 2 * s->capacity : FIRST_CAPACITY;
        double *more = memory_resize(s->sum, capacity * sizeof *more);
        if (!more) return fail(st, ST_MEMORY, "no memory for the results of a fit");
        s->sum = more;
        s->capacity = capacity;
    }
    s->sum[s->count++] = (double)length;
    memcpy(s->sum + s->count, sum, length * sizeof *sum);
    s->count += length;
    return ST_OK;
}

int replay_answer(struct replay_log *s, struct status *st)
{
    if (st->code == ST_AWAITED) st->code = ST_OK;
    if (!st->code && s->what == REQUEST_HOST) s->is_on_cpu = 1;
    else if (!st->code && s->answer(s->answer_context, st) == ST_UNSUPPORTED) {
        st->code = ST_OK;
        s->is_on_cpu = 1;
    }
    s->requests_so_far = 0;
    return st->code;
}

void replay_free(struct replay_log *s)
{
    memory_release(s->sum);
    memory_release(s->replay_entry);
    memset(s, 0, sizeof *s);
}
