#include <float.h>
#include <string.h>
#include "element.h"
#include "columns.h"
#include "../base/memory.h"
#include "../special/elementary.h"

size_t block_length(size_t k, size_t n)
{
    size_t first = k * SUM_BLOCK;
    return n - first < SUM_BLOCK ? n - first : SUM_BLOCK;
}

static void weight_terms(struct column weight, size_t first, size_t count, double *value)
{
    for (size_t i = 0, at = first % weight.length; i < count; i++) {
        value[i] = weighted_term(weight.at[at], value[i]);
        if (++at == weight.length) at = 0;
    }
}

struct double_double block_total(const struct element_job *job, size_t k, double *value)
{
    struct double_double partial[PARTIAL_SUMS] = { { 0.0, 0.0 } };
    size_t count = block_length(k, job->n);

    if (job->weight.length) weight_terms(job->weight, k * SUM_BLOCK, count, value);
    for (size_t i = 0; i < count; i++) partial[i % PARTIAL_SUMS] = compensated_add(partial[i % PARTIAL_SUMS], value[i]);
    for (int half = PARTIAL_SUMS / 2; half > 0; half /= 2)
        for (int i = 0; i < half; i++) partial[i] = compensated_merge(partial[i], partial[i + half]);
    return partial[0];
}

static double loglik_total(const struct element_job *job)
{
    struct double_double total = { 0.0, 0.0 };
    for (size_t k = 0; k < blocks_of(job->n); k++) {
        struct double_double block = { job->sum[2 * k], job->sum[2 * k + 1] };
        total = compensated_merge(total, block);
    }
    return total.hi + total.lo;
}

void blocks_total(const struct element_job *job, double *sum)
{
    if (job->quantity == JOB_LOGLIK) {
        *sum = loglik_total(job);
        return;
    }
    for (int c = 0; c < APPROXIMATE_SUMS; c++) {
        struct double_double total = { 0.0, 0.0 };
        for (size_t k = 0; k < blocks_of(job->n); k++)
            total = compensated_add(total, job->sum[k * APPROXIMATE_SUMS + (size_t)c]);
        sum[c] = total.hi + total.lo;
    }
}

/* --- tensor approximations --- */

/* Elements processed together, so that logarithms are vectorised. */
#define BATCH 256

/* Number of consecutive elements on one piece that are evaluated together; faster for sorted samples. */
#define RUN 8

#define OUTSIDE_POSITION 1e300          /* a position outside every approximation */

struct evaluator {
    struct approximation *approximation;  /* NULL: none */
    struct approximation_frame frame;
    struct worker *worker;
    struct user_law law;
    int only_value, is_approximate;     /* for elements outside the approximation: no scores, or scores of low
                                           accuracy */
};

/* Consecutive elements, up to number end - 1, whose positions are in one range. */
struct run { struct piece_range range; int end; };

/* A batch of elements.  Entries of elements that the batch does not have are finite, and have no effect. */
struct approximate_batch {
    double x[BATCH], z[BATCH], y[BATCH], root[BATCH], position[BATCH + RUN];
    struct run run[BATCH];
    double value[APPROXIMATION_POLYNOMIALS][BATCH + RUN];  /* what is written beyond the end of a run is overwritten by
                                                              the next one */
    double row[APPROXIMATE_COLUMNS][BATCH];  /* outputs of JOB_APPROXIMATE */
    double weight[BATCH], weighted[APPROXIMATE_COLUMNS][BATCH];
};

WIDE void set_arguments(struct approximation_frame f, struct approximate_batch *b)
{
    for (int k = 0; k < BATCH; k++) b->z[k] = approximation_z(&f, b->x[k]);
    for (int k = 0; k < BATCH; k++) b->y[k] = approximation_y(&f, b->z[k]);
}

/* Returns sqrt(x) to an ulp or two by Newton's method for 1/sqrt(x), which starts from half the exponent.
 * Because sqrt() may set errno, compilers would not vectorise a loop that calls it. */
LANE double sqrt_of_normal(double x)
{
    double half = 0.5 * x, r = double_from_bits(0x5FE6EB50C7B537A9ul - (bits_of_double(x) >> 1));
    r *= 1.5 - half * r * r;
    r *= 1.5 - half * r * r;
    r *= 1.5 - half * r * r;
    r *= 1.5 - half * r * r;
    return x * r;
}

/* Computes root = sqrt(y^2 + s^2) and the positions of u = asinh(y/s). */
WIDE void set_positions(struct approximation_frame f, struct approximate_batch *b)
{
    double over_s = 1.0 / f.s, first = f.first;
    for (int k = 0; k < BATCH; k++) {
        double a = fabs(b->y[k]) * over_s, r = sqrt_of_normal(a * a + 1.0), u = copysign(log_of_normal(a + r), b->y[k]);
        b->position[k] = blend(mask_of(fabs(b->y[k]) < 1e100), u * f.inv_width - first, OUTSIDE_POSITION);
        b->root[k] = f.s * r;
    }
}

/* Finds the runs; returns their number. */
static int find_runs(struct approximation *s, struct approximate_batch *b, int count)
{
    const double *at = b->position;
    int runs = 0;
    for (int k = 0; k < count; runs++) {
        struct piece_range r = approximation_find(s, at[k]);
        do k++; while (k < count && at[k] >= r.from && at[k] < r.to);
        b->run[runs].range = r;
        b->run[runs].end = k;
    }
    return runs;
}

WIDE void evaluate_polynomials(struct approximate_batch *b, int polynomials, int runs)
{
    for (int r = 0, k = 0; r < runs; k = b->run[r++].end) {
        struct piece_range range = b->run[r].range;
        for (int i = k; range.piece && i < b->run[r].end; i++) {
            double t = range.density * (b->position[i] - range.from) - 1.0;
            for (int p = 0; p < polynomials; p++) b->value[p][i] = approximation_value(range.piece->c[p], t);
        }
    }
}

/* Evaluates approximation_value() of some polynomials at RUN positions in a range. */
LANE void evaluate_run(struct piece_range range, const double *position, int polynomials, double *value)
{
    double t[RUN], t2[RUN], t4[RUN], part[4][RUN], y[RUN];
    for (int i = 0; i < RUN; i++) t[i] = range.density * (position[i] - range.from) - 1.0;
    for (int i = 0; i < RUN; i++) t2[i] = t[i] * t[i];
    for (int i = 0; i < RUN; i++) t4[i] = t2[i] * t2[i];
    for (int p = 0; p < polynomials; p++) {
        const double *c = range.piece->c[p];
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < RUN; i++)
                part[k][i] = c[k] + t4[i] * (c[k + 4] + t4[i] * (c[k + 8] + t4[i] * c[k + 12]));
        for (int i = 0; i < RUN; i++)
            y[i] = (part[0][i] + part[1][i] * t[i]) + (part[2][i] + part[3][i] * t[i]) * t2[i];
        memcpy(value + p * (BATCH + RUN), y, sizeof y);
    }
}

WIDE void evaluate_runs(struct approximate_batch *b, int polynomials, int runs)
{
    for (int r = 0, k = 0; r < runs; k = b->run[r++].end) {
        if (!b->run[r].range.piece) continue;
        for (int i = k; i < b->run[r].end; i += RUN)
            evaluate_run(b->run[r].range, b->position + i, polynomials, &b->value[0][i]);
    }
}

static void set_values(double log_gamma, struct approximate_batch *b)
{
    for (int k = 0; k < BATCH; k++) b->row[0][k] = b->value[APPROXIMATION_VALUE][k] - log_gamma;
}

WIDE void set_scores(struct approximation_frame f, struct approximate_batch *b)
{
    for (int k = 0; k < BATCH; k++) {
        struct approximation_scores s =
            approximation_scores_at(&f, b->z[k], b->y[k], b->root[k], b->value[APPROXIMATION_U][k],
                                    b->value[APPROXIMATION_ALPHA][k], b->value[APPROXIMATION_BETA][k]);
        b->row[1][k] = s.alpha;
        b->row[2][k] = s.beta;
        b->row[3][k] = s.gamma;
        b->row[4][k] = s.delta;
    }
}

/* Evaluates element k exactly. */
static int evaluate_exactly(const struct evaluator *r, double x, int k, struct approximate_batch *b)
{
    double score[SCORE_COLUMNS] = { 0.0 };
    struct point_values v;
    int nans = point_eval(r->worker, &r->law, x, WANT_PDF, 1, 0, &v);
    if (!r->only_value) nans |= point_score(r->worker, &r->law, x, r->is_approximate, score);
    b->row[0][k] = v.pdf;
    for (int c = 1; c < APPROXIMATE_COLUMNS; c++) b->row[c][k] = score[c - 1];
    return nans;
}

/* Computes the rows of the elements of a run exactly. */
static int evaluate_run_exactly(const struct evaluator *r, int from, int to, struct approximate_batch *b)
{
    int nans = 0;
    for (int k = from; k < to; k++) nans |= evaluate_exactly(r, b->x[k], k, b);
    return nans;
}

/* Computes the rows of at most BATCH elements. */
static int evaluate_batch(const struct evaluator *r, const double *x, int count, struct approximate_batch *b)
{
    int nans = 0, polynomials = r->only_value ? 1 : APPROXIMATION_POLYNOMIALS;
    memcpy(b->x, x, (size_t)count * sizeof *x);
    if (!r->approximation) return evaluate_run_exactly(r, 0, count, b);
    set_arguments(r->frame, b);
    set_positions(r->frame, b);
    int runs = find_runs(r->approximation, b, count);
    if (4 * runs < count) evaluate_runs(b, polynomials, runs);
    else evaluate_polynomials(b, polynomials, runs);
    set_values(r->frame.log_gamma, b);
    if (!r->only_value) set_scores(r->frame, b);
    for (int i = 0, k = 0; i < runs; k = b->run[i++].end)
        if (!b->run[i].range.piece) nans |= evaluate_run_exactly(r, k, b->run[i].end, b);
    return nans;
}

/* Sets scores that are not finite to 0. */
WIDE void clear_infinite(struct approximate_batch *b)
{
    for (int c = 1; c < APPROXIMATE_COLUMNS; c++) {
        double *restrict row = b->row[c];
        for (int k = 0; k < BATCH; k++) row[k] = fabs(row[k]) <= DBL_MAX ? row[k] : 0.0;
    }
}

/* Multiplies each row by its weight. */
WIDE void weight_rows(struct approximate_batch *b)
{
    const double *restrict weight = b->weight;
    for (int k = 0; k < BATCH; k++)
        b->weighted[0][k] = blend(mask_of(weight[k] == 0.0), 0.0, weight[k] * b->row[0][k]);
    for (int c = 1; c < APPROXIMATE_COLUMNS; c++) {
        const double *restrict row = b->row[c];
        double *restrict weighted = b->weighted[c];
        for (int k = 0; k < BATCH; k++) weighted[k] = weight[k] * row[k];
    }
}

/* Returns the dot product, accumulated in LANES partial sums in an order that does not depend on the vector width. */
WIDE double product(const double *a, const double *b)
{
    double lane[LANES] = { 0.0 };
    for (int i = 0; i < BATCH; i += LANES)
        for (int k = 0; k < LANES; k++) lane[k] += a[i + k] * b[i + k];
    return lanes_sum(lane);
}

WIDE double total(const double *a)
{
    double lane[LANES] = { 0.0 };
    for (int i = 0; i < BATCH; i += LANES)
        for (int k = 0; k < LANES; k++) lane[k] += a[i + k];
    return lanes_sum(lane);
}

/* Adds a batch of `count` elements, weighted if `weight` is not NULL, to the sums. */
static void add_up(const struct evaluator *r, struct approximate_batch *b, const double *weight, int count, double *sum)
{
    double (*weighted)[BATCH] = weight ? b->weighted : b->row;
    int columns = r->only_value ? 1 : APPROXIMATE_COLUMNS;
    for (int c = 0; c < columns; c++) memset(b->row[c] + count, 0, (size_t)(BATCH - count) * sizeof *b->row[c]);
    if (!r->only_value) clear_infinite(b);
    if (weight) {
        memcpy(b->weight, weight, (size_t)count * sizeof *weight);
        weight_rows(b);
    }
    for (int c = 0; c < columns; c++) *sum++ += total(weighted[c]);
    for (int c = 1; c < columns; c++)
        for (int d = 1; d <= c; d++) *sum++ += product(weighted[c], b->row[d]);
}

/* Processes block k in batches. */
static int one_block(const struct evaluator *r, const struct element_job *job, size_t k, struct approximate_batch *b)
{
    double buffer[BATCH], *sum = job->sum ? job->sum + k * APPROXIMATE_SUMS : NULL;
    size_t first = k * SUM_BLOCK, count = block_length(k, job->n);
    struct cursor x = cursor_at(job->x, first), w = job->weight.length ? cursor_at(job->weight, first) : x;
    int nans = 0;

    if (sum) memset(sum, 0, APPROXIMATE_SUMS * sizeof *sum);
    for (size_t i = 0; i < count; i += BATCH) {
        int some = count - i < BATCH ? (int)(count - i) : BATCH;
        nans |= evaluate_batch(r, cursor_next_run(&x, (size_t)some, buffer), some, b);
        for (int c = 0; c < APPROXIMATE_COLUMNS; c++)
            if (job->out[c]) memcpy(job->out[c] + first + i, b->row[c], (size_t)some * sizeof *b->row[c]);
        if (!sum) continue;
        add_up(r, b, job->weight.length ? cursor_next_run(&w, (size_t)some, buffer) : NULL, some, sum);
    }
    return nans;
}

int logliks_prepare(struct worker *w)
{
    if (!w->batch) w->batch = memory_zeroed(1, sizeof *w->batch);
    return w->batch != NULL;
}

int approximate_prepare(struct worker *w)
{
    return score_prepare(w) && logliks_prepare(w);
}

int approximate_range(const struct evaluation *e, struct worker *w, size_t from, size_t to)
{
    struct evaluator r = {
        .approximation = e->approximation, .worker = w, .law = e->law, .only_value = e->job->only_value,
        .is_approximate = e->approximation && !e->job->out[0]
    };
    int nans = 0;

    if (r.approximation) r.frame = approximation_frame_of(r.approximation, &r.law);
    for (size_t k = from; k < to; k++) nans |= one_block(&r, e->job, k, w->batch);
    return nans;
}

/* --- log-likelihoods of many laws ------------------------------------------------------------ */

/* Returns the sum over all x.  Blocks are added in order, so that the result does not depend on the number of
 * threads. */
static double total_of(const struct element_job *job, const struct user_law *law, struct worker *w)
{
    struct approximation *approximation = approximation_for(&w->approximation, law);
    struct double_double total = { 0.0, 0.0 };

    for (size_t k = 0; k < blocks_of(job->x.length); k++) {
        double sum[APPROXIMATE_SUMS];
        struct column x = { job->x.at + k * SUM_BLOCK, block_length(k, job->x.length) };
        struct element_job block = { .quantity = JOB_APPROXIMATE, .n = x.length, .x = x, .only_value = 1, .sum = sum };
        struct evaluation e = { &block, *law, NULL, approximation };
        approximate_range(&e, w, 0, 1);
        total = compensated_add(total, sum[0]);
    }
    return total.hi + total.lo;
}

int logliks_range(const struct evaluation *e, struct worker *w, size_t from, size_t to)
{
    const struct element_job *job = e->job;
    struct law_cursor laws = law_cursor_at(&job->laws, from);

    for (size_t i = from; i < to; i++) {
        struct user_law law = law_cursor_next(&laws);
        job->out[0][i] = total_of(job, &law, w);
    }
    return 0;
}

/* --- elements with laws of their own --------------------------------------------------------- */

/* Writes log f and its derivatives to y[APPROXIMATE_COLUMNS]; returns 0 if the approximation does not contain x. */
static int evaluate_one(struct approximation *s, const struct user_law *law, double x, double *y)
{
    struct approximation_frame f = approximation_frame_of(s, law);
    double z = approximation_z(&f, x), at = approximation_y(&f, z), value[APPROXIMATION_POLYNOMIALS];
    double position = fabs(at) < 1e100 ? approximation_position(s, asinh(at / f.s)) : OUTSIDE_POSITION;
    struct piece_range r = approximation_find(s, position);

    if (!r.piece) return 0;
    for (int p = 0; p < APPROXIMATION_POLYNOMIALS; p++)
        value[p] = approximation_value(r.piece->c[p], r.density * (position - r.from) - 1.0);
    struct approximation_scores d =
        approximation_scores_at(&f, z, at, sqrt(at * at + f.s * f.s), value[APPROXIMATION_U],
                                value[APPROXIMATION_ALPHA], value[APPROXIMATION_BETA]);
    y[0] = value[APPROXIMATION_VALUE] - f.log_gamma;
    y[1] = d.alpha;
    y[2] = d.beta;
    y[3] = d.gamma;
    y[4] = d.delta;
    return 1;
}

/* Likewise by the formulas. */
static int compute_one(struct worker *w, const struct user_law *law, double x, int is_single, double *y)
{
    double score[SCORE_COLUMNS];
    struct point_values v;
    int nans = point_eval(w, law, x, WANT_PDF, 1, is_single, &v);

    nans |= point_score(w, law, x, 0, score);
    y[0] = v.pdf;
    memcpy(y + 1, score, (APPROXIMATE_COLUMNS - 1) * sizeof *y);
    return nans;
}

int approximate_each_range(const struct evaluation *e, struct worker *w, size_t from, size_t to)
{
    const struct element_job *job = e->job;
    struct law_cursor laws = law_cursor_at(&job->laws, from);
    struct cursor x = cursor_at(job->x, from);
    int nans = 0;

    for (size_t i = from; i < to; i++) {
        struct user_law law = law_cursor_next(&laws);
        struct approximation *s = approximation_for(&w->approximation, &law);
        double at = cursor_next(&x), y[APPROXIMATE_COLUMNS];
        if (!s || !evaluate_one(s, &law, at, y)) nans |= compute_one(w, &law, at, !is_one_shape(&job->laws), y);
        for (int k = 0; k < APPROXIMATE_COLUMNS; k++) job->out[k][i] = y[k];
    }
    return nans;
}
