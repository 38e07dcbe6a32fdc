/* Computes densities, probabilities and quantiles of one law from its interpolant. */
#include <string.h>
#include "element.h"
#include "columns.h"
#include "../stable/quantile_search.h"

struct evaluator {
    const struct element_job *job;
    const struct interpolant *interpolant;
    struct worker *worker;
    struct user_law law;
    struct frame frame;
    double inv_gamma;
    int is_standard;                    /* x itself is the standardised argument */
    int what;
};

static struct argument argument_of(const struct evaluator *r, double x, double *log_excess)
{
    struct argument z = { x, 0.0, r->frame.shifted };
    *log_excess = 0.0;
    if (r->is_standard) return z;
    z = argument_for(x, r->law.delta, r->frame.gamma, log_excess);
    z.shifted = r->frame.shifted;
    return r->frame.shift != 0.0 ? argument_shift(z, r->frame.shift) : z;
}

/* Evaluates element i exactly. */
static int evaluate_exactly(const struct evaluator *r, double x, size_t i)
{
    struct point_values y;
    int nans = point_eval(r->worker, &r->law, x, r->what, r->job->give_log, 0, &y);
    outputs_write(r->job, i, &y);
    return nans;
}

/* Elements processed together, so that exponentials are vectorised. */
#define BATCH 256

struct batch {
    double t[BATCH];                    /* coordinate on the piece */
    int piece[BATCH];                   /* -1: outside the interpolant */
    int left[BATCH];
    double log_pdf[BATCH], log_tail[BATCH], tail[BATCH];
    unsigned char upper[BATCH];
};

/* Computes x - centre for a whole batch whose standardised argument is x. */
WIDE void standard_distances(const double *restrict x, struct double_double centre, double *restrict buffer)
{
    for (int k = 0; k < BATCH; k++) {
        struct double_double at = { x[k], 0.0 };
        buffer[k] = dd_add(at, dd_neg(centre)).hi;
    }
}

/* Returns x - centre of `count` elements, in `buffer` unless it equals x; NaN if the standardised argument
 * exceeds the range of a double. */
static const double *distances(const struct evaluator *r, const double *x, int count, double *buffer)
{
    double log_excess;
    struct double_double centre = r->interpolant->centre[r->frame.shifted];
    if (r->is_standard && centre.hi == 0.0) return x;
    if (r->is_standard && count == BATCH) {
        standard_distances(x, centre, buffer);
        return buffer;
    }
    for (int k = 0; k < count; k++) {
        buffer[k] = interpolant_distance(r->interpolant, argument_of(r, x[k], &log_excess));
        if (log_excess > 0.0) buffer[k] = NAN;
    }
    return buffer;
}

static struct evaluator evaluator_of(const struct evaluation *e, struct worker *worker)
{
    struct evaluator r = { e->job, e->interpolant, worker, e->law, user_frame(&e->law, 0.0), 1.0, 0,
                        outputs_wanted(e->job) };
    r.inv_gamma = 1.0 / r.frame.gamma;
    r.is_standard = r.frame.gamma == 1.0 && r.law.delta == 0.0 && r.frame.shift == 0.0;
    return r;
}

/* Finds the pieces of `count` elements; returns whether any element has none. */
static int find_pieces(const struct evaluator *r, const double *x, int count, struct batch *b)
{
    double buffer[BATCH];
    const double *y = distances(r, x, count, buffer);
    int missing = 0;
    for (int k = 0; k < count; k++) {
        b->left[k] = y[k] < 0.0;
        b->piece[k] = interpolant_find(&r->interpolant->side[b->left[k]], r->interpolant->s + fabs(y[k]), &b->t[k]);
        missing |= b->piece[k] < 0;
    }
    return missing;
}

/* Evaluates the polynomials of `count` elements; 0 where no piece was found. */
WIDE void evaluate_polynomials(const double *const *side, const struct batch *b, int count, double *y)
{
    for (int k = 0; k < count; k++) {
        if (b->piece[k] < 0) y[k] = 0.0;
        else y[k] = interpolant_value(side[b->left[k]] + (size_t)b->piece[k] * INTERPOLANT_TERMS, b->t[k]);
    }
}

/* y = scale exp(x) for values x of an interpolant. */
WIDE void exp_all(const double *x, double scale, double *y)
{
    for (int k = 0; k < BATCH; k++) y[k] = scale * exp_minus(-x[k]);
}

/* Evaluates the polynomials that the job requires. */
static void evaluate_batch(const struct evaluator *r, int count, struct batch *b)
{
    const struct interpolant_side *side = r->interpolant->side;
    const double *const pdf[2] = { side[0].pdf, side[1].pdf }, *const tail[2] = { side[0].tail, side[1].tail };
    if (r->what & WANT_PDF) evaluate_polynomials(pdf, b, count, b->log_pdf);
    if (!(r->what & (WANT_CDF | WANT_SF))) return;
    evaluate_polynomials(tail, b, count, b->log_tail);
    for (int k = 0; k < count; k++) b->upper[k] = b->piece[k] >= 0 && side[b->left[k]].upper[b->piece[k]];
}

/* Computes P(X <= x) if lower, else P(X > x), from the tail in the batch and its log. */
static void probabilities(const struct batch *b, int lower, int give_log, int count, double *y)
{
    if (give_log)
        for (int k = 0; k < count; k++) y[k] = lower != b->upper[k] ? b->log_tail[k] : log1p(-b->tail[k]);
    else
        for (int k = 0; k < count; k++) y[k] = lower != b->upper[k] ? b->tail[k] : 1.0 - b->tail[k];
}

static void write_batch(const struct evaluator *r, struct batch *b, size_t from, int count)
{
    const struct element_job *job = r->job;
    double pdf[BATCH], *const *out = job->out;

    if (out[OUT_PDF] && job->give_log)
        for (int k = 0; k < count; k++) out[OUT_PDF][from + (size_t)k] = b->log_pdf[k] - r->frame.log_gamma;
    if (out[OUT_PDF] && !job->give_log) {
        exp_all(b->log_pdf, r->inv_gamma, count < BATCH ? pdf : out[OUT_PDF] + from);
        if (count < BATCH) memcpy(out[OUT_PDF] + from, pdf, (size_t)count * sizeof *pdf);
    }
    if (out[OUT_CDF] || out[OUT_SF]) exp_all(b->log_tail, 1.0, b->tail);
    if (out[OUT_CDF]) probabilities(b, 1, job->give_log, count, out[OUT_CDF] + from);
    if (out[OUT_SF])  probabilities(b, 0, job->give_log, count, out[OUT_SF] + from);
}

int interpolated_values(const struct evaluation *e, struct worker *worker, size_t from, size_t to)
{
    const struct element_job *job = e->job;
    struct evaluator r = evaluator_of(e, worker);
    struct cursor next = cursor_at(job->x, from);
    struct batch b;
    double buffer[BATCH];
    int nans = 0;

    memset(&b, 0, sizeof b);
    for (size_t i = from; i < to; i += BATCH) {
        int count = to - i < BATCH ? (int)(to - i) : BATCH;
        const double *x = cursor_next_run(&next, (size_t)count, buffer);
        int missing = find_pieces(&r, x, count, &b);
        evaluate_batch(&r, count, &b);
        write_batch(&r, &b, i, count);
        for (int k = 0; missing && k < count; k++)
            if (b.piece[k] < 0) nans |= evaluate_exactly(&r, x[k], i + (size_t)k);
    }
    return nans;
}

/* --- quantiles ----------------------------------------------------------------------------- */

struct quantile_batch {
    double t[BATCH];                    /* coordinate on the piece */
    const double *piece[BATCH];         /* NULL: none */
    int number[BATCH], is_upper[BATCH];  /* number of the piece on its side; whether that is the upper tail */
    double y[BATCH];                    /* x - centre */
};

/* Finds the pieces of `count` elements; returns whether any element has none. */
static int find_quantile_pieces(const struct element_job *job, const struct quantile_interpolant *inv, const double *p,
                                int count, struct quantile_batch *b)
{
    int missing = 0;
    for (int k = 0; k < count; k++) {
        double q;
        b->is_upper[k] = !interpolant_tail(p[k], job->lower, job->give_log, &q);
        const struct interpolant_side *side = &inv->side[b->is_upper[k]];
        int i = b->number[k] = interpolant_find(side, q, &b->t[k]);
        b->piece[k] = i < 0 ? NULL : side->pdf + (size_t)i * INTERPOLANT_TERMS;
        if (b->piece[k] && isnan(*b->piece[k])) b->piece[k] = NULL;
        missing |= !b->piece[k];
    }
    return missing;
}

WIDE void evaluate_quantiles(struct quantile_batch *b, int count)
{
    for (int k = 0; k < count; k++) b->y[k] = b->piece[k] ? interpolant_value(b->piece[k], b->t[k]) : 0.0;
}

/* Converts x - centre to quantiles of the user's law. */
static void write_quantiles(const struct element_job *job, const struct user_law *law, const struct frame *f,
                            struct double_double centre, const struct quantile_batch *b, size_t from, int count)
{
    int is_standard = f->gamma == 1.0 && law->delta == 0.0 && f->shift == 0.0 && centre.hi == 0.0;
    for (int k = 0; k < count; k++) {
        struct double_double x = { b->y[k], 0.0 };
        if (is_standard) {
            job->out[0][from + (size_t)k] = x.hi;
            continue;
        }
        x = dd_add(x, centre);
        struct argument z = { x.hi, x.lo, f->shifted };
        user_quantile(law, f, z, &job->out[0][from + (size_t)k]);
    }
}

int interpolated_quantiles(const struct evaluation *e, struct worker *worker, size_t from, size_t to)
{
    const struct element_job *job = e->job;
    const struct user_law *law = &e->law;
    struct frame f = user_frame(law, 0.0);
    struct cursor next = cursor_at(job->x, from);
    struct quantile_batch b;
    double buffer[BATCH];
    int nans = 0;

    for (size_t i = from; i < to; i += BATCH) {
        int count = to - i < BATCH ? (int)(to - i) : BATCH;
        const double *p = cursor_next_run(&next, (size_t)count, buffer);
        int missing = find_quantile_pieces(job, e->interpolant->quantile_interpolant, p, count, &b);
        evaluate_quantiles(&b, count);
        write_quantiles(job, law, &f, e->interpolant->centre[f.shifted], &b, i, count);
        for (int k = 0; missing && k < count; k++)
            if (!b.piece[k])
                nans |= point_quantile(worker, law, p[k], job->lower, job->give_log, 0, &job->out[0][i + (size_t)k]);
    }
    return nans;
}

/* --- in single precision on a device (interpolant/encoding.h) ------------------------------- */

void encode_range(const struct evaluation *e, const struct encoding *code, size_t from, size_t to, uint32 *word)
{
    struct evaluator r = evaluator_of(e, NULL);
    struct cursor next = cursor_at(e->job->x, from);
    union { struct quantile_batch quantiles; struct batch values; } of;
    struct quantile_batch *q = &of.quantiles;
    struct batch *b = &of.values;
    double buffer[BATCH];

    for (size_t i = from; i < to; i += BATCH, word += BATCH) {
        int count = to - i < BATCH ? (int)(to - i) : BATCH;
        const double *x = cursor_next_run(&next, (size_t)count, buffer);
        if (e->job->quantity == JOB_QUANTILES) {
            find_quantile_pieces(e->job, e->interpolant->quantile_interpolant, x, count, q);
            for (int k = 0; k < count; k++)
                word[k] = encoded_word(code, q->is_upper[k], q->piece[k] ? q->number[k] : -1, q->t[k]);
        } else {
            find_pieces(&r, x, count, b);
            for (int k = 0; k < count; k++) word[k] = encoded_word(code, b->left[k], b->piece[k], b->t[k]);
        }
    }
}

/* Returns the density or the probability whose piece is given, from r or exp(r). */
static double decoded_value(const struct evaluator *r, const struct encoding *code, int piece, double value)
{
    const struct element_job *job = r->job;
    double y = job->give_log ? code->origin[piece] + value : code->scale[piece] * value;

    if (job->out[OUT_PDF]) return job->give_log ? y - r->frame.log_gamma : y * r->inv_gamma;
    if ((job->out[OUT_CDF] != NULL) != code->upper[piece]) return y;
    return job->give_log ? log1p(-exp(y)) : 1.0 - y;
}

size_t decode_range(const struct evaluation *e, const struct encoding *code, size_t from, size_t to,
                    const uint32 *word, const float *value, double *y)
{
    struct evaluator r = evaluator_of(e, NULL);
    struct quantile_batch q;
    size_t outside = 0;

    for (size_t i = from; i < to; i += BATCH, word += BATCH, value += BATCH) {
        int count = to - i < BATCH ? (int)(to - i) : BATCH, is_quantile = e->job->quantity == JOB_QUANTILES;
        for (int k = 0; k < count; k++) {
            int piece = encoded_piece(code, word[k]);
            outside += piece < 0;
            if (is_quantile) q.y[k] = piece < 0 ? 0.0 : code->origin[piece] + (double)value[k];
            else y[i + (size_t)k] = piece < 0 ? 0.0 : decoded_value(&r, code, piece, (double)value[k]);
        }
        if (!is_quantile) continue;
        write_quantiles(e->job, &r.law, &r.frame, e->interpolant->centre[r.frame.shifted], &q, i, count);
    }
    return outside;
}
