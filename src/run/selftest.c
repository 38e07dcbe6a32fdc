#include <math.h>
#include <stdio.h>
#include <string.h>
#include "columns.h"
#include "element.h"
#include "verify.h"
#include "../base/memory.h"

#define TOLERANCE        1e-11          /* ten times the stated error of each backend */
#define RANDOM_TOLERANCE 1e-9           /* the formula is ill-conditioned near zeta */
#define SINGLE_TOLERANCE 1e-5
#define TINY             1e-290         /* below this only the order of magnitude must agree */

/* At least one shape for each method of evaluation: closed forms, both sides of alpha = 1, alpha = 1, and both
 * ends of the range of alpha. */
static const double shapes[][2] = {
    { 0.3, 0.4 }, { 0.5, 1 }, { 0.99, 0.5 }, { 1, 0 }, { 1, 0.5 }, { 1.0001, 0.5 },
    { 1.5, -0.5 }, { 1.99, 0.3 }, { 2, 0 }
};
static const double points[] = { -1e5, -30, -1.3, -0.02, 0.3, 2, 50, 1e30 };
static const double probabilities[] = { 1e-20, 0.01, 0.4, 0.9 };

enum {
    SHAPES = sizeof shapes / sizeof *shapes,
    POINTS = sizeof points / sizeof *points,
    PROBABILITIES = sizeof probabilities / sizeof *probabilities,
    LARGE_POINTS = 2,                   /* on either side */
    SAMPLE = 64,
    LARGE = 1 << 17,                    /* enough elements for the methods that only large jobs use */
    LARGE_MIN = 50000,                  /* below BUILD_INTERPOLANT of device/copies.c */
    MAX_ELEMENTS = SHAPES * POINTS
};

static const double zero = 0, one = 1;

struct workspace {
    const struct target *tested, *trusted;
    double alpha[MAX_ELEMENTS], beta[MAX_ELEMENTS];
    double actual[3][MAX_ELEMENTS], expected[3][MAX_ELEMENTS];
};

static struct column column_of(const double *at, size_t length)
{
    struct column c = { at, length };
    return c;
}

static struct laws standard(const double *alpha, const double *beta, size_t length)
{
    struct laws l;
    l.alpha = column_of(alpha, length);
    l.beta = column_of(beta, length);
    l.gamma = column_of(&one, 1);
    l.delta = column_of(&zero, 1);
    l.pm = 0;
    return l;
}

/* Sets the shapes such that element i has argument i % period and shape i / period. */
static struct laws all_shapes(struct workspace *b, size_t period)
{
    for (size_t i = 0; i < SHAPES * period; i++) {
        b->alpha[i] = shapes[i / period][0];
        b->beta[i] = shapes[i / period][1];
    }
    return standard(b->alpha, b->beta, SHAPES * period);
}

static int fail_wrong(struct status *st, const char *what, const char *at, double argument,
                      const struct laws *l, size_t i, double actual, double expected)
{
    return fail(st, ST_DEVICE, "wrong results: %s at %s = %.17g, alpha = %g, beta = %g is "
                "%.17g, not %.17g", what, at, argument, column_value(l->alpha, i), column_value(l->beta, i),
                actual, expected);
}

static int is_close(double actual, double expected, double tolerance)
{
    return actual == expected || fabs(actual - expected) <= tolerance;
}

static int same_value(double actual, double expected)
{
    if (expected < TINY) return actual < 10 * TINY;
    return is_close(actual, expected, TOLERANCE * expected * fmax(1, fabs(log(expected))));
}

static int same_log(double actual, double expected)
{
    return is_close(actual, expected, TOLERANCE * fmax(1, fabs(expected)));
}

/* Runs a whole job in slices of about a second. */
static int run_whole(const struct element_job *job, const struct target *t, struct status *st)
{
    struct slice slice = { 0, 1.0, 0, 0 };

    while (slice.first < job->n) {
        slice.done = 0;
        if (t->backend->run(t->session, job, &slice, st)) return st->code;
        slice.first += slice.done;
    }
    return ST_OK;
}

/* Runs a job on the device; returns 1 if results are available to compare. */
static int has_run(const struct element_job *job, const struct workspace *b, struct status *st)
{
    if (!run_whole(job, b->tested, st)) return 1;
    if (st->code == ST_UNSUPPORTED) st->code = ST_OK;
    return 0;
}

/* Runs a job on the device and, with other outputs, on the CPU; returns 1 if results are available to compare. */
static int have_run(const struct element_job *job, double (*expected)[MAX_ELEMENTS], const struct workspace *b,
                    struct status *st)
{
    struct element_job trusted = *job;
    for (int k = 0; k < OUTPUTS; k++) if (job->out[k]) trusted.out[k] = expected[k];
    return has_run(job, b, st) && !run_whole(&trusted, b->trusted, st);
}

/* Compares the values of n elements, whose arguments begin at points[first]. */
static int test_eval(struct workspace *b, const struct laws *laws, size_t first, size_t n, int give_log,
                     struct status *st)
{
    static const char *const names[] = { "density", "lower tail", "upper tail" };
    struct element_job job = {
        .quantity = JOB_VALUES, .n = n, .x = column_of(points + first, n < POINTS ? n : POINTS), .laws = *laws,
        .give_log = give_log, .out = { b->actual[0], b->actual[1], b->actual[2] }
    };

    if (!have_run(&job, b->expected, b, st)) return st->code;
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < n; i++)
            if (!(give_log ? same_log : same_value)(b->actual[k][i], b->expected[k][i]))
                return fail_wrong(st, names[k], "x", points[first + i % POINTS], laws, i, b->actual[k][i],
                                  b->expected[k][i]);
    return ST_OK;
}

/* Compares some elements of a large job, which recycles the points, with a small job. */
static int test_large(struct workspace *b, const struct laws *laws, int give_log, double *buffer, struct status *st)
{
    struct element_job job = {
        .quantity = JOB_VALUES, .n = LARGE, .x = column_of(points, POINTS), .laws = *laws, .give_log = give_log,
        .out = { buffer, buffer + LARGE }
    };
    struct element_job trusted = job;

    trusted.n = POINTS;
    for (int k = 0; k < 2; k++) trusted.out[k] = b->expected[k];
    if (!has_run(&job, b, st)) return st->code;
    if (run_whole(&trusted, b->trusted, st)) return st->code;
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < LARGE; i += SAMPLE + 1) {
            double actual = buffer[k * LARGE + i], expected = b->expected[k][i % POINTS];
            if (!(give_log ? same_log : same_value)(actual, expected))
                return fail_wrong(st, k ? "lower tail" : "density", "x", points[i % POINTS], laws, i, actual, expected);
        }
    return ST_OK;
}

static int test_quantile(struct workspace *b, const struct laws *laws, size_t n, struct status *st)
{
    struct element_job job = {
        .quantity = JOB_QUANTILES, .n = n, .x = column_of(probabilities, PROBABILITIES), .laws = *laws, .lower = 1,
        .out = { b->actual[0] }
    };

    if (!have_run(&job, b->expected, b, st)) return st->code;
    for (size_t i = 0; i < n; i++)
        if (!is_close(b->actual[0][i], b->expected[0][i], TOLERANCE * (fabs(b->expected[0][i]) + 0.01)))
            return fail_wrong(st, "quantile", "p", probabilities[i % PROBABILITIES], laws, i,
                              b->actual[0][i], b->expected[0][i]);
    return ST_OK;
}

static int test_random(struct workspace *b, const struct laws *laws, enum precision precision, struct status *st)
{
    struct element_job job = {
        .quantity = JOB_VARIATES, .n = SAMPLE, .laws = *laws, .key = { { 1, 2 } }, .out = { b->actual[0] },
        .precision = precision
    };
    double tolerance = precision == PRECISION_SINGLE ? SINGLE_TOLERANCE : RANDOM_TOLERANCE;

    if (!have_run(&job, b->expected, b, st)) return st->code;
    for (size_t i = 0; i < SAMPLE; i++)
        if (!is_close(b->actual[0][i], b->expected[0][i], tolerance * (fabs(b->expected[0][i]) + 1)))
            return fail_wrong(st, "random number", "index", (double)i, laws, i, b->actual[0][i],
                              b->expected[0][i]);
    return ST_OK;
}

/* Compares densities, their logarithms, probabilities and quantiles of one distribution in single precision. */
static int test_single(struct workspace *b, const struct laws *laws, struct status *st)
{
    struct element_job job = {
        .quantity = JOB_VALUES, .n = POINTS, .x = column_of(points, POINTS), .laws = *laws, .lower = 1,
        .precision = PRECISION_SINGLE
    };

    for (int k = 0; k < 4; k++) {
        int output = k == 2 ? OUT_CDF : OUT_PDF;
        memset(job.out, 0, sizeof job.out);
        job.out[output] = b->actual[0];
        job.give_log = k == 1;
        if (k == 3) {
            job.quantity = JOB_QUANTILES;
            job.x = column_of(probabilities, PROBABILITIES);
            job.n = PROBABILITIES;
        }
        struct element_job trusted = job;
        trusted.out[output] = b->expected[0];
        if (run_whole(&job, b->tested, st) || run_whole(&trusted, b->trusted, st)) return st->code;
        for (size_t i = 0; i < job.n; i++)
            if (!is_close(b->actual[0][i], b->expected[0][i], SINGLE_TOLERANCE * (fabs(b->expected[0][i]) + (k & 1))))
                return fail_wrong(st, "a value in single precision", k == 3 ? "p" : "x", job.x.at[i], laws, 0,
                                  b->actual[0][i], b->expected[0][i]);
    }
    return ST_OK;
}

/* Compares the sum of the log densities of one distribution in single precision. */
static int test_single_sum(struct workspace *b, const struct laws *laws, struct status *st)
{
    double block[2], actual, expected;
    struct element_job job = {
        .quantity = JOB_LOGLIK, .n = POINTS, .x = column_of(points, POINTS), .laws = *laws, .sum = block,
        .precision = PRECISION_SINGLE
    };

    if (run_whole(&job, b->tested, st)) return st->code;
    blocks_total(&job, &actual);
    if (run_whole(&job, b->trusted, st)) return st->code;
    blocks_total(&job, &expected);
    if (is_close(actual, expected, SINGLE_TOLERANCE * (POINTS + fabs(expected)))) return ST_OK;
    return fail_wrong(st, "a sum of log densities in single precision", "n", POINTS, laws, 0, actual, expected);
}

typedef struct laws laws_function(struct workspace *, size_t period, int k);

/* One shape.  Next to alpha = 1, large arguments need nodes of their own, which is what TEST_EACH tests: without them,
 * its program, which takes long to build, is not needed here. */
static int test_one(struct workspace *b, int k, struct status *st)
{
    struct laws laws = standard(&shapes[k][0], &shapes[k][1], 1);
    size_t left_out = fabs(shapes[k][0] - 1.0) < 0.05 ? LARGE_POINTS : 0;

    if (test_eval(b, &laws, left_out, POINTS - 2 * left_out, 0, st)) return st->code;
    return test_eval(b, &laws, left_out, POINTS - 2 * left_out, 1, st);
}

/* A shape for each element. */
static int test_each(struct workspace *b, struct status *st)
{
    struct laws laws = all_shapes(b, POINTS);

    if (test_eval(b, &laws, 0, SHAPES * POINTS, 0, st)) return st->code;
    return test_eval(b, &laws, 0, SHAPES * POINTS, 1, st);
}

static int test_quantiles(struct workspace *b, laws_function *laws_for, int k, size_t repeats, struct status *st)
{
    struct laws laws = laws_for(b, PROBABILITIES, k);
    return test_quantile(b, &laws, repeats * PROBABILITIES, st);
}

static int test_variates(struct workspace *b, laws_function *laws_for, int k, struct status *st)
{
    struct laws laws = laws_for(b, PROBABILITIES, k);
    return test_random(b, &laws, PRECISION_DOUBLE, st);
}

/* Compares the sum over the recycled points, whose log densities are in right[0]. */
static int test_sum(struct workspace *b, const struct laws *laws, double *buffer, struct status *st)
{
    double blocks[2 * (LARGE / SUM_BLOCK)], actual;
    struct double_double expected = { 0, 0 };
    struct element_job job = {
        .quantity = JOB_LOGLIK, .n = LARGE, .x = column_of(buffer, LARGE), .laws = *laws, .sum = blocks
    };

    for (int i = 0; i < LARGE; i++) {
        buffer[i] = points[i % POINTS];
        expected = compensated_add(expected, b->expected[0][i % POINTS]);
    }
    if (!has_run(&job, b, st)) return st->code;
    blocks_total(&job, &actual);
    if (same_log(actual, expected.hi + expected.lo)) return ST_OK;
    return fail_wrong(st, "sum of log densities", "n", LARGE, laws, 0, actual, expected.hi);
}

/* Tests large jobs with one shape on either side of alpha = 1. */
static int test_large_jobs(struct workspace *b, struct status *st)
{
    static const double two[][2] = { { 0.7, -0.4 }, { 1.5, 0.5 } };
    double *buffer = memory_allocate(2 * LARGE * sizeof *buffer);

    if (!buffer) return fail(st, ST_MEMORY, "no memory to test the device");
    for (int k = 0; k < 2 && !st->code; k++) {
        struct laws laws = standard(&two[k][0], &two[k][1], 1);
        if (!test_large(b, &laws, k, buffer, st) && k) test_sum(b, &laws, buffer, st);
    }
    memory_release(buffer);
    return st->code;
}

static int test_singles(struct workspace *b, struct status *st)
{
    static const double two[][2] = { { 0.7, -0.4 }, { 1.5, 0.5 } };

    for (int k = 0; k < 2 && !st->code; k++) {
        struct laws laws = standard(&two[k][0], &two[k][1], 1);
        if (!test_single(b, &laws, st)) test_single_sum(b, &laws, st);
    }
    for (int k = 0; k < SHAPES && !st->code; k++) {
        struct laws laws = standard(&shapes[k][0], &shapes[k][1], 1);
        test_random(b, &laws, PRECISION_SINGLE, st);
    }
    return st->code;
}

static struct laws varying(struct workspace *b, size_t period, int unused)
{
    (void)unused;
    return all_shapes(b, period);
}

static struct laws constant(struct workspace *unused, size_t period, int k)
{
    (void)unused;
    (void)period;
    return standard(&shapes[k][0], &shapes[k][1], 1);
}

int selftest(const struct target *tested, const struct target *trusted, unsigned parts, struct status *st)
{
    struct workspace b;

    b.tested = tested;
    b.trusted = trusted;
    for (int k = 0; k < SHAPES; k++) {
        if (parts & TEST_ONE && test_one(&b, k, st)) return st->code;
        if (parts & TEST_QUANTILES_ONE && test_quantiles(&b, constant, k, 1, st)) return st->code;
        if (parts & TEST_RANDOM && test_variates(&b, constant, k, st)) return st->code;
    }
    if (parts & TEST_SINGLE && test_singles(&b, st)) return st->code;
    if (parts & TEST_LARGE && test_large_jobs(&b, st)) return st->code;
    if (parts & TEST_EACH && test_each(&b, st)) return st->code;
    if (parts & TEST_QUANTILES_EACH && test_quantiles(&b, varying, 0, SHAPES, st)) return st->code;
    return parts & TEST_RANDOM ? test_variates(&b, varying, 0, st) : ST_OK;
}

unsigned selftest_parts(const struct element_job *job)
{
    if (job->precision == PRECISION_SINGLE) return TEST_SINGLE;
    unsigned few = is_one_shape(&job->laws) ? TEST_ONE : TEST_EACH;
    switch (job->quantity) {
    case JOB_VALUES: return few == TEST_ONE && elements_expected(job) >= LARGE_MIN ? few | TEST_LARGE : few;
    case JOB_QUANTILES: return few == TEST_ONE ? TEST_QUANTILES_ONE : TEST_QUANTILES_EACH;
    case JOB_MODES: case JOB_SCORES: case JOB_APPROXIMATE_EACH: return 0;  /* verify.h compares their results */
    case JOB_VARIATES: return TEST_RANDOM;
    default: return few | TEST_LARGE;
    }
}
