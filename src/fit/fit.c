#include <math.h>
#include <string.h>
#include "fit.h"
#include "../base/memory.h"

#define HUGE_SAMPLE    4194304          /* observations from which sorting takes longer than a search */
#define PART_OF_HUGE   65536            /* observations of such a sample that are sorted, at least */
#define MIN_ORDINARY   0.8              /* range of alpha of an ordinary law */
#define MAX_ORDINARY   1.9

#define KEPT 16384                      /* observations for which workspace is kept between calls */

int fitter_begin(struct fitter *f, struct status *st)
{
    f->workspace = NULL;
    f->length = 0;
    return evaluator_begin(&f->evaluator, st);
}

void fitter_end(struct fitter *f)
{
    evaluator_end(&f->evaluator);
    memory_release(f->workspace);
    f->workspace = NULL;
}

void fitter_attach(struct fitter *f, struct stop_flag *stop)
{
    f->evaluator.stop = stop;
    f->evaluator.shared = SHARED;
}

void fitter_release(struct fitter *f)
{
    evaluator_release(&f->evaluator, KEPT);
    if (f->length <= KEPT) return;
    memory_release(f->workspace);
    f->workspace = NULL;
    f->length = 0;
}

/* Allocates memory for four columns: the sample, its weights, and workspace of the same size for sorting. */
static int reserve_workspace(struct fitter *f, size_t n, struct status *st)
{
    if (n <= f->length) return ST_OK;
    double *workspace = memory_resize(f->workspace, 4 * n * sizeof *workspace);
    if (!workspace) return fail(st, ST_MEMORY, "no memory for a sample of %.0f values", (double)n);
    f->workspace = workspace;
    f->length = n;
    return ST_OK;
}

/* Copies the data to z and their weights to the fitter's workspace, and sorts them. */
static void set_sample(struct fitter *f, const struct fit_data *d, double *z, struct sample *s)
{
    memset(s, 0, sizeof *s);
    s->n = d->n;
    s->total = (double)d->n;
    s->z = z;
    memcpy(s->z, d->x, d->n * sizeof *s->z);
    if (d->weight) {
        s->weight = f->workspace + d->n;
        memcpy(s->weight, d->weight, d->n * sizeof *s->weight);
        s->total = 0.0;
        for (size_t i = 0; i < d->n; i++) s->total += d->weight[i];
    }
    sort_numbers(d->n, s->z, s->weight, f->workspace + 2 * d->n, f->workspace + 3 * d->n);
}

static struct problem problem_of(const struct fit_preference *w, const struct sample *s)
{
    struct problem p = { .tables = w->tables, .alpha_min = w->alpha_min, .tolerance = w->tolerance,
                         .max_steps = w->max_steps, .wants_covariance = w->wants_covariance };
    memcpy(p.is_fixed, w->is_fixed, sizeof p.is_fixed);
    memcpy(p.fixed, w->fixed, sizeof p.fixed);
    sample_to_canonical(s, p.fixed);
    return p;
}

static void to_user_units(const struct sample *s, struct fit_result *r)
{
    sample_from_canonical(s, r->estimate.theta);
    sample_covariance(s, r->estimate.cov);
    r->estimate.loglik -= s->total * log(s->scale);
}

/* Sets the estimation problem and the law to start from. */
static void set_problem(const struct fit_data *d, const struct fit_preference *w, struct prepared_fit *c,
                        struct fit_result *r)
{
    const struct sample *s = &c->sample;
    c->problem = problem_of(w, s);
    c->far.is_known = 0;
    c->far.small_alphas = -1;
    start_estimate(&c->problem, s->quantile, s->mode, r->approximate);
    memcpy(c->from, d->start ? d->start : r->approximate, sizeof c->from);
    if (d->start) sample_to_canonical(s, c->from);
    sample_from_canonical(s, r->approximate);
}

/* Replaces the sample by that standardised by the quantile estimate, for the estimators that require it. */
static void standardise_again(struct fitter *f, const struct fit_data *d, const struct fit_preference *w,
                              struct prepared_fit *c, const struct fit_result *r)
{
    struct sample *s = &c->sample;
    sample_standardise_by(s, d->x, r->approximate, r->approximate[ALPHA] < NARROW_ALPHA, f->workspace + 2 * d->n);
    c->problem = problem_of(w, s);
    memcpy(c->from, d->start ? d->start : r->approximate, sizeof c->from);
    sample_to_canonical(s, c->from);
}

/* Computes the estimate of a prepared data set, in canonical units. */
static int estimate(struct evaluator *e, struct prepared_fit *c, const struct fit_preference *w, struct fit_result *r,
                    struct status *st)
{
    switch (w->estimator) {
    case BY_QUANTILES:   return quantiles_fit(e, &c->problem, &r->estimate, st);
    case BY_GRID:        return grid_fit(e, &c->problem, c->from, 4, &r->estimate, st);
    case BY_GRID_OF_SHAPES: return grid_fit(e, &c->problem, c->from, 2, &r->estimate, st);
    case BY_ECF:         return ecf_fit(e, &c->problem, c->from, &r->estimate, st);
    case BY_LOG_MOMENTS: return logmoments_fit(e, &c->problem, &r->estimate, &r->omitted, st);
    default:             return likelihood_fit(e, &c->problem, c->from, &c->far, &r->estimate, st);
    }
}

/* TRUE for the estimators that maximise the likelihood. */
static int is_likelihood(enum estimator by)
{
    return by == BY_LIKELIHOOD || by == BY_GRID || by == BY_GRID_OF_SHAPES;
}

int fit_finish(struct evaluator *e, struct prepared_fit *c, const struct fit_preference *w, struct fit_result *r,
               struct status *st)
{
    const struct sample *s = &c->sample;

    evaluator_set(e, s);
    if (estimate(e, c, w, r, st)) return st->code;
    if (r->estimate.loglik == -INFINITY && is_likelihood(w->estimator)) r->trouble = FIT_OFF_SUPPORT;
    if (r->estimate.end == END_NO_SOLUTION) r->trouble = FIT_NO_SOLUTION;
    to_user_units(s, r);
    return ST_OK;
}

/* --- samples too large to be sorted ------------------------------------------ */

/* Sets the sample to a sorted subsample of equally spaced elements of the data. */
static int set_subsample(struct fitter *f, const struct fit_data *d, struct sample *s, struct status *st)
{
    size_t apart = d->n / PART_OF_HUGE, count = d->n / apart;

    memset(s, 0, sizeof *s);
    if (reserve_workspace(f, count, st)) return st->code;
    s->n = count;
    s->total = (double)count;
    s->z = f->workspace;
    for (size_t i = 0; i < count; i++) s->z[i] = d->x[i * apart + apart / 2];
    sort_numbers(count, s->z, NULL, f->workspace + count, NULL);
    return ST_OK;
}

/* TRUE if the data are too many to be sorted and their law is an ordinary one, with a wide mode and far from bounds.
 * Then `whole` is the sample of all data, with the centre and scale of a subsample. */
static int is_ordinary(struct fitter *f, const struct fit_data *d, const struct fit_preference *w, struct sample *whole,
                       struct status *st)
{
    struct tie unused;
    struct problem p;
    double approximate[PARAMETERS];

    if (w->estimator != BY_LIKELIHOOD || d->weight || d->n < HUGE_SAMPLE || set_subsample(f, d, whole, st)) return 0;
    if (sample_is_tied(whole, &unused)) return 0;
    start_canonical(whole, w->tables, w->alpha_min);
    p = problem_of(w, whole);
    start_estimate(&p, whole->quantile, whole->mode, approximate);
    whole->part = whole->z;
    whole->parts = whole->n;
    whole->n = d->n;
    whole->total = (double)d->n;
    whole->z = NULL;
    whole->x = d->x;
    whole->data = d->data;
    return !p.is_fixed[ALPHA] && approximate[ALPHA] > MIN_ORDINARY && approximate[ALPHA] < MAX_ORDINARY
        && fabs(approximate[BETA]) < 1.0;
}

int fit_prepare(struct fitter *f, const struct fit_data *d, const struct fit_preference *w, double *z,
                struct prepared_fit *c,
                struct fit_result *r, struct status *st)
{
    struct sample *s = &c->sample;

    memset(r, 0, sizeof *r);
    if (!is_ordinary(f, d, w, s, st)) {
        if (st->code || reserve_workspace(f, d->n, st)) return st->code;
        set_sample(f, d, z ? z : f->workspace, s);
        if (sample_is_tied(s, &r->tie)) {
            r->trouble = FIT_TIED;
            return ST_OK;
        }
        s->tied_alpha = r->tie.alpha;
        start_canonical(s, w->tables, w->alpha_min);
    }
    set_problem(d, w, c, r);
    if (w->estimator == BY_ECF || w->estimator == BY_LOG_MOMENTS) standardise_again(f, d, w, c, r);
    return ST_OK;
}

int fit_prepare_streamed(struct fitter *f, const struct streamed_data *d, const struct fit_preference *w,
                         struct prepared_fit *c, struct fit_result *r, struct status *st)
{
    struct sample *s = &c->sample;

    memset(r, 0, sizeof *r);
    if (reserve_workspace(f, d->part.n, st)) return st->code;
    set_sample(f, &d->part, f->workspace, s);
    if (sample_is_tied(s, &r->tie)) {
        r->trouble = FIT_TIED;
        return ST_OK;
    }
    s->tied_alpha = r->tie.alpha;
    start_canonical(s, w->tables, w->alpha_min);
    set_problem(&d->part, w, c, r);
    s->z = NULL;
    s->n = (size_t)d->n;
    s->total = d->n;
    s->mean = s->side * (d->mean - s->centre) / s->scale;
    s->variance = d->variance / (s->scale * s->scale);
    return ST_OK;
}

int fit_one(struct fitter *f, const struct fit_data *d, const struct fit_preference *w, struct fit_result *r,
            struct status *st)
{
    struct prepared_fit c;

    if (fit_prepare(f, d, w, NULL, &c, r, st) || r->trouble) return st->code;
    return fit_finish(&f->evaluator, &c, w, r, st);
}
