#include <float.h>
#include <string.h>
#include "element.h"
#include "columns.h"
#include "../base/memory.h"
#include "../special/elementary.h"

size_t block_length(size_t k, size_t n)
{
    size_t first = k * TOTAL_BLOCK;
    return n - first < TOTAL_BLOCK ? n - first : TOTAL_BLOCK;
}

static void weigh_terms(struct column weight, size_t first, size_t count, double *value)
{
    for (size_t i = 0, at = first % weight.length; i < count; i++) {
        value[i] = total_term(weight.at[at], value[i]);
        if (++at == weight.length) at = 0;
    }
}

struct double_double block_total(const struct element_job *job, size_t k, double *value)
{
    struct double_double lane[TOTAL_LANES] = { { 0.0, 0.0 } };
    size_t count = block_length(k, job->n);

    if (job->weight.length) weigh_terms(job->weight, k * TOTAL_BLOCK, count, value);
    for (size_t i = 0; i < count; i++) lane[i % TOTAL_LANES] = total_take(lane[i % TOTAL_LANES], value[i]);
    for (int half = TOTAL_LANES / 2; half > 0; half /= 2)
        for (int i = 0; i < half; i++) lane[i] = total_join(lane[i], lane[i + half]);
    return lane[0];
}

static double loglik_total(const struct element_job *job)
{
    struct double_double total = { 0.0, 0.0 };
    for (size_t k = 0; k < blocks_of(job->n); k++) {
        struct double_double block = { job->sum[2 * k], job->sum[2 * k + 1] };
        total = total_join(total, block);
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
            total = total_take(total, job->sum[k * APPROXIMATE_SUMS + (size_t)c]);
        sum[c] = total.hi + total.lo;
    }
}

/* --- tensor approximations --- */

/* Elements processed together, so that logarithms are vectorised. */
#define BATCH 256

/* Number of consecutive elements on one piece that are evaluated together; faster for sorted samples. */
#define RUN 8

#define NOWHERE 1e300                   /* a value of u outside every approximation */

struct reader {
    struct approximation *approximation;  /* NULL: none */
    struct approximation_frame frame;
    struct worker *worker;
    struct user_law law;
    int only_value, is_approximate;     /* for elements outside the approximation: no scores, or scores of low
                                           accuracy */
};

/* A batch of elements; unused entries are 0. */
struct approximate_batch {
    double z[BATCH], y[BATCH], u[BATCH], root[BATCH], t[BATCH];
    const struct approximation_piece *piece[BATCH];
    double value[APPROXIMATION_POLYNOMIALS][BATCH];
    double row[APPROXIMATE_COLUMNS][BATCH];  /* outputs of JOB_APPROXIMATE */
    double weight[BATCH], weighted[APPROXIMATE_COLUMNS][BATCH];
};

static void set_arguments(const struct approximation_frame *f, const double *x, int count, struct approximate_batch *b)
{
    for (int k = 0; k < count; k++) b->z[k] = approximation_z(f, x[k]);
    for (int k = 0; k < count; k++) b->y[k] = approximation_y(f, b->z[k]);
}

/* Returns sqrt(x) to an ulp or two by Newton's method for 1/sqrt(x), which starts from half the exponent.
 * Because sqrt() may set errno, compilers would not vectorise a loop that calls it. */
LANE double root_normal(double x)
{
    double half = 0.5 * x, r = double_from_bits(0x5FE6EB50C7B537A9ul - (bits_of_double(x) >> 1));
    r *= 1.5 - half * r * r;
    r *= 1.5 - half * r * r;
    r *= 1.5 - half * r * r;
    r *= 1.5 - half * r * r;
    return x * r;
}

/* Computes u = asinh(|y|/s) and root = sqrt(y^2 + s^2). */
WIDE void stretch(struct approximate_batch *b, double s)
{
    double over_s = 1.0 / s;
    for (int k = 0; k < BATCH; k++) {
        double a = fabs(b->y[k]) * over_s, r = root_normal(a * a + 1.0);
        b->u[k] = log_normal(a + r);
        b->root[k] = s * r;
    }
}

/* Finds the piece of each element; returns whether any element has none. */
static int find_pieces(struct approximation *s, struct approximate_batch *b, int count)
{
    int missing = 0;
    for (int k = 0; k < count; k++) {
        double u = fabs(b->y[k]) < 1e100 ? copysign(b->u[k], b->y[k]) : NOWHERE;
        b->piece[k] = approximation_find(s, u, &b->t[k]);
        missing |= !b->piece[k];
    }
    return missing;
}

WIDE void read_off(struct approximate_batch *b, int polynomials, int count)
{
    for (int p = 0; p < polynomials; p++)
        for (int k = 0; k < count; k++)
            b->value[p][k] = b->piece[k] ? approximation_value(b->piece[k]->c[p], b->t[k]) : 0.0;
}

/* Evaluates approximation_value() at RUN points of one piece. */
LANE void read_some(const double *c, const double *t, double *y)
{
    double t2[RUN], t4[RUN], lane[4][RUN];
    for (int i = 0; i < RUN; i++) t2[i] = t[i] * t[i];
    for (int i = 0; i < RUN; i++) t4[i] = t2[i] * t2[i];
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < RUN; i++) lane[k][i] = c[k] + t4[i] * (c[k + 4] + t4[i] * (c[k + 8] + t4[i] * c[k + 12]));
    for (int i = 0; i < RUN; i++)
        y[i] = (lane[0][i] + lane[1][i] * t[i]) + (lane[2][i] + lane[3][i] * t[i]) * t2[i];
}

/* Finds the ends of the runs of elements on one piece; returns their number. */
static int find_runs(const struct approximate_batch *b, int count, int *end)
{
    int runs = 0;
    for (int k = 1; k <= count; k++)
        if (k == count || b->piece[k] != b->piece[k - 1]) end[runs++] = k;
    return runs;
}

/* Values written beyond the end of a run are overwritten by the next run. */
WIDE void read_runs(struct approximate_batch *b, int polynomials, const int *end, int runs)
{
    double t[BATCH + RUN] = { 0.0 }, y[BATCH + RUN] = { 0.0 };
    memcpy(t, b->t, sizeof b->t);
    for (int p = 0; p < polynomials; p++) {
        for (int r = 0, k = 0; r < runs; k = end[r++]) {
            const struct approximation_piece *piece = b->piece[k];
            if (piece) for (int i = k; i < end[r]; i += RUN) read_some(piece->c[p], t + i, y + i);
            else memset(y + k, 0, (size_t)(end[r] - k) * sizeof *y);
        }
        memcpy(b->value[p], y, sizeof b->value[p]);
    }
}

static void read_all(struct approximate_batch *b, int polynomials, int count)
{
    int end[BATCH], runs = find_runs(b, count, end);
    if (4 * runs < count) read_runs(b, polynomials, end, runs);
    else read_off(b, polynomials, count);
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
static int exactly(const struct reader *r, double x, int k, struct approximate_batch *b)
{
    double score[SCORE_COLUMNS] = { 0.0 };
    struct point_values v;
    int nans = point_eval(r->worker, &r->law, x, WANT_PDF, 1, 0, &v);
    if (!r->only_value) nans |= point_score(r->worker, &r->law, x, r->is_approximate, score);
    b->row[0][k] = v.pdf;
    for (int c = 1; c < APPROXIMATE_COLUMNS; c++) b->row[c][k] = score[c - 1];
    return nans;
}

/* Computes the rows of at most BATCH elements. */
static int read_batch(const struct reader *r, const double *x, int count, struct approximate_batch *b)
{
    int nans = 0, missing = 1;
    if (r->approximation) {
        set_arguments(&r->frame, x, count, b);
        stretch(b, r->frame.s);
        missing = find_pieces(r->approximation, b, count);
        read_all(b, r->only_value ? 1 : APPROXIMATION_POLYNOMIALS, count);
        set_values(r->frame.log_gamma, b);
        if (!r->only_value) set_scores(r->frame, b);
    }
    for (int k = 0; missing && k < count; k++)
        if (!r->approximation || !b->piece[k]) nans |= exactly(r, x[k], k, b);
    return nans;
}

/* Multiplies each row by its weight; scores that are not finite count as 0. */
WIDE void weigh(struct approximate_batch *b)
{
    const double *restrict weight = b->weight;
    for (int k = 0; k < BATCH; k++)
        b->weighted[0][k] = pick(when(weight[k] == 0.0), 0.0, weight[k] * b->row[0][k]);
    for (int c = 1; c < APPROXIMATE_COLUMNS; c++) {
        double *restrict row = b->row[c], *restrict weighted = b->weighted[c];
        for (int k = 0; k < BATCH; k++) row[k] = fabs(row[k]) <= DBL_MAX ? row[k] : 0.0;
        for (int k = 0; k < BATCH; k++) weighted[k] = weight[k] * row[k];
    }
}

/* Returns the dot product, accumulated in LANES partial sums in an order that does not depend on the vector width. */
WIDE double product(const double *a, const double *b)
{
    double lane[LANES] = { 0.0 };
    for (int i = 0; i < BATCH; i += LANES)
        for (int k = 0; k < LANES; k++) lane[k] += a[i + k] * b[i + k];
    return lanes_joined(lane);
}

WIDE double total(const double *a)
{
    double lane[LANES] = { 0.0 };
    for (int i = 0; i < BATCH; i += LANES)
        for (int k = 0; k < LANES; k++) lane[k] += a[i + k];
    return lanes_joined(lane);
}

/* Adds a batch of `count` elements to the sums. */
static void add_up(const struct reader *r, struct approximate_batch *b, int count, double *sum)
{
    for (int k = count; k < BATCH; k++) b->weight[k] = 0.0;
    weigh(b);
    *sum++ += total(b->weighted[0]);
    if (r->only_value) return;
    for (int c = 1; c < APPROXIMATE_COLUMNS; c++) *sum++ += total(b->weighted[c]);
    for (int c = 1; c < APPROXIMATE_COLUMNS; c++)
        for (int d = 1; d <= c; d++) *sum++ += product(b->weighted[c], b->row[d]);
}

static void set_weights(struct column weight, struct cursor *next, int count, double *w)
{
    double room[BATCH];
    const double *from = weight.length ? take_run(next, (size_t)count, room) : NULL;
    for (int k = 0; k < count; k++) w[k] = from ? from[k] : 1.0;
}

/* Processes block k in batches. */
static int one_block(const struct reader *r, const struct element_job *job, size_t k, struct approximate_batch *b)
{
    double room[BATCH], *sum = job->sum ? job->sum + k * APPROXIMATE_SUMS : NULL;
    size_t first = k * TOTAL_BLOCK, count = block_length(k, job->n);
    struct cursor x = cursor_at(job->x, first), w = job->weight.length ? cursor_at(job->weight, first) : x;
    int nans = 0;

    if (sum) memset(sum, 0, APPROXIMATE_SUMS * sizeof *sum);
    for (size_t i = 0; i < count; i += BATCH) {
        int some = count - i < BATCH ? (int)(count - i) : BATCH;
        nans |= read_batch(r, take_run(&x, (size_t)some, room), some, b);
        for (int c = 0; c < APPROXIMATE_COLUMNS; c++)
            if (job->out[c]) memcpy(job->out[c] + first + i, b->row[c], (size_t)some * sizeof *b->row[c]);
        if (!sum) continue;
        set_weights(job->weight, &w, some, b->weight);
        add_up(r, b, some, sum);
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
    struct reader r = {
        .approximation = e->approximation, .worker = w, .law = e->law, .only_value = e->job->only_value,
        .is_approximate = e->approximation && !e->job->out[0]
    };
    int nans = 0;

    if (r.approximation) r.frame = approximation_frame_of(r.approximation, &r.law);
    memset(w->batch, 0, sizeof *w->batch);
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
        struct column x = { job->x.at + k * TOTAL_BLOCK, block_length(k, job->x.length) };
        struct element_job block = { .quantity = JOB_APPROXIMATE, .n = x.length, .x = x, .only_value = 1, .sum = sum };
        struct evaluation e = { &block, *law, NULL, approximation };
        approximate_range(&e, w, 0, 1);
        total = total_take(total, sum[0]);
    }
    return total.hi + total.lo;
}

int logliks_range(const struct evaluation *e, struct worker *w, size_t from, size_t to)
{
    const struct element_job *job = e->job;
    struct law_cursor laws = laws_at(&job->laws, from);

    for (size_t i = from; i < to; i++) {
        struct user_law law = take_law(&laws);
        job->out[0][i] = total_of(job, &law, w);
    }
    return 0;
}

/* --- elements with laws of their own --------------------------------------------------------- */

/* Writes log f and its derivatives to y[APPROXIMATE_COLUMNS]; returns 0 if the approximation does not contain x. */
static int read_one(struct approximation *s, const struct user_law *law, double x, double *y)
{
    struct approximation_frame f = approximation_frame_of(s, law);
    double z = approximation_z(&f, x), at = approximation_y(&f, z), t, value[APPROXIMATION_POLYNOMIALS];
    const struct approximation_piece *piece = fabs(at) < 1e100 ? approximation_find(s, asinh(at / f.s), &t) : NULL;

    if (!piece) return 0;
    for (int p = 0; p < APPROXIMATION_POLYNOMIALS; p++) value[p] = approximation_value(piece->c[p], t);
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

int quick_range(const struct evaluation *e, struct worker *w, size_t from, size_t to)
{
    const struct element_job *job = e->job;
    struct law_cursor laws = laws_at(&job->laws, from);
    struct cursor x = cursor_at(job->x, from);
    int nans = 0;

    for (size_t i = from; i < to; i++) {
        struct user_law law = take_law(&laws);
        struct approximation *s = approximation_for(&w->approximation, &law);
        double at = take(&x), y[APPROXIMATE_COLUMNS];
        if (!s || !read_one(s, &law, at, y)) nans |= compute_one(w, &law, at, !is_one_shape(&job->laws), y);
        for (int k = 0; k < APPROXIMATE_COLUMNS; k++) job->out[k][i] = y[k];
    }
    return nans;
}
