/* CAQ, common adaptive quadrature (quadrature/published/continuity.h): a queue of intervals, each of which is accepted
 * or replaced by its two halves at the end of the queue.  The order of the intervals does not matter, so as many of
 * them as fit into a block are evaluated together. */
#include "drivers.h"
#include "../../base/memory.h"

struct queued { double low, high; };

struct queue {
    const struct cuts *cuts;
    struct stop_flag *stop_flag;
    size_t integral;
    int thread, used_up;
    struct part part;
    double tolerance;                   /* that of the part */
    struct cut_sum sum;
    struct queued *at;                  /* a ring buffer of length `capacity` */
    size_t first, count, capacity;
};

static void push(struct queue *q, double low, double high)
{
    if (q->count == q->capacity) {
        size_t capacity = 2 * q->capacity + 1024;
        struct queued *larger = memory_allocate(capacity * sizeof *larger);
        if (!larger) {
            stop_all(q->stop_flag, ST_MEMORY, "no memory for the queue of an integral");
            return;
        }
        for (size_t k = 0; k < q->count; k++) larger[k] = q->at[(q->first + k) % q->capacity];
        memory_release(q->at);
        q->at = larger;
        q->first = 0;
        q->capacity = capacity;
    }
    struct queued w = { low, high };
    q->at[(q->first + q->count++) % q->capacity] = w;
}

/* Accepts an interval, or adds its halves to the queue. */
static void test_interval(struct queue *q, struct queued w, const double *f)
{
    int carry = 0;
    struct cut_sum s = cut_interval(&q->part, w.low, w.high, f);
    cut_finalise(&s, &carry);
    double middle = cut_point(w.low, w.high, 1), share = (w.high - w.low) / (q->part.high - q->part.low);
    if (cut_accepts(&s, q->tolerance, share, q->used_up, w.low, w.high)) {
        cut_add(&q->sum, &s);
        return;
    }
    push(q, w.low, middle);
    push(q, middle, w.high);
}

/* Removes as many intervals from the queue as fit into a block, and evaluates them. */
static void process_block(struct queue *q)
{
    const struct integral_job *j = q->cuts->job;
    const struct sampler *s = q->cuts->sampler;
    size_t maximum = (size_t)(s->block / 3), count = q->count < maximum ? q->count : maximum, first = q->first;
    double *x = s->input(s->self, q->thread, 0);
    for (size_t k = 0; k < count; k++)
        for (int p = 0; p < 3; p++) {
            const struct queued *w = &q->at[(first + k) % q->capacity];
            *x++ = part_x(q->part, cut_point(w->low, w->high, p));
        }
    for (int k = 0; k < j->parameters; k++) {
        double *to = s->input(s->self, q->thread, k + 1), value = j->parameter[(size_t)k * j->n + q->integral];
        for (size_t p = 0; p < 3 * count; p++) to[p] = value;
    }
    /* Bisection ends while the evaluations left still suffice to evaluate every interval in the queue once. */
    q->used_up |= j->evaluations[q->integral] + 3.0 * (double)(q->count + 2 * count) > j->max_eval;
    const double *f = s->run(s->self, q->thread, (int)(3 * count));
    j->evaluations[q->integral] += 3.0 * (double)count;
    if (!f) stop_interrupted(q->stop_flag);
    if (is_stop_requested(q->stop_flag)) return;
    for (size_t k = 0; k < count && !stop_is_set(q->stop_flag) && q->sum.finite; k++) {
        struct queued w = q->at[q->first];
        q->first = (q->first + 1) % q->capacity;
        q->count--;
        test_interval(q, w, f + 3 * k);
    }
}

static void caq_part(struct queue *q)
{
    long cells = q->cuts->rule.cells;
    q->first = q->count = 0;
    for (long k = 0; k < cells && !stop_is_set(q->stop_flag); k++) {
        struct part own = part_interval(q->part, (int)k, (int)cells);
        push(q, own.low, own.high);
    }
    while (q->count && !stop_is_set(q->stop_flag) && q->sum.finite) process_block(q);
}

/* Computes an integral.  TRUE if it must be repeated with the tolerance *tolerance. */
static int caq_once(struct queue *q, double *tolerance, int again)
{
    const struct cuts *c = q->cuts;
    const struct cut_sum nothing = CUT_SUM_EMPTY;
    struct parts parts = parts_of(c->job, q->integral);
    const struct cut_worker w = { c, q->stop_flag, NULL, q->thread };
    int count = cut_begin(&w, q->integral, again ? NULL : tolerance);
    if (!count) {
        stop_interrupted(q->stop_flag);
        return 0;
    }
    q->sum = nothing;
    q->tolerance = *tolerance / count;
    while (parts_next(&parts, &q->part) && !stop_is_set(q->stop_flag)) caq_part(q);
    if (stop_is_set(q->stop_flag) || !cut_end(c, q->integral, &q->sum, *tolerance, q->used_up, again)) return 0;
    *tolerance = cut_tolerance(&c->rule, q->sum.value, q->sum.size);
    return 1;
}

struct caq { const struct cuts *cuts; struct stop_flag stop_flag; };

static void caq_integral(struct caq *c, size_t i, int thread)
{
    const struct integral_job *j = c->cuts->job;
    struct queue q = { .cuts = c->cuts, .stop_flag = &c->stop_flag, .integral = i, .thread = thread };
    double tolerance;
    if (j->status[i] != INTEGRAL_NOT_DONE || integral_is_trivial(j, i)) return;
    for (int again = 0; caq_once(&q, &tolerance, again); again++) { }
    memory_release(q.at);
}

static void caq_integrals(void *context, int thread, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) caq_integral(context, i, thread);
}

int cut_caq(const struct cuts *c, poll_function poll, struct status *st)
{
    struct caq all = { c, { .poll = poll, .st = st } };
    double points = (double)c->job->n * 8.0 * (double)c->rule.cells;
    int threads = sampler_threads(c->sampler, points * c->sampler->seconds);
    parallel_for(c->job->n, 1, threads, caq_integrals, &all, &all.stop_flag);
    return st->code;
}
