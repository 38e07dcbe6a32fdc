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

struct batch {
    double y[BATCH], u[BATCH], t[BATCH];
    const struct sketch_piece *piece[BATCH];
    double value[SKETCH_POLYNOMIALS][BATCH];
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

static void place(const struct reader *r, const double *x, int count, double *y)
{
    for (int k = 0; k < count; k++) y[k] = r->mirror * ((x[k] - r->law.delta) * r->over_gamma) + r->offset;
}

/* asinh(|y|/s) */
WIDE void stretch(const double *y, double over_s, double *u)
{
    for (int k = 0; k < BATCH; k++) {
        double a = fabs(y[k]) * over_s;
        u[k] = log_normal(a + sqrt(a * a + 1.0));
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

WIDE void read_off(struct batch *b, int count)
{
    for (int p = 0; p < SKETCH_POLYNOMIALS; p++)
        for (int k = 0; k < count; k++) b->value[p][k] = b->piece[k] ? sketch_value(b->piece[k]->c[p], b->t[k]) : 0.0;
}

/* The columns of quick_job, `stride` apart. */
WIDE void write_rows(const struct reader *r, const double *x, const struct batch *b, int count, double *row,
                     size_t stride)
{
    const struct sketch *map = r->sketch;
    for (int k = 0; k < count; k++) {
        double y = b->y[k], position = (x[k] - r->law.delta) * r->over_gamma;
        double in_z = b->value[SKETCH_U][k] / sqrt(y * y + map->s * map->s);
        double alpha = b->value[SKETCH_ALPHA][k] + (r->offset_alpha - y * map->log_s_alpha) * in_z;
        double beta = b->value[SKETCH_BETA][k] + (r->offset_beta - y * map->log_s_beta) * in_z;
        in_z *= r->mirror;
        row[k] = b->value[SKETCH_VALUE][k] - r->log_gamma;
        row[stride + k] = alpha;
        row[2 * stride + k] = r->mirror * beta;
        row[3 * stride + k] = -(1.0 + position * in_z) * r->over_gamma;
        row[4 * stride + k] = -in_z * r->over_gamma;
    }
}

/* One element by the exact path. */
static int exactly(const struct reader *r, double x, double *row, size_t stride)
{
    double score[SCORE_COLUMNS] = { 0.0 };
    struct point_values v;
    int nans = point_eval(r->worker, &r->law, x, WANT_PDF, 1, 0, &v);
    if (!r->only_value) nans |= point_score(r->worker, &r->law, x, score, 1);
    row[0] = v.pdf;
    for (int k = 0; k < QUICK_COLUMNS - 1; k++) row[(size_t)(k + 1) * stride] = score[k];
    return nans;
}

/* Up to BATCH elements. */
static int read_batch(const struct reader *r, const double *x, int count, struct batch *b, double *row, size_t stride)
{
    int nans = 0, missing = 1;
    if (r->sketch) {
        place(r, x, count, b->y);
        stretch(b->y, 1.0 / r->sketch->s, b->u);
        missing = find_pieces(r->sketch, b, count);
        read_off(b, count);
        write_rows(r, x, b, count, row, stride);
    }
    for (int k = 0; missing && k < count; k++)
        if (!r->sketch || !b->piece[k]) nans |= exactly(r, x[k], row + k, stride);
    return nans;
}

/* Sums over the rows of a block: a score that is not known counts as 0. */
static void add_up(const double *row, const double *weight, size_t count, double *sum)
{
    memset(sum, 0, QUICK_SUMS * sizeof *sum);
    for (size_t i = 0; i < count; i++) {
        double w = weight ? weight[i] : 1.0, v[QUICK_COLUMNS], *s = sum;
        if (w == 0.0) continue;
        for (int k = 0; k < QUICK_COLUMNS; k++) v[k] = row[(size_t)k * TOTAL_BLOCK + i];
        *s++ += w * v[0];
        for (int k = 1; k < QUICK_COLUMNS; k++) {
            if (!isfinite(v[k])) v[k] = 0.0;
            *s++ += w * v[k];
        }
        for (int k = 1; k < QUICK_COLUMNS; k++)
            for (int j = 1; j <= k; j++) *s++ += w * v[k] * v[j];
    }
}

/* Block number k, by way of rows of its own. */
static int one_block(const struct reader *r, const struct quick_job *job, size_t k, struct batch *b)
{
    double row[QUICK_COLUMNS * TOTAL_BLOCK], room[BATCH], weight[TOTAL_BLOCK];
    size_t first = k * TOTAL_BLOCK, count = block_length(k, job->n);
    struct cursor x = cursor_at(job->x, first);
    int nans = 0;

    for (size_t i = 0; i < count; i += BATCH) {
        int some = count - i < BATCH ? (int)(count - i) : BATCH;
        nans |= read_batch(r, take_run(&x, (size_t)some, room), some, b, row + i, TOTAL_BLOCK);
    }
    for (int c = 0; job->row && c < QUICK_COLUMNS; c++)
        memcpy(job->row + (size_t)c * job->n + first, row + c * TOTAL_BLOCK, count * sizeof *row);
    if (!job->sum) return nans;
    struct cursor w = job->weight.length ? cursor_at(job->weight, first) : x;
    add_up(row, job->weight.length ? take_run(&w, count, weight) : NULL, count, job->sum + k * QUICK_SUMS);
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
