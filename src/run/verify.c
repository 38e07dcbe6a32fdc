#include <float.h>
#include <math.h>
#include <string.h>
#include "columns.h"
#include "single_thread.h"
#include "../base/threads.h"
#include "verify.h"
#include "sums.h"

#define TOLERANCE 1e-8                  /* relative; where two pieces of an approximation meet, rounding decides
                                           which is used */
#define TINY      1e-290                /* below this only the order of magnitude must agree */
#define SHARE     0.05                  /* fraction of the device's time */
#define ELEMENTS  4

/* Results may also differ by this multiple of the change that a relative change of an input by NUDGE causes. */
#define MAGNIFIED 1e3
#define NUDGE     (8.0 * DBL_EPSILON)

#define SCORES 4                        /* derivatives in alpha, beta, gamma and delta */

/* Kinds of jobs: tasks with one shape and with many shapes, and sums over many samples, approximate and exact. */
enum { KINDS_OF_MANY = 2 * (TASK_LOGLIKS + 1), KINDS = KINDS_OF_MANY + 2 };

static struct context *context;
static double device_seconds[KINDS], seconds_here[KINDS];
static double offset;                   /* selects the elements to compare; in [0, 1), different each time */

static int is_due(int kind, double seconds)
{
    device_seconds[kind] += seconds;
    return seconds_here[kind] <= SHARE * device_seconds[kind];
}

static int make_ready(struct status *st)
{
    offset += 0.6180339887498949;
    offset -= floor(offset);
    if (!context) context = context_new();
    return context ? ST_OK : fail(st, ST_MEMORY, "no memory to compare a device with the CPU");
}

static int is_same(double got, double right)
{
    return got == right || (isnan(got) && isnan(right));
}

/* --- elements ----------------------------------------------------------------------- */

enum { ARGUMENT, ALPHA, BETA, GAMMA, DELTA, INPUTS };

struct elements {
    size_t n, index[ELEMENTS];
    double input[INPUTS][ELEMENTS];
    struct column column[INPUTS];
    struct laws laws;
};

static void gather(struct elements *e, int k, struct column c)
{
    for (size_t i = 0; i < e->n; i++) e->input[k][i] = c.length ? column_value(c, e->index[i]) : 0.0;
    e->column[k].at = e->input[k];
    e->column[k].length = e->n;
}

static struct column argument_of(const struct task *t)
{
    static const struct column none;
    if (t->kind == TASK_EVAL) return ((const struct eval_job *)t->job)->x;
    return t->kind == TASK_QUANTILE ? ((const struct quantile_job *)t->job)->p : none;
}

/* Chooses one element from each quarter of a slice, or all elements of a short slice. */
static void choose(struct elements *e, const struct task *t, const struct slice *slice)
{
    const struct laws *l = t->laws;
    const struct column user[INPUTS] = { argument_of(t), l->alpha, l->beta, l->gamma, l->delta };
    int is_short = slice->done <= ELEMENTS;

    e->n = is_short ? slice->done : ELEMENTS;
    for (size_t i = 0; i < e->n; i++) {
        size_t within = is_short ? i : (size_t)((double)slice->done * ((double)i + offset) / ELEMENTS);
        e->index[i] = slice->first + (within < slice->done ? within : slice->done - 1);
    }
    for (int k = 0; k < INPUTS; k++) gather(e, k, user[k]);
    struct laws laws = { e->column[ALPHA], e->column[BETA], e->column[GAMMA], e->column[DELTA], t->laws->pm };
    e->laws = laws;
}

/* Values of the chosen elements, for each output (at most three). */
struct values { double at[3][ELEMENTS]; };

static void random_here(const struct random_job *user, const struct elements *e, double *y)
{
    for (size_t i = 0; i < e->n; i++) {
        struct random_job job = { 1, e->laws, user->key, y + i };
        struct column *law[] = { &job.laws.alpha, &job.laws.beta, &job.laws.gamma, &job.laws.delta };
        for (int k = 0; k < 4; k++) {
            law[k]->at += i;
            law[k]->length = 1;
        }
        context_random(context, &job, e->index[i]);
    }
}

static int compute_here(const struct task *t, const struct elements *e, struct values *v, struct status *st)
{
    if (t->kind == TASK_RANDOM) random_here(t->job, e, v->at[0]);
    if (t->kind == TASK_QUANTILE) {
        struct quantile_job job = *(const struct quantile_job *)t->job;
        job.n = e->n;
        job.p = e->column[ARGUMENT];
        job.laws = e->laws;
        job.q = v->at[0];
        context_quantile(context, &job);
    }
    if (t->kind == TASK_EVAL) {
        const struct eval_job *user = t->job;
        struct eval_job job = { e->n, e->column[ARGUMENT], e->laws, user->give_log, user->pdf ? v->at[0] : NULL,
                                user->cdf ? v->at[1] : NULL, user->sf ? v->at[2] : NULL, NULL };
        return context_eval(context, &job, st);
    }
    return ST_OK;
}

static int gives_log(const struct task *t)
{
    return t->kind == TASK_EVAL && ((const struct eval_job *)t->job)->give_log;
}

/* Returns the difference between device and CPU that their stated errors explain, for element i. */
static double room_of(const struct task *t, const struct elements *e, size_t i, double right)
{
    if (t->kind != TASK_EVAL)
        return TOLERANCE * (fabs(right) + fabs(e->input[GAMMA][i]) + fabs(e->input[DELTA][i]));
    if (gives_log(t)) return TOLERANCE * fmax(1.0, fabs(right));
    return right < TINY ? 10.0 * TINY : TOLERANCE * right * fmax(1.0, fabs(log(right)));
}

/* TRUE if the values agree; logarithms of numbers that a device rounds to 0 also agree with -Inf. */
static int is_near(const struct task *t, const struct elements *e, size_t i, double got, double right)
{
    if (is_same(got, right) || fabs(got - right) <= room_of(t, e, i, right)) return 1;
    return gives_log(t) && fmin(got, right) == -INFINITY && fmax(got, right) < log(TINY);
}

/* Sets the largest change of output k of element i when an input changes in its last digits.  alpha = 1 is not
 * changed, because other formulas apply next to it. */
static int sensitivity(const struct task *t, struct elements *e, int k, size_t i, double right, double *change,
                       struct status *st)
{
    struct values nudged;
    *change = 0.0;
    for (int input = 0; input < INPUTS; input++) {
        double *at = &e->input[input][i], before = *at;
        if (input == ALPHA && before == 1.0) continue;
        *at = before * (1.0 - NUDGE);
        int code = compute_here(t, e, &nudged, st);
        *at = before;
        if (code) return code;
        *change = fmax(*change, fabs(nudged.at[k][i] - right));
    }
    return ST_OK;
}

static int check_element(const struct task *t, struct elements *e, int k, size_t i, double got, double right,
                         struct status *st)
{
    static const char *const value[] = { "density", "lower tail", "upper tail" };
    double change;

    if (is_near(t, e, i, got, right)) return ST_OK;
    if (sensitivity(t, e, k, i, right, &change, st)) return st->code;
    if (fabs(got - right) <= MAGNIFIED * change) return ST_OK;
    if (t->kind == TASK_RANDOM)
        return fail(st, ST_DEVICE, "wrong results: random number %.0f of alpha = %g, beta = %g is %.17g, not "
                    "%.17g", (double)e->index[i] + 1.0, e->input[ALPHA][i], e->input[BETA][i], got, right);
    return fail(st, ST_DEVICE, "wrong results: %s%s at %s = %.17g, alpha = %g, beta = %g is %.17g, not %.17g",
                gives_log(t) ? "log of the " : "", t->kind == TASK_QUANTILE ? "quantile" : value[k],
                t->kind == TASK_QUANTILE ? "p" : "x", e->input[ARGUMENT][i], e->input[ALPHA][i], e->input[BETA][i],
                got, right);
}

static int check_elements(const struct task *t, const struct slice *slice, struct status *st)
{
    const double *got[3] = { NULL, NULL, NULL };
    struct elements e;
    struct values right;

    if (t->kind == TASK_RANDOM) got[0] = ((const struct random_job *)t->job)->y;
    if (t->kind == TASK_QUANTILE) got[0] = ((const struct quantile_job *)t->job)->q;
    if (t->kind == TASK_EVAL) {
        const struct eval_job *job = t->job;
        got[0] = job->pdf;
        got[1] = job->cdf;
        got[2] = job->sf;
    }
    choose(&e, t, slice);
    if (compute_here(t, &e, &right, st)) return st->code;
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; got[k] && i < e.n; i++)
            if (check_element(t, &e, k, i, got[k][e.index[i]], right.at[k][i], st)) return st->code;
    return ST_OK;
}

/* --- sums --------------------------------------------------------------------------- */

static int wrong_sum(const struct laws *l, double n, double got, double right, struct status *st)
{
    return fail(st, ST_DEVICE, "wrong results: a sum over %.0f log densities, alpha = %g, beta = %g is %.17g, "
                "not %.17g", n, l->alpha.at[0], l->beta.at[0], got, right);
}

/* Compares `count` of the sums of approximate_job over terms whose weights sum to n.  Scores cancel in their
 * sums, but the sums of their squares bound the terms by the Cauchy-Schwarz inequality. */
static int are_sums_right(const double *got, const double *right, int count, double n)
{
    double size[1 + SCORES], room[APPROXIMATE_SUMS];
    int k = 1;

    size[0] = sqrt(n);
    room[0] = fabs(right[0]);
    for (int a = 1; a <= SCORES; a++) size[a] = sqrt(fabs(right[SCORES + a * (a + 1) / 2]));
    for (int a = 1; a <= SCORES; a++) room[k++] = size[0] * size[a];
    for (int a = 1; a <= SCORES; a++)
        for (int b = 1; b <= a; b++) room[k++] = size[a] * size[b];
    for (k = 0; k < count; k++)
        if (!is_same(got[k], right[k]) && !(fabs(got[k] - right[k]) <= TOLERANCE * (n + room[k]))) return 0;
    return 1;
}

/* The elements of one block of a sum, without those that a device left to the CPU. */
struct block {
    size_t n, number;
    double weight_sum, x[TOTAL_BLOCK], weight[TOTAL_BLOCK];
    unsigned char is_left[TOTAL_BLOCK];
};

static struct block block;              /* main thread only, like everything in this file */

static void take_block(const struct task *t, const struct slice *slice, struct column x, struct column weight,
                       const struct left *left)
{
    size_t first = slice->first / TOTAL_BLOCK, blocks = blocks_of(slice->first + slice->done) - first;
    size_t number = first + (size_t)((double)blocks * offset), begin = number * TOTAL_BLOCK;
    size_t length = block_length(number, t->n);

    memset(block.is_left, 0, sizeof block.is_left);
    for (size_t k = 0; left && k < left->count; k++)
        if (left->at[k] / TOTAL_BLOCK == number) block.is_left[left->at[k] % TOTAL_BLOCK] = 1;
    block.number = number;
    block.n = 0;
    block.weight_sum = 0.0;
    for (size_t i = 0; i < length; i++) {
        if (block.is_left[i]) continue;
        block.x[block.n] = column_value(x, begin + i);
        block.weight[block.n] = weight.length ? column_value(weight, begin + i) : 1.0;
        block.weight_sum += fabs(block.weight[block.n++]);
    }
}

static int check_loglik(const struct task *t, const struct slice *slice, struct status *st)
{
    const struct loglik_job *job = t->job;
    struct loglik_job own = *job;
    double right;

    take_block(t, slice, job->x, job->weight, NULL);
    own.n = own.x.length = own.weight.length = block.n;
    own.x.at = block.x;
    own.weight.at = block.weight;
    if (context_loglik(context, &own, &right, st)) return st->code;
    double got = job->block[block.number].hi + job->block[block.number].lo;
    if (is_same(got, right) || fabs(got - right) <= TOLERANCE * (block.weight_sum + fabs(right))) return ST_OK;
    return wrong_sum(&job->laws, (double)block.n, got, right, st);
}

/* Removes the elements from `first` on from the list, because their slice is computed again. */
static void forget_left(struct left *left, size_t first)
{
    size_t kept = 0;
    for (size_t k = 0; k < left->count; k++)
        if (left->at[k] < first) left->at[kept++] = left->at[k];
    left->count = kept;
}

static int check_approximate(const struct task *t, const struct slice *slice, struct status *st)
{
    const struct approximate_job *job = t->job;
    struct approximate_job own = *job;
    double right[APPROXIMATE_SUMS] = { 0 };

    take_block(t, slice, job->x, job->weight, job->left);
    if (!block.n || !job->sum) return ST_OK;
    own.n = own.x.length = own.weight.length = block.n;
    own.x.at = block.x;
    own.weight.at = block.weight;
    own.left = NULL;
    if (context_quick(context, &own, right, st)) return st->code;
    const double *got = job->sum + block.number * APPROXIMATE_SUMS;
    if (are_sums_right(got, right, job->only_value ? 1 : APPROXIMATE_SUMS, block.weight_sum)) return ST_OK;
    if (job->left) forget_left(job->left, slice->first);
    return wrong_sum(&job->laws, (double)block.n, *got, *right, st);
}

int verify_slice(const struct task *t, const struct slice *slice, double seconds, struct status *st)
{
    int kind = 2 * (int)t->kind + !is_one_shape(t->laws);
    double begin = threads_clock();

    if (!slice->done || !is_due(kind, seconds) || make_ready(st)) return st->code;
    if (t->kind == TASK_LOGLIK) check_loglik(t, slice, st);
    else if (t->kind == TASK_APPROXIMATE) check_approximate(t, slice, st);
    else check_elements(t, slice, st);
    seconds_here[kind] += threads_clock() - begin;
    return st->code;
}

/* --- many samples ------------------------------------------------------------------- */

static int sums_here(const struct many_job *job, const struct many_request *q, double *sum, struct status *st)
{
    const struct column x = { job->x.at + q->first, q->n }, none = { NULL, 0 };
    const struct laws l = { { &q->alpha, 1 }, { &q->beta, 1 }, { &q->gamma, 1 }, { &q->delta, 1 }, q->pm };
    struct approximate_job approximate = { .n = q->n, .x = x, .laws = l, .only_value = q->only_value };
    struct loglik_job loglik = { q->n, q->n, x, none, l, 0, NULL };
    return job->exactly ? context_loglik(context, &loglik, sum, st) : context_quick(context, &approximate, sum, st);
}

static int check_request(const struct many_job *job, size_t i, struct status *st)
{
    const struct many_request *q = &job->request[i];
    const double *got = job->sum + i * (job->exactly ? 1 : APPROXIMATE_SUMS);
    const struct laws l = { { &q->alpha, 1 }, { &q->beta, 1 }, { &q->gamma, 1 }, { &q->delta, 1 }, q->pm };
    double right[APPROXIMATE_SUMS] = { 0 };

    if (sums_here(job, q, right, st)) return st->code;
    if (are_sums_right(got, right, job->exactly || q->only_value ? 1 : APPROXIMATE_SUMS, (double)q->n)) return ST_OK;
    return wrong_sum(&l, (double)q->n, *got, *right, st);
}

/* Verifies one request of which the device left no element to the CPU, if there is one. */
int verify_many(const struct many_job *job, size_t first, size_t last, double seconds, struct status *st)
{
    int kind = KINDS_OF_MANY + (job->exactly != 0);
    double begin = threads_clock();

    if (first >= last || !is_due(kind, seconds) || make_ready(st)) return st->code;
    size_t count = last - first, start = (size_t)((double)count * offset), k = 0;
    while (!job->exactly && k < count && job->left[(first + (start + k) % count) * (MANY_LEFT + 1)] != 0) k++;
    if (k < count) check_request(job, first + (start + k) % count, st);
    seconds_here[kind] += threads_clock() - begin;
    return st->code;
}

void verify_begin(void)
{
    memset(device_seconds, 0, sizeof device_seconds);
    memset(seconds_here, 0, sizeof seconds_here);
}

void verify_unload(void)
{
    context_free(context);
    context = NULL;
}
