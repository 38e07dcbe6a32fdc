/* Estimates from the empirical characteristic function, phi_n(t) = mean(exp(i t x)).
 *
 * With u = gamma t, t > 0, the S0 law has
 *
 *     log(-log|phi(t)|) = alpha log u
 *     arg phi(t)        = delta t - beta eta(u),      eta(u) = tan(pi alpha/2) (u - u^alpha)
 *
 * and eta has the limit (2/pi) u log u at alpha = 1, which therefore needs no special case (Kogon and Williams 1998).
 * Both equations, at FREQUENCIES frequencies, are one regression for the four parameters.  It is linearised about an
 * estimate, and the linear regression is iterated.  The sample is first standardised by an estimate (gamma = 1, delta =
 * 0), and the frequencies are those at which -log|phi| then has values from MIN_DECAY to MAX_DECAY: they extend as
 * far as |phi| is well above its noise.  This is done twice, with the quantile estimate and with the result of the
 * first pass, and no more often, because for small alpha other frequencies have other noise.  For the same reason the
 * standardising estimate is rounded, so that its last digits have no influence.  Residuals of the argument are taken
 * modulo 2 pi.  The weights are those of ecf_covariance.c.
 */
#include <float.h>
#include <math.h>
#include <string.h>
#include "fit.h"
#include "ecf.h"
#include "../stable/law.h"
#include "../base/memory.h"
#include "../base/parallel.h"

#define MIN_DECAY   0.01
#define MAX_DECAY   2.0
#define PASSES      2
#define ROUNDS      20                  /* of the iterated regression, at most */
#define WEIGHT_ROUNDS   3               /* rounds that recompute the weights first */
#define SAME_ESTIMATE 1e-10             /* the iteration ends when no parameter changes by this much */
#define HALVINGS    10                  /* of a step */
#define NOISE       1e-12               /* relative error of a sum of squares */
#define FARTHEST    5.0                 /* bound of |log gamma| of the standardised sample */
#define DEPENDENT   1e-12               /* columns are dependent if orthogonalisation leaves this fraction of one */
#define SECONDS_EACH 1e-7               /* estimated time for a value */

/* --- the empirical characteristic function ----------------------------------------- */

#define SOME 256                        /* values whose sines and cosines are added in LANES plain sums */

/* Returns the sums of cos(t x) and sin(t x) over n <= SOME values with |t x| <= ANGLE_MAX. */
WIDE void add_near(size_t n, const double *x, double t, double *cosines, double *sines)
{
    double c[LANES] = { 0.0 }, s[LANES] = { 0.0 };
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int k = 0; k < LANES; k++) {
            c[k] += sin_near(t * x[i + k], 1);
            s[k] += sin_near(t * x[i + k], 0);
        }
    for (int k = 0; i < n; i++, k++) {
        c[k] += sin_near(t * x[i], 1);
        s[k] += sin_near(t * x[i], 0);
    }
    *cosines = lanes_sum(c);
    *sines = lanes_sum(s);
}

/* Returns the sums for values of any size. */
static void add_any(size_t n, const double *x, double t, double *cosines, double *sines)
{
    *cosines = *sines = 0.0;
    for (size_t i = 0; i < n; i++) {
        *cosines += cos(t * x[i]);
        *sines += sin(t * x[i]);
    }
}

/* Sums of cosines and sines at each frequency, for the characteristic function. */
struct cf_sums { struct double_double cosines[FREQUENCIES], sines[FREQUENCIES]; };

/* The sums over all blocks of a sample standardised by centre and scale. */
struct cf_job { const struct sample *s; const double *t; double centre, scale; struct cf_sums *block; };

/* Adds n <= SOME sorted values to the sums of a block. */
static void add_some(const struct cf_job *j, size_t n, const double *z, struct cf_sums *sums)
{
    double x[SOME], cosines, sines;
    for (size_t i = 0; i < n; i++) x[i] = (z[i] - j->centre) / j->scale;
    double maximum = fmax(fabs(x[0]), fabs(x[n - 1]));
    for (int k = 0; k < FREQUENCIES; k++) {
        if (j->t[k] * maximum <= ANGLE_MAX) add_near(n, x, j->t[k], &cosines, &sines);
        else add_any(n, x, j->t[k], &cosines, &sines);
        sums->cosines[k] = compensated_add(sums->cosines[k], cosines);
        sums->sines[k] = compensated_add(sums->sines[k], sines);
    }
}

static void add_blocks(void *context, int thread, size_t from, size_t to)
{
    const struct cf_job *j = context;
    (void)thread;
    for (size_t b = from; b < to; b++) {
        size_t end = (b + 1) * SUM_BLOCK < j->s->n ? (b + 1) * SUM_BLOCK : j->s->n;
        memset(&j->block[b], 0, sizeof j->block[b]);
        for (size_t i = b * SUM_BLOCK; i < end; i += SOME)
            add_some(j, end - i < SOME ? end - i : SOME, j->s->z + i, &j->block[b]);
    }
}

/* Computes phi_n of the sample standardised by centre and scale, at the frequencies t of the regression. */
static int set_phi(struct evaluator *v, double centre, double scale, struct ecf *e, struct status *st)
{
    double n = (double)v->sample->n;
    size_t blocks = (v->sample->n + SUM_BLOCK - 1) / SUM_BLOCK;
    struct cf_job j = { v->sample, e->t, centre, scale, memory_allocate(blocks * sizeof *j.block) };
    if (!j.block) return fail(st, ST_MEMORY, "no memory for a characteristic function");
    parallel_for(blocks, 1, threads_for(n * SECONDS_EACH), add_blocks, &j, v->stop);
    struct cf_sums sum = { { { 0.0, 0.0 } }, { { 0.0, 0.0 } } };
    for (size_t b = 0; b < blocks && !stop_is_set(v->stop); b++)
        for (int k = 0; k < FREQUENCIES; k++) {
            sum.cosines[k] = compensated_merge(sum.cosines[k], j.block[b].cosines[k]);
            sum.sines[k] = compensated_merge(sum.sines[k], j.block[b].sines[k]);
        }
    for (int k = 0; k < FREQUENCIES; k++) {
        e->re[k] = (sum.cosines[k].hi + sum.cosines[k].lo) / n;
        e->im[k] = (sum.sines[k].hi + sum.sines[k].lo) / n;
    }
    memory_release(j.block);
    return is_stop_requested(v->stop) ? fail(st, ST_INTERRUPTED, "interrupted") : ST_OK;
}

/* --- the regression ------------------------------------------------------------------- */

/* Computes the residuals of log(-log|phi|), then those of arg phi, at y = (alpha, beta, log gamma, delta). */
static void residuals(const struct ecf *e, const double *y, double *r)
{
    for (int k = 0; k < FREQUENCIES; k++) {
        double u = exp(y[GAMMA]) * e->t[k], modulus = hypot(e->re[k], e->im[k]);
        double phase = y[DELTA] * e->t[k] - y[BETA] * ecf_eta(u, y[ALPHA]), c = cos(phase), s = sin(phase);
        modulus = fmin(fmax(modulus, DBL_EPSILON), 1.0 - DBL_EPSILON);
        r[k] = log(-log(modulus)) - y[ALPHA] * log(u);
        r[FREQUENCIES + k] = atan2(e->im[k] * c - e->re[k] * s, e->re[k] * c + e->im[k] * s);
    }
}

/* Computes the derivatives of the residuals with respect to y, with the opposite sign. */
static void slopes(const struct ecf *e, const double *y, double X[PARAMETERS][ECF_ROWS])
{
    double alpha = y[ALPHA], beta = y[BETA], h = 1e-4 * alpha;
    memset(X, 0, PARAMETERS * sizeof *X);
    for (int k = 0; k < FREQUENCIES; k++) {
        double u = exp(y[GAMMA]) * e->t[k], eta = ecf_eta(u, alpha);
        X[ALPHA][k] = log(u);
        X[GAMMA][k] = alpha;
        X[ALPHA][FREQUENCIES + k] = -beta * (ecf_eta(u, alpha + h) - ecf_eta(u, alpha - h)) / (2.0 * h);
        X[BETA][FREQUENCIES + k] = -eta;
        X[GAMMA][FREQUENCIES + k] = -beta * (eta + ecf_scaled_tangent(alpha) * pow(u, alpha));
        X[DELTA][FREQUENCIES + k] = e->t[k];
    }
}

static double dot(const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < ECF_ROWS; i++) sum += a[i] * b[i];
    return sum;
}

/* Solves the least-squares problem r = X b over the columns that are not held, by Gram-Schmidt orthogonalisation, each
 * column twice; r and X are overwritten.  R: the triangular factor.  Returns 0 if the columns are dependent. */
static int least_squares(double X[PARAMETERS][ECF_ROWS], double *r, const int *held, double R[PARAMETERS][PARAMETERS],
                         double *b)
{
    for (int j = 0; j < PARAMETERS; j++) {
        double before = sqrt(dot(X[j], X[j]));
        memset(R[j], 0, sizeof R[j]);
        if (held[j]) continue;
        for (int again = 0; again < 2; again++)
            for (int k = 0; k < j; k++) {
                if (held[k]) continue;
                double along = dot(X[k], X[j]);
                R[k][j] += along;
                for (int i = 0; i < ECF_ROWS; i++) X[j][i] -= along * X[k][i];
            }
        R[j][j] = sqrt(dot(X[j], X[j]));
        if (!(R[j][j] > DEPENDENT * before && before < INFINITY)) return 0;
        for (int i = 0; i < ECF_ROWS; i++) X[j][i] /= R[j][j];
    }
    for (int j = 0; j < PARAMETERS; j++) {
        if (held[j]) continue;
        b[j] = dot(X[j], r);
        for (int i = 0; i < ECF_ROWS; i++) r[i] -= b[j] * X[j][i];
    }
    for (int j = PARAMETERS - 1; j >= 0; j--) {
        if (held[j]) continue;
        for (int k = j + 1; k < PARAMETERS; k++)
            if (!held[k]) b[j] -= R[j][k] * b[k];
        b[j] /= R[j][j];
    }
    return 1;
}

/* Computes the residuals, whitened, and returns their sum of squares. */
static double whitened_residuals(const struct ecf *e, const double *y, double *r)
{
    residuals(e, y, r);
    ecf_whiten(&e->w, r);
    return dot(r, r);
}

/* The bounds of y. */
struct bounds { double lower[PARAMETERS], upper[PARAMETERS]; };

/* Returns the parameter that is not held and farthest beyond its bounds, or -1. */
static int farthest_beyond(const double *y, const int *held, const struct bounds *in)
{
    double maximum = 0.0;
    int farthest = -1;
    for (int j = 0; j < PARAMETERS; j++) {
        double beyond = fmax(in->lower[j] - y[j], y[j] - in->upper[j]);
        if (held[j] || !(beyond > maximum)) continue;
        maximum = beyond;
        farthest = j;
    }
    return farthest;
}

/* Solves the least-squares problem r = X (y - at) with some components of y held and the others within their bounds:
 * those that leave their bounds are held there, the farthest first.  Returns 0 if the columns are dependent. */
static int bounded_least_squares(double X[PARAMETERS][ECF_ROWS], const double *r, const double *at, double *y,
                                 int *held, const struct bounds *in)
{
    double copy[PARAMETERS][ECF_ROWS], left[ECF_ROWS], R[PARAMETERS][PARAMETERS], step[PARAMETERS];
    while (!(held[ALPHA] && held[BETA] && held[GAMMA] && held[DELTA])) {
        memcpy(copy, X, sizeof copy);
        memcpy(left, r, sizeof left);
        for (int k = 0; k < PARAMETERS; k++)
            for (int i = 0; held[k] && i < ECF_ROWS; i++) left[i] -= X[k][i] * (y[k] - at[k]);
        if (!least_squares(copy, left, held, R, step)) return 0;
        for (int k = 0; k < PARAMETERS; k++)
            if (!held[k]) y[k] = at[k] + step[k];
        int j = farthest_beyond(y, held, in);
        if (j < 0) break;
        y[j] = fmin(fmax(y[j], in->lower[j]), in->upper[j]);
        held[j] = 1;
    }
    return isfinite(y[ALPHA] + y[BETA] + y[GAMMA] + y[DELTA]);
}

/* Solves the regression linearised about e->y, and halves the step until the sum of squared residuals does not
 * increase.  Returns 0 if it has no solution. */
static int advance(struct ecf *e, double alpha_min)
{
    const struct bounds in = { { alpha_min, -1.0, -FARTHEST, -INFINITY }, { 2.0, 1.0, FARTHEST, INFINITY } };
    double r[ECF_ROWS], unused[ECF_ROWS], to[PARAMETERS], out[PARAMETERS];
    slopes(e, e->y, e->X);
    for (int j = 0; j < PARAMETERS; j++) ecf_whiten(&e->w, e->X[j]);
    double squares = whitened_residuals(e, e->y, r), shrink = 1.0;
    memcpy(out, e->y, sizeof out);
    if (!bounded_least_squares(e->X, r, e->y, out, e->held, &in)) return 0;
    for (int k = 0; k <= HALVINGS; k++, shrink *= 0.5) {
        for (int j = 0; j < PARAMETERS; j++) to[j] = e->y[j] + shrink * (out[j] - e->y[j]);
        if (whitened_residuals(e, to, unused) <= squares * (1.0 + NOISE)) break;
    }
    memcpy(e->y, to, sizeof to);
    return 1;
}

/* Iterates the regression.  Returns 0 if it has no solution. */
static int iterate(struct ecf *e, const struct problem *p)
{
    double before[PARAMETERS], change = INFINITY;
    for (int round = 0; round < ROUNDS && change >= SAME_ESTIMATE; round++) {
        memcpy(before, e->y, sizeof before);
        memcpy(e->held, p->is_fixed, sizeof e->held);
        if (e->y[ALPHA] == 2.0 && !e->held[BETA]) e->y[BETA] = 0.0;
        if (e->y[ALPHA] == 2.0) e->held[BETA] = 1;
        if (round < WEIGHT_ROUNDS && !ecf_set_weights(&e->w, exp(e->y[GAMMA]), e->t, e->y[ALPHA], e->y[BETA])) return 0;
        if (!advance(e, p->alpha_min)) return 0;
        change = 0.0;
        for (int j = 0; j < PARAMETERS; j++) change = fmax(change, fabs(e->y[j] - before[j]));
    }
    return 1;
}

/* --- the estimate ----------------------------------------------------------------------- */

/* Computes the estimate theta from the sample standardised by theta.  Returns 0 if the regression has no solution. */
static int pass(struct evaluator *v, const struct problem *p, double *theta, struct ecf *e, struct status *st)
{
    e->scale = exp2(rint(4.0 * log2(theta[GAMMA])) / 4.0);
    double centre = e->scale / 16.0 * rint(16.0 * theta[DELTA] / e->scale);
    double alpha = fmax(p->alpha_min, rint(100.0 * theta[ALPHA]) / 100.0);
    for (int k = 0; k < FREQUENCIES; k++) {
        double decay = exp(log(MIN_DECAY) + k * ((log(MAX_DECAY) - log(MIN_DECAY)) / (FREQUENCIES - 1)));
        e->t[k] = pow(decay, 1.0 / alpha);
    }
    if (set_phi(v, centre, e->scale, e, st)) return 0;
    for (int j = 0; j < PARAMETERS; j++) {
        double value = p->is_fixed[j] ? p->fixed[j] : theta[j];
        e->y[j] = j == GAMMA ? log(value / e->scale) : j == DELTA ? (value - centre) / e->scale : value;
    }
    if (!iterate(e, p)) return 0;
    theta[ALPHA] = e->y[ALPHA];
    theta[BETA] = e->y[BETA];
    theta[GAMMA] = e->scale * exp(e->y[GAMMA]);
    theta[DELTA] = centre + e->scale * e->y[DELTA];
    return 1;
}

/* Sets the covariance of the estimate: that of generalised least squares, (J' V^-1 J)^-1 / n. */
static void set_covariance(const struct ecf *e, double n, struct estimate *out)
{
    const double unit[PARAMETERS] = { 1.0, 1.0, out->theta[GAMMA], e->scale };
    double cross[PARAMETERS][PARAMETERS], inverse[PARAMETERS][PARAMETERS] = { { 0.0 } };
    int in[PARAMETERS];
    for (int i = 0; i < PARAMETERS; i++) {
        in[i] = !e->held[i];
        for (int j = 0; j < PARAMETERS; j++) cross[i][j] = dot(e->X[i], e->X[j]);
    }
    if (!matrix_invert(cross, in, inverse)) return;
    for (int i = 0; i < PARAMETERS; i++)
        for (int j = 0; j < PARAMETERS; j++) out->cov[i][j] = unit[i] * unit[j] * inverse[i][j] / n;
}

int ecf_fit(struct evaluator *v, const struct problem *p, const double *from, struct estimate *out, struct status *st)
{
    struct ecf e;
    double theta[PARAMETERS];
    int in[PARAMETERS], is_solved = 1;
    memcpy(theta, from, sizeof theta);
    for (int k = 0; k < PASSES && is_solved; k++) is_solved = pass(v, p, theta, &e, st);
    estimate_begin(out, p, theta);
    out->end = is_solved ? END_CLOSED_FORM : END_NO_SOLUTION;
    if (!is_solved) return st->code;
    if (p->wants_covariance) set_covariance(&e, v->sample->total, out);
    estimate_free(out, p, in);
    estimate_mask_covariance(out, in);
    return evaluate_law(v, theta, &out->loglik, st);
}
