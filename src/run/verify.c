#include <float.h>
#include <math.h>
#include <string.h>
#include "columns.h"
#include "cpu.h"
#include "../base/parallel.h"
#include "verify.h"
#include "element.h"

#define TOLERANCE 1e-8                  /* relative; where two pieces of an approximation meet, rounding decides
                                           which is used */
#define TOLERANCE_SINGLE 1e-5           /* of jobs in single precision */
#define TINY      1e-290                /* below this only the order of magnitude must agree */
#define SHARE     0.05                  /* fraction of the device's time */
#define ELEMENTS  4

/* Results may also differ by this multiple of the change that a relative change of an input by PERTURBATION causes. */
#define SENSITIVITY_FACTOR 1e3
#define PERTURBATION (8.0 * DBL_EPSILON)

#define SCORES 4                        /* derivatives in alpha, beta, gamma and delta */

/* Kinds of jobs: quantities with one shape and with many shapes, and sums over many samples, approximate and exact. */
enum { KINDS_OF_MANY = 2 * QUANTITIES, KINDS = KINDS_OF_MANY + 2 };

static struct context *context;
static double device_seconds[KINDS], cpu_seconds[KINDS];
static double offset;                   /* selects the elements to compare; in [0, 1), different each time */

static int is_due(int kind, double seconds)
{
    device_seconds[kind] += seconds;
    return cpu_seconds[kind] <= SHARE * device_seconds[kind];
}

static int prepare(struct status *st)
{
    offset += 0.6180339887498949;
    offset -= floor(offset);
    if (!context) context = context_new();
    return context ? ST_OK : fail(st, ST_MEMORY, "no memory to compare a device with the CPU");
}

static int is_same(double actual, double expected)
{
    return actual == expected || (isnan(actual) && isnan(expected));
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

/* Chooses one element from each quarter of a slice, or all elements of a short slice. */
static void choose(struct elements *e, const struct element_job *job, const struct slice *slice)
{
    const struct laws *l = &job->laws;
    const struct column user[INPUTS] = { job->x, l->alpha, l->beta, l->gamma, l->delta };
    int is_short = slice->done <= ELEMENTS;

    e->n = is_short ? slice->done : ELEMENTS;
    for (size_t i = 0; i < e->n; i++) {
        size_t within = is_short ? i : (size_t)((double)slice->done * ((double)i + offset) / ELEMENTS);
        e->index[i] = slice->first + (within < slice->done ? within : slice->done - 1);
    }
    for (int k = 0; k < INPUTS; k++) gather(e, k, user[k]);
    struct laws laws = { e->column[ALPHA], e->column[BETA], e->column[GAMMA], e->column[DELTA], l->pm };
    e->laws = laws;
}

/* TRUE if output k is wanted; estimates of errors are not compared. */
static int is_compared(const struct element_job *job, int k)
{
    return job->out[k] && !(job->quantity == JOB_VALUES && k == OUT_ERROR);
}

/* Values of the chosen elements, for each output. */
struct values { double at[OUTPUTS][ELEMENTS]; };

/* Variates are computed one by one, since their numbers are not consecutive. */
static int variates_on_cpu(struct element_job *job, const struct elements *e, double *y, struct status *st)
{
    struct column *law[] = { &job->laws.alpha, &job->laws.beta, &job->laws.gamma, &job->laws.delta };

    job->n = 1;
    for (int k = 0; k < 4; k++) law[k]->length = 1;
    for (size_t i = 0; i < e->n && !st->code; i++) {
        job->first = e->index[i];
        job->out[0] = y + i;
        context_run(context, job, st);
        for (int k = 0; k < 4; k++) law[k]->at++;
    }
    return st->code;
}

static int compute_on_cpu(const struct element_job *user, const struct elements *e, struct values *v, struct status *st)
{
    struct element_job job = *user;

    job.n = e->n;
    job.x = e->column[ARGUMENT];
    job.laws = e->laws;
    for (int k = 0; k < OUTPUTS; k++) job.out[k] = is_compared(user, k) ? v->at[k] : NULL;
    return job.quantity == JOB_VARIATES ? variates_on_cpu(&job, e, v->at[0], st) : context_run(context, &job, st);
}

static int gives_log(const struct element_job *job)
{
    return job->quantity == JOB_VALUES && job->give_log;
}

static int is_of_scores(const struct element_job *job)
{
    return job->quantity == JOB_SCORES || job->quantity == JOB_APPROXIMATE;
}

static double tolerance_of(const struct element_job *job)
{
    return job->precision == PRECISION_SINGLE ? TOLERANCE_SINGLE : TOLERANCE;
}

/* Returns the difference between device and CPU that their stated errors explain, for element i. */
static double tolerance_at(const struct element_job *job, const struct elements *e, size_t i, double expected)
{
    double tolerance = tolerance_of(job);

    if (is_of_scores(job)) return tolerance * (fabs(expected) + 1.0 + 1.0 / e->input[GAMMA][i]);
    if (job->quantity != JOB_VALUES)
        return tolerance * (fabs(expected) + fabs(e->input[GAMMA][i]) + fabs(e->input[DELTA][i]));
    if (gives_log(job)) return tolerance * fmax(1.0, fabs(expected));
    return expected < TINY ? 10.0 * TINY : tolerance * expected * fmax(1.0, fabs(log(expected)));
}

/* TRUE if the values agree.  A score is NaN if an estimate of its error exceeds a limit, which rounding decides near
 * the limit, so that NaNs are not compared.  Logarithms of numbers that a device rounds to 0 also agree with -Inf. */
static int agrees(const struct element_job *job, const struct elements *e, size_t i, double actual, double expected)
{
    if (is_of_scores(job) && (isnan(actual) || isnan(expected))) return 1;
    if (is_same(actual, expected) || fabs(actual - expected) <= tolerance_at(job, e, i, expected)) return 1;
    return gives_log(job) && fmin(actual, expected) == -INFINITY && fmax(actual, expected) < log(TINY);
}

/* Sets the largest change of output k of element i when an input changes in its last digits.  alpha = 1 is not
 * changed, because other formulas apply near it. */
static int sensitivity(const struct element_job *job, struct elements *e, int k, size_t i, double expected,
                       double *change, struct status *st)
{
    struct values perturbed;
    *change = 0.0;
    for (int input = 0; input < INPUTS; input++) {
        double *at = &e->input[input][i], before = *at;
        if (input == ALPHA && before == 1.0) continue;
        *at = before * (1.0 - PERTURBATION);
        int code = compute_on_cpu(job, e, &perturbed, st);
        *at = before;
        if (code) return code;
        *change = fmax(*change, fabs(perturbed.at[k][i] - expected));
    }
    return ST_OK;
}

/* Returns the name of output k in messages. */
static const char *name_of(const struct element_job *job, int k)
{
    static const char *const value[OUTPUTS] = { "density", "lower tail", "upper tail", "error", "" };
    return job->quantity == JOB_VALUES ? value[k] : quantity_methods[job->quantity].name;
}

static int check_element(const struct element_job *job, struct elements *e, int k, size_t i, double actual,
                         double expected, struct status *st)
{
    double change;

    if (agrees(job, e, i, actual, expected)) return ST_OK;
    if (sensitivity(job, e, k, i, expected, &change, st)) return st->code;
    if (fabs(actual - expected) <= SENSITIVITY_FACTOR * change) return ST_OK;
    if (job->quantity == JOB_VARIATES)
        return fail(st, ST_DEVICE, "wrong results: random number %.0f of alpha = %g, beta = %g is %.17g, not "
                    "%.17g", (double)e->index[i] + 1.0, e->input[ALPHA][i], e->input[BETA][i], actual, expected);
    return fail(st, ST_DEVICE, "wrong results: %s%s at %s = %.17g, alpha = %g, beta = %g is %.17g, not %.17g",
                gives_log(job) ? "log of the " : "", name_of(job, k), job->quantity == JOB_QUANTILES ? "p" : "x",
                e->input[ARGUMENT][i], e->input[ALPHA][i], e->input[BETA][i], actual, expected);
}

static int check_elements(const struct element_job *job, const struct slice *slice, struct status *st)
{
    struct elements e;
    struct values expected;

    choose(&e, job, slice);
    if (compute_on_cpu(job, &e, &expected, st)) return st->code;
    for (int k = 0; k < OUTPUTS; k++)
        for (size_t i = 0; is_compared(job, k) && i < e.n; i++)
            if (check_element(job, &e, k, i, job->out[k][e.index[i]], expected.at[k][i], st)) return st->code;
    return ST_OK;
}

/* --- sums --------------------------------------------------------------------------- */

static int fail_wrong_sum(const struct laws *l, double n, double actual, double expected, struct status *st)
{
    return fail(st, ST_DEVICE, "wrong results: a sum over %.0f log densities, alpha = %g, beta = %g is %.17g, "
                "not %.17g", n, l->alpha.at[0], l->beta.at[0], actual, expected);
}

/* Compares `count` of the sums of JOB_APPROXIMATE over terms whose weights sum to n.  Scores cancel in their
 * sums, but the sums of their squares bound the terms by the Cauchy-Schwarz inequality. */
static int are_sums_right(const double *actual, const double *expected, int count, double n)
{
    double size[1 + SCORES], bound[APPROXIMATE_SUMS];
    int k = 1;

    size[0] = sqrt(n);
    bound[0] = fabs(expected[0]);
    for (int a = 1; a <= SCORES; a++) size[a] = sqrt(fabs(expected[SCORES + a * (a + 1) / 2]));
    for (int a = 1; a <= SCORES; a++) bound[k++] = size[0] * size[a];
    for (int a = 1; a <= SCORES; a++)
        for (int b = 1; b <= a; b++) bound[k++] = size[a] * size[b];
    for (k = 0; k < count; k++)
        if (!is_same(actual[k], expected[k]) &&
            !(fabs(actual[k] - expected[k]) <= TOLERANCE * (n + bound[k]))) return 0;
    return 1;
}

/* The elements of one block of a sum, without those that a device left to the CPU. */
struct block {
    size_t n, number;
    double weight_sum, x[SUM_BLOCK], weight[SUM_BLOCK];
    unsigned char is_deferred[SUM_BLOCK];
};

static struct block block;              /* main thread only, like everything in this file */

static void take_block(const struct element_job *job, const struct slice *slice)
{
    size_t first = slice->first / SUM_BLOCK, blocks = blocks_of(slice->first + slice->done) - first;
    size_t number = first + (size_t)((double)blocks * offset), begin = number * SUM_BLOCK;
    size_t length = block_length(number, job->n);
    const struct deferred *deferred = job->deferred;

    memset(block.is_deferred, 0, sizeof block.is_deferred);
    for (size_t k = 0; deferred && k < deferred->count; k++)
        if (deferred->at[k] / SUM_BLOCK == number) block.is_deferred[deferred->at[k] % SUM_BLOCK] = 1;
    block.number = number;
    block.n = 0;
    block.weight_sum = 0.0;
    for (size_t i = 0; i < length; i++) {
        if (block.is_deferred[i]) continue;
        block.x[block.n] = column_value(job->x, begin + i);
        block.weight[block.n] = job->weight.length ? column_value(job->weight, begin + i) : 1.0;
        block.weight_sum += fabs(block.weight[block.n++]);
    }
}

/* Removes the elements from `first` on from the list, because their slice is computed again. */
static void forget_deferred(struct deferred *deferred, size_t first)
{
    size_t kept = 0;
    for (size_t k = 0; k < deferred->count; k++)
        if (deferred->at[k] < first) deferred->at[kept++] = deferred->at[k];
    deferred->count = kept;
}

/* TRUE if the sums of the block agree. */
static int is_block_right(const struct element_job *job, const double *actual, const double *expected)
{
    if (job->quantity == JOB_APPROXIMATE)
        return are_sums_right(actual, expected, job->only_value ? 1 : APPROXIMATE_SUMS, block.weight_sum);
    double sum = actual[0] + actual[1];
    return is_same(sum, *expected) || fabs(sum - *expected) <= tolerance_of(job) * (block.weight_sum + fabs(*expected));
}

static int check_sums(const struct element_job *job, const struct slice *slice, struct status *st)
{
    struct element_job copy = *job;
    double expected[APPROXIMATE_SUMS] = { 0 };

    take_block(job, slice);
    if (!block.n || !job->sum) return ST_OK;
    copy.n = copy.x.length = copy.weight.length = block.n;
    copy.x.at = block.x;
    copy.weight.at = block.weight;
    copy.deferred = NULL;
    if (context_sums(context, &copy, expected, st)) return st->code;
    const double *actual = job->sum + block.number * sums_of_block(job);
    if (is_block_right(job, actual, expected)) return ST_OK;
    if (job->deferred) forget_deferred(job->deferred, slice->first);
    double sum = job->quantity == JOB_LOGLIK ? actual[0] + actual[1] : *actual;
    return fail_wrong_sum(&job->laws, (double)block.n, sum, *expected, st);
}

int verify_slice(const struct element_job *job, const struct slice *slice, double seconds, struct status *st)
{
    int kind = 2 * (int)job->quantity + !is_one_shape(&job->laws);
    double begin = threads_clock();

    if (!slice->done || !is_due(kind, seconds) || prepare(st)) return st->code;
    if (job->quantity == JOB_LOGLIK || job->quantity == JOB_APPROXIMATE) check_sums(job, slice, st);
    else check_elements(job, slice, st);
    cpu_seconds[kind] += threads_clock() - begin;
    return st->code;
}

/* --- many samples ------------------------------------------------------------------- */

static int sums_on_cpu(const struct many_job *job, const struct many_request *q, double *sum, struct status *st)
{
    struct element_job elements = {
        .quantity = job->exactly ? JOB_LOGLIK : JOB_APPROXIMATE, .n = q->n, .x = { job->x.at + q->first, q->n },
        .laws = { { &q->alpha, 1 }, { &q->beta, 1 }, { &q->gamma, 1 }, { &q->delta, 1 }, q->pm },
        .only_value = q->only_value
    };
    return context_sums(context, &elements, sum, st);
}

static int check_request(const struct many_job *job, size_t i, struct status *st)
{
    const struct many_request *q = &job->request[i];
    const double *actual = job->sum + i * (job->exactly ? 1 : APPROXIMATE_SUMS);
    const struct laws l = { { &q->alpha, 1 }, { &q->beta, 1 }, { &q->gamma, 1 }, { &q->delta, 1 }, q->pm };
    double expected[APPROXIMATE_SUMS] = { 0 };

    if (sums_on_cpu(job, q, expected, st)) return st->code;
    if (are_sums_right(actual, expected, job->exactly || q->only_value ? 1 : APPROXIMATE_SUMS,
                       (double)q->n)) return ST_OK;
    return fail_wrong_sum(&l, (double)q->n, *actual, *expected, st);
}

/* Verifies one request of which the device left no element to the CPU, if there is one. */
int verify_many(const struct many_job *job, size_t first, size_t last, double seconds, struct status *st)
{
    int kind = KINDS_OF_MANY + (job->exactly != 0);
    double begin = threads_clock();

    if (first >= last || !is_due(kind, seconds) || prepare(st)) return st->code;
    size_t count = last - first, start = (size_t)((double)count * offset), k = 0;
    while (!job->exactly && k < count && job->deferred[(first + (start + k) % count) * (MANY_DEFERRED + 1)] != 0) k++;
    if (k < count) check_request(job, first + (start + k) % count, st);
    cpu_seconds[kind] += threads_clock() - begin;
    return st->code;
}

void verify_begin(void)
{
    memset(device_seconds, 0, sizeof device_seconds);
    memset(cpu_seconds, 0, sizeof cpu_seconds);
}

void verify_unload(void)
{
    context_free(context);
    context = NULL;
}
