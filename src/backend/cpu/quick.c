#include <float.h>
#include <string.h>
#include "quick.h"
#include "blocks.h"
#include "cursor.h"
#include "../../core/logarithm.h"

/* Some elements at a time, so that logarithms are taken side by side. */
#define BATCH 256

/* Offsets beyond this cost the places more than a sketch has. */
#define FAR 1e4

#define NOWHERE 1e300                   /* a u that no sketch holds */

/* How the law's positions become places of the sketch, for beta >= 0. */
struct reader {
    const struct sketch *sketch;
    struct worker *worker;
    struct user_law law;
    int only_value;
    double mirror;                      /* -1: the sketch is that of -x */
    double over_gamma, log_gamma;
    double offset, offset_alpha, offset_beta;
};

/* Elements on their way; what is not there is 0. */
struct batch {
    double z[BATCH], y[BATCH], u[BATCH], root[BATCH], t[BATCH];
    const struct sketch_piece *piece[BATCH];
    double value[SKETCH_POLYNOMIALS][BATCH];
    double row[QUICK_COLUMNS][BATCH];           /* what quick_job asks for */
    double weight[BATCH], weighted[QUICK_COLUMNS][BATCH];
};

int quick_is_sketchable(const struct user_law *l)
{
    if (l->pm == 2 || !user_is_inside(l) || !(l->gamma > 0.0) || isinf(l->gamma) || !isfinite(l->delta)) return 0;
    return l->pm == 0 || (l->alpha != 1.0 && fabs(zeta_of(l->alpha, l->beta).value) < FAR);
}

/* o = zeta for positions that count from zeta, -zeta for places that do. */
static struct reader reader_of(const struct sketched_job *j, struct worker *w)
{
    struct zeta zeta;
    double sign;
    struct reader r = { .sketch = j->sketch, .worker = w, .law = j->law, .only_value = j->job->only_value };
    r.mirror = j->law.beta < 0.0 ? -1.0 : 1.0;
    r.over_gamma = 1.0 / j->law.gamma;
    r.log_gamma = log(j->law.gamma);
    if (!j->sketch) return r;
    sign = (j->law.pm == 1) - j->sketch->at_zeta;
    if (sign == 0.0) return r;
    zeta = zeta_of(j->law.alpha, fabs(j->law.beta));
    r.offset = sign * zeta.value;
    r.offset_alpha = sign * zeta.alpha;
    r.offset_beta = sign * zeta.beta;
    return r;
}

/* z = (x - delta)/gamma, and y. */
static void place(const struct reader *r, const double *x, int count, struct batch *b)
{
    for (int k = 0; k < count; k++) b->z[k] = (x[k] - r->law.delta) * r->over_gamma;
    for (int k = 0; k < count; k++) b->y[k] = r->mirror * b->z[k] + r->offset;
}

/* sqrt(x), to an ulp or two, where a compiler would leave the loop for the sake of errno: Newton's
 * method for 1/sqrt(x), from half the exponent. */
LANE double root_normal(double x)
{
    double half = 0.5 * x, r = double_from_bits(0x5FE6EB50C7B537A9ul - (bits_of_double(x) >> 1));
    r *= 1.5 - half * r * r;
    r *= 1.5 - half * r * r;
    r *= 1.5 - half * r * r;
    r *= 1.5 - half * r * r;
    return x * r;
}

/* u = asinh(|y|/s), root = sqrt(y^2 + s^2) */
WIDE void stretch(struct batch *b, double s)
{
    double over_s = 1.0 / s;
    for (int k = 0; k < BATCH; k++) {
        double a = fabs(b->y[k]) * over_s, r = root_normal(a * a + 1.0);
        b->u[k] = log_normal(a + r);
        b->root[k] = s * r;
    }
}

/* Have some elements no piece? */
static int find_pieces(const struct sketch *s, struct batch *b, int count)
{
    int missing = 0;
    for (int k = 0; k < count; k++) {
        double u = fabs(b->y[k]) < 1e100 ? copysign(b->u[k], b->y[k]) : NOWHERE;
        b->piece[k] = sketch_find(s, u, &b->t[k]);
        missing |= !b->piece[k];
    }
    return missing;
}

WIDE void read_off(struct batch *b, int polynomials, int count)
{
    for (int p = 0; p < polynomials; p++)
        for (int k = 0; k < count; k++) b->value[p][k] = b->piece[k] ? sketch_value(b->piece[k]->c[p], b->t[k]) : 0.0;
}

static void set_values(const struct reader *r, struct batch *b)
{
    for (int k = 0; k < BATCH; k++) b->row[0][k] = b->value[SKETCH_VALUE][k] - r->log_gamma;
}

WIDE void set_scores(const struct reader *r, struct batch *b)
{
    const struct reader at = *r;
    double log_s_alpha = at.sketch->log_s_alpha, log_s_beta = at.sketch->log_s_beta;
    for (int k = 0; k < BATCH; k++) {
        double y = b->y[k], in_y = b->value[SKETCH_U][k] / b->root[k], in_z = at.mirror * in_y;
        b->row[1][k] = b->value[SKETCH_ALPHA][k] + (at.offset_alpha - y * log_s_alpha) * in_y;
        b->row[2][k] = at.mirror * (b->value[SKETCH_BETA][k] + (at.offset_beta - y * log_s_beta) * in_y);
        b->row[3][k] = -(1.0 + b->z[k] * in_z) * at.over_gamma;
        b->row[4][k] = -in_z * at.over_gamma;
    }
}

/* Element k by the exact path. */
static int exactly(const struct reader *r, double x, int k, struct batch *b)
{
    double score[SCORE_COLUMNS] = { 0.0 };
    struct point_values v;
    int nans = point_eval(r->worker, &r->law, x, WANT_PDF, 1, 0, &v);
    if (!r->only_value) nans |= point_score(r->worker, &r->law, x, score, 1);
    b->row[0][k] = v.pdf;
    for (int c = 1; c < QUICK_COLUMNS; c++) b->row[c][k] = score[c - 1];
    return nans;
}

/* The rows of up to BATCH elements. */
static int read_batch(const struct reader *r, const double *x, int count, struct batch *b)
{
    int nans = 0, missing = 1;
    if (r->sketch) {
        place(r, x, count, b);
        stretch(b, r->sketch->s);
        missing = find_pieces(r->sketch, b, count);
        read_off(b, r->only_value ? 1 : SKETCH_POLYNOMIALS, count);
        set_values(r, b);
        if (!r->only_value) set_scores(r, b);
    }
    for (int k = 0; missing && k < count; k++)
        if (!r->sketch || !b->piece[k]) nans |= exactly(r, x[k], k, b);
    return nans;
}

/* Each row by its weight; a score that is not known counts as 0. */
WIDE void weigh(struct batch *b)
{
    const double *restrict weight = b->weight;
    for (int k = 0; k < BATCH; k++)
        b->weighted[0][k] = pick(0u - (uint64)(weight[k] == 0.0), 0.0, weight[k] * b->row[0][k]);
    for (int c = 1; c < QUICK_COLUMNS; c++) {
        double *restrict row = b->row[c], *restrict weighted = b->weighted[c];
        for (int k = 0; k < BATCH; k++) row[k] = fabs(row[k]) <= DBL_MAX ? row[k] : 0.0;
        for (int k = 0; k < BATCH; k++) weighted[k] = weight[k] * row[k];
    }
}

/* In LANES partial sums: the same order, however wide the machine. */
WIDE double product(const double *a, const double *b)
{
    double lane[LANES] = { 0.0 };
    for (int i = 0; i < BATCH; i += LANES)
        for (int k = 0; k < LANES; k++) lane[k] += a[i + k] * b[i + k];
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

WIDE double total(const double *a)
{
    double lane[LANES] = { 0.0 };
    for (int i = 0; i < BATCH; i += LANES)
        for (int k = 0; k < LANES; k++) lane[k] += a[i + k];
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/* Adds a batch of `count` elements to the sums. */
static void add_up(const struct reader *r, struct batch *b, int count, double *sum)
{
    for (int k = count; k < BATCH; k++) b->weight[k] = 0.0;
    weigh(b);
    *sum++ += total(b->weighted[0]);
    if (r->only_value) return;
    for (int c = 1; c < QUICK_COLUMNS; c++) *sum++ += total(b->weighted[c]);
    for (int c = 1; c < QUICK_COLUMNS; c++)
        for (int d = 1; d <= c; d++) *sum++ += product(b->weighted[c], b->row[d]);
}

static void set_weights(struct column weight, struct cursor *next, int count, double *w)
{
    double room[BATCH];
    const double *from = weight.length ? take_run(next, (size_t)count, room) : NULL;
    for (int k = 0; k < count; k++) w[k] = from ? from[k] : 1.0;
}

/* Block number k, batch by batch. */
static int one_block(const struct reader *r, const struct quick_job *job, size_t k, struct batch *b)
{
    double room[BATCH], *sum = job->sum ? job->sum + k * QUICK_SUMS : NULL;
    size_t first = k * TOTAL_BLOCK, count = block_length(k, job->n);
    struct cursor x = cursor_at(job->x, first), w = job->weight.length ? cursor_at(job->weight, first) : x;
    int nans = 0;

    if (sum) memset(sum, 0, QUICK_SUMS * sizeof *sum);
    for (size_t i = 0; i < count; i += BATCH) {
        int some = count - i < BATCH ? (int)(count - i) : BATCH;
        nans |= read_batch(r, take_run(&x, (size_t)some, room), some, b);
        for (int c = 0; job->row && c < QUICK_COLUMNS; c++)
            memcpy(job->row + (size_t)c * job->n + first + i, b->row[c], (size_t)some * sizeof *job->row);
        if (!sum) continue;
        set_weights(job->weight, &w, some, b->weight);
        add_up(r, b, some, sum);
    }
    return nans;
}

int quick_range(const void *p, struct worker *w, size_t from, size_t to)
{
    const struct sketched_job *j = p;
    struct reader r = reader_of(j, w);
    struct batch b;
    int nans = 0;

    memset(&b, 0, sizeof b);
    for (size_t k = from; k < to; k++) nans |= one_block(&r, j->job, k, &b);
    return nans;
}
