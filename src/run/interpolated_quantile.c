#include "cursor.h"
#include "interpolated_quantile.h"
#include "../stable/quantile_search.h"
#include "../interpolant/quantile_interpolant.h"

/* Elements processed together, so that polynomials are vectorised. */
#define BATCH 256

struct batch {
    double t[BATCH];                    /* coordinate on the piece */
    const double *piece[BATCH];         /* NULL: none */
    double y[BATCH];                    /* x - centre */
};

/* Computes the smaller tail probability of p; returns whether it is the lower one. */
static int smaller_tail(const struct quantile_job *job, double p, double *q)
{
    int whole = job->log_p ? p > LOG_HALF : p > 0.5;
    if (job->log_p) *q = whole ? -expm1(p) : exp(p);
    else *q = whole ? 1.0 - p : p;
    return whole ? !job->lower : job->lower;
}

/* Finds the pieces of `count` elements; returns whether any element has none. */
static int find_pieces(const struct quantile_job *job, const struct quantile_interpolant *inv, const double *p,
                       int count,
                       struct batch *b)
{
    int missing = 0;
    for (int k = 0; k < count; k++) {
        double q;
        const struct interpolant_side *side = &inv->side[!smaller_tail(job, p[k], &q)];
        int i = interpolant_find(side, q, &b->t[k]);
        b->piece[k] = i < 0 ? NULL : side->pdf + (size_t)i * INTERPOLANT_TERMS;
        if (b->piece[k] && isnan(*b->piece[k])) b->piece[k] = NULL;
        missing |= !b->piece[k];
    }
    return missing;
}

WIDE void read_off(struct batch *b, int count)
{
    for (int k = 0; k < count; k++) b->y[k] = b->piece[k] ? interpolant_value(b->piece[k], b->t[k]) : 0.0;
}

/* Converts x - centre to quantiles of the user's law. */
static void write_batch(const struct quantile_job *job, const struct user_law *law, const struct frame *f,
                        struct double_double centre, const struct batch *b, size_t from, int count)
{
    int plain = f->gamma == 1.0 && law->delta == 0.0 && f->shift == 0.0 && centre.hi == 0.0;
    for (int k = 0; k < count; k++) {
        struct double_double x = { b->y[k], 0.0 };
        if (plain) {
            job->q[from + (size_t)k] = x.hi;
            continue;
        }
        x = two_add(x, centre);
        struct abscissa z = { x.hi, x.lo, f->shifted };
        user_quantile(law, f, z, &job->q[from + (size_t)k]);
    }
}

int interpolated_quantile_range(const void *interpolated_job, struct worker *worker, size_t from, size_t to)
{
    const struct interpolated_job *c = interpolated_job;
    const struct quantile_job *job = c->job;
    const struct user_law *law = &c->law;
    struct frame f = user_frame(law, 0.0);
    struct cursor next = cursor_at(job->p, from);
    struct batch b;
    double room[BATCH];
    int nans = 0;

    for (size_t i = from; i < to; i += BATCH) {
        int count = to - i < BATCH ? (int)(to - i) : BATCH;
        const double *p = take_run(&next, (size_t)count, room);
        int missing = find_pieces(job, c->interpolant->quantile_interpolant, p, count, &b);
        read_off(&b, count);
        write_batch(job, law, &f, c->interpolant->centre[f.shifted], &b, i, count);
        for (int k = 0; missing && k < count; k++)
            if (!b.piece[k]) nans |= point_quantile(worker, law, p[k], job->lower, job->log_p, &job->q[i + (size_t)k]);
    }
    return nans;
}
