/* CAQ, common adaptive quadrature (quadrature/published/continuity.h): a queue of intervals, each of which is accepted
 * or replaced by its two halves at the end of the queue.  The order of the intervals does not matter, so as many of
 * them as fit into a block are evaluated together. */
#include "kern_alaghband.h"
#include "../../integrand/stop_flag.h"
#include "../../base/threads.h"
#include "../../base/memory.h"

struct waiting { double low, high; };

struct queue {
    const struct cuts *cuts;
    struct stop_flag *stop_flag;
    size_t integral;
    int thread, used_up, failed;        /* failed: 1 the sampler has failed, 2 memory is short */
    struct part part;
    double tolerance;                   /* that of the part */
    struct cut_sum sum;
    struct waiting *at;                 /* a ring buffer of length `room` */
    size_t first, count, room;
};

static void push(struct queue *q, double low, double high)
{
    if (q->count == q->room) {
        size_t room = 2 * q->room + 1024;
        struct waiting *larger = memory_allocate(room * sizeof *larger);
        if (!larger) {
            q->failed = 2;
            return;
        }
        for (size_t k = 0; k < q->count; k++) larger[k] = q->at[(q->first + k) % q->room];
        memory_release(q->at);
        q->at = larger;
        q->first = 0;
        q->room = room;
    }
    struct waiting w = { low, high };
    q->at[(q->first + q->count++) % q->room] = w;
}

static void judge(struct queue *q, struct waiting w, const double *f)
{
    int carry = 0;
    struct cut_sum s = cut_interval(&q->part, w.low, w.high, f);
    cut_finalise(&s, &carry);
    double middle = cut_point(w.low, w.high, 1);
    int good = s.finite && cut_accepts(s.error, q->tolerance, (w.high - w.low) / (q->part.high - q->part.low));
    if (good || q->used_up || part_is_narrow(w.low, w.high)) {
        cut_add(&q->sum, &s);
        return;
    }
    push(q, w.low, middle);
    push(q, middle, w.high);
}

/* Takes as many intervals from the queue as fit into a block, and evaluates them. */
static void take_some(struct queue *q)
{
    const struct integral_job *j = q->cuts->job;
    const struct sampler *s = q->cuts->sampler;
    size_t most = (size_t)(s->block / 3), count = q->count < most ? q->count : most, first = q->first;
    double *x = s->input(s->self, q->thread, 0);
    for (size_t k = 0; k < count; k++)
        for (int p = 0; p < 3; p++) {
            const struct waiting *w = &q->at[(first + k) % q->room];
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
    if (!f || is_stop_requested(q->stop_flag, q->thread)) {
        q->failed = 1;
        return;
    }
    for (size_t k = 0; k < count && !q->failed && q->sum.finite; k++) {
        struct waiting w = q->at[q->first];
        q->first = (q->first + 1) % q->room;
        q->count--;
        judge(q, w, f + 3 * k);
    }
}

static void caq_part(struct queue *q)
{
    long cells = q->cuts->rule.cells;
    q->first = q->count = 0;
    for (long k = 0; k < cells && !q->failed; k++) {
        struct part own = part_interval(q->part, (int)k, (int)cells);
        push(q, own.low, own.high);
    }
    while (q->count && !q->failed && q->sum.finite) take_some(q);
}

/* Computes an integral.  TRUE if it must be repeated with the tolerance *tolerance. */
static int caq_once(struct queue *q, double *tolerance, int again)
{
    const struct cuts *c = q->cuts;
    const struct cut_sum nothing = CUT_NOTHING;
    struct cut_sum look = nothing, one;
    struct parts parts = parts_of(c->job, q->integral);
    double count = 0.0;
    q->sum = nothing;
    for (; parts_next(&parts, &q->part); count++) {
        if (again) continue;
        if (!cut_evaluate(c, q->thread, q->integral, &q->part, &one)) q->failed = 1;
        if (q->failed) return 0;
        cut_add(&look, &one);
    }
    if (!again) *tolerance = cut_tolerance(&c->rule, look.value, look.size);
    q->tolerance = *tolerance / count;
    parts = parts_of(c->job, q->integral);
    while (parts_next(&parts, &q->part) && !q->failed) caq_part(q);
    if (q->failed || !cut_end(c, q->integral, &q->sum, *tolerance, q->used_up, again)) return 0;
    *tolerance = cut_tolerance(&c->rule, q->sum.value, q->sum.size);
    return 1;
}

static int caq_integral(const struct cuts *c, struct stop_flag *stop_flag, size_t i, int thread)
{
    struct queue q = { .cuts = c, .stop_flag = stop_flag, .integral = i, .thread = thread };
    double tolerance;
    if (c->job->status[i] != INTEGRAL_NOT_DONE || integral_is_trivial(c->job, i)) return 0;
    for (int again = 0; caq_once(&q, &tolerance, again); again++) { }
    memory_release(q.at);
    return q.failed;
}

int cut_caq(const struct cuts *c, poll_function poll, struct status *st)
{
    long n = (long)c->job->n;
    struct stop_flag stop_flag = { poll, 0, 0.0 };
    int failed = 0, threads = threads_for((double)n * 8.0 * (double)c->rule.cells * EVALUATION_TIME);
    if (threads > c->sampler->threads) threads = c->sampler->threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) if (threads > 1) reduction(|:failed)
#endif
    for (long i = 0; i < n; i++) {
        int thread = thread_number();
        if (is_stop_requested(&stop_flag, thread)) continue;
        int one = caq_integral(c, &stop_flag, (size_t)i, thread);
        if (one) stop_all(&stop_flag);
        failed |= one;
    }
    if (failed & 2) return fail(st, ST_MEMORY, "no memory for the queue of an integral");
    return failed || stop_flag.stop ? fail(st, ST_INTERRUPTED, "interrupted") : ST_OK;
}
