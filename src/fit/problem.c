/* Coordinates of the parameters, the result of a fit, and matrices over the parameters. */
#include <math.h>
#include <string.h>
#include "problem.h"
#include "../stable/law.h"

#define ZETA_BEGIN   0.6                /* alpha below which a search starts in zeta coordinates */
#define ZETA_END     0.9                /* upper bound of alpha in zeta coordinates */
#define ZETA_SHARE   0.8                /* lower bound of alpha there, relative to the initial alpha */
#define AT_END       1e-6               /* distance in alpha from these bounds */

/* Returns the half-width of the peak of the symmetric law, sqrt(-f(0)/f''(0)), at most 1. */
static double mode_width(double alpha)
{
    return fmin(1.0, exp(0.5 * (lgamma(1.0 / alpha) - lgamma(3.0 / alpha))));
}

struct coordinates coordinates_about(const struct problem *p, const double *theta)
{
    double alpha = fmax(theta[ALPHA], p->alpha_min), gamma = theta[GAMMA];
    const double inside[PARAMETERS] = { alpha, theta[BETA], gamma, theta[DELTA] };
    int uses_zeta = alpha < ZETA_BEGIN && !p->is_fixed[DELTA];
    struct coordinates c = {
        { alpha, theta[BETA], log(gamma), 0.0 }, { 0 }, { p->alpha_min, -1.0, -INFINITY, -INFINITY },
        { 2.0, 1.0, INFINITY, INFINITY }, uses_zeta, p->alpha_min, theta[DELTA], gamma
    };
    for (int j = 0; j < PARAMETERS; j++) c.moves[j] = !p->is_fixed[j];
    if (!uses_zeta) return c;
    c.lower[ALPHA] = fmax(p->alpha_min, ZETA_SHARE * alpha);
    c.upper[ALPHA] = ZETA_END;
    c.centre -= delta_minus_zeta(inside);
    c.unit = gamma * mode_width(alpha);
    return c;
}

struct coordinates coordinates_recentred(const struct problem *p, const struct coordinates *old, const double *y)
{
    double theta[PARAMETERS];
    coordinates_theta(old, y, theta);
    struct coordinates c = coordinates_about(p, theta);
    if (c.pm == 1 && old->pm == 1) c.centre = old->centre + old->unit * y[DELTA];
    return c;
}

int coordinates_at_range_end(const struct coordinates *c, const double *y)
{
    if (c->pm != 1 || !c->moves[ALPHA]) return 0;
    if (y[ALPHA] >= c->upper[ALPHA] - AT_END) return 1;
    return c->lower[ALPHA] > c->alpha_min && y[ALPHA] <= c->lower[ALPHA] + AT_END;
}

void coordinates_theta(const struct coordinates *c, const double *y, double *theta)
{
    theta[ALPHA] = y[ALPHA];
    theta[BETA] = y[BETA];
    theta[GAMMA] = exp(y[GAMMA]);
    theta[DELTA] = c->centre + c->unit * y[DELTA];
    if (c->pm == 1) theta[DELTA] += delta_minus_zeta(theta);
}

void coordinates_jacobian(const struct coordinates *c, const double *y, double J[PARAMETERS][PARAMETERS])
{
    double gamma = exp(y[GAMMA]), t = tan(0.5 * PI * y[ALPHA]);
    memset(J, 0, PARAMETERS * sizeof *J);
    J[ALPHA][ALPHA] = J[BETA][BETA] = 1.0;
    J[GAMMA][GAMMA] = gamma;
    J[DELTA][DELTA] = c->unit;
    if (c->pm != 1) return;
    J[DELTA][ALPHA] = gamma * y[BETA] * 0.5 * PI * (1.0 + t * t);
    J[DELTA][BETA] = gamma * t;
    J[DELTA][GAMMA] = gamma * y[BETA] * t;
}

struct sides coordinates_sides(const struct coordinates *c, const double *y, int j, double h)
{
    double below = y[j] - c->lower[j], above = c->upper[j] - y[j];
    struct sides s = { -h, h };
    if (below <= 0.0) s.below = 0.0;
    else if (above <= 0.0) s.above = 0.0;
    else {
        s.above = fmin(h, 0.5 * fmin(below, above));
        s.below = -s.above;
    }
    return s;
}

static void set_bounds(struct estimate *e, const struct problem *p)
{
    double alpha = e->theta[ALPHA], beta = e->theta[BETA];
    if (!p->is_fixed[ALPHA] && alpha >= 2.0) e->active[ALPHA] = BOUND_UPPER;
    if (!p->is_fixed[ALPHA] && alpha <= p->alpha_min) e->active[ALPHA] = BOUND_LOWER;
    if (!p->is_fixed[BETA] && fabs(beta) >= 1.0 && alpha < 2.0)
        e->active[BETA] = beta > 0.0 ? BOUND_UPPER : BOUND_LOWER;
}

void estimate_begin(struct estimate *e, const struct problem *p, const double *theta)
{
    static const int none[PARAMETERS];
    memset(e, 0, sizeof *e);
    memcpy(e->theta, theta, sizeof e->theta);
    e->loglik = -INFINITY;
    set_bounds(e, p);
    estimate_mask_covariance(e, none);
    for (int j = 0; j < PARAMETERS; j++) e->gradient[j] = NAN;
}

void estimate_free(const struct estimate *e, const struct problem *p, int *in)
{
    for (int j = 0; j < PARAMETERS; j++) in[j] = !p->is_fixed[j] && e->active[j] == BOUND_NONE;
    if (e->theta[ALPHA] == 2.0) in[BETA] = 0;
}

void estimate_mask_covariance(struct estimate *e, const int *in)
{
    for (int i = 0; i < PARAMETERS; i++)
        for (int j = 0; j < PARAMETERS; j++)
            if (!in[i] || !in[j]) e->cov[i][j] = NAN;
}

/* --- matrices ------------------------------------------------------------------ */

/* Cholesky factorisation.  Returns 0 if a pivot is not positive and finite. */
int matrix_factor(double A[PARAMETERS][PARAMETERS], const int *in, double L[PARAMETERS][PARAMETERS])
{
    memset(L, 0, PARAMETERS * sizeof *L);
    for (int j = 0; j < PARAMETERS; j++) {
        if (!in[j]) continue;
        for (int i = j; i < PARAMETERS; i++) {
            double rest = A[i][j];
            if (!in[i]) continue;
            for (int k = 0; k < j; k++) rest -= L[i][k] * L[j][k];
            if (i == j && !(rest > 0.0 && rest < INFINITY)) return 0;
            L[i][j] = i == j ? sqrt(rest) : rest / L[j][j];
        }
    }
    return 1;
}

static void substitute(double L[PARAMETERS][PARAMETERS], const int *in, const double *b, double *x)
{
    for (int i = 0; i < PARAMETERS; i++) {
        x[i] = 0.0;
        if (!in[i]) continue;
        x[i] = b[i];
        for (int k = 0; k < i; k++) x[i] -= L[i][k] * x[k];
        x[i] /= L[i][i];
    }
    for (int i = PARAMETERS - 1; i >= 0; i--) {
        if (!in[i]) continue;
        for (int k = i + 1; k < PARAMETERS; k++) x[i] -= L[k][i] * x[k];
        x[i] /= L[i][i];
    }
}

int matrix_solve(double A[PARAMETERS][PARAMETERS], const int *in, const double *b, double *x)
{
    double L[PARAMETERS][PARAMETERS];
    if (!matrix_factor(A, in, L)) return 0;
    substitute(L, in, b, x);
    for (int i = 0; i < PARAMETERS; i++)
        if (!isfinite(x[i])) return 0;
    return 1;
}

int matrix_invert(double A[PARAMETERS][PARAMETERS], const int *in, double inverse[PARAMETERS][PARAMETERS])
{
    double L[PARAMETERS][PARAMETERS];
    if (!matrix_factor(A, in, L)) return 0;
    for (int j = 0; j < PARAMETERS; j++) {
        double unit[PARAMETERS] = { 0.0 };
        unit[j] = in[j];
        substitute(L, in, unit, inverse[j]);
    }
    return 1;
}

void matrix_transform(double J[PARAMETERS][PARAMETERS], double A[PARAMETERS][PARAMETERS],
                      double out[PARAMETERS][PARAMETERS])
{
    for (int i = 0; i < PARAMETERS; i++)
        for (int j = 0; j < PARAMETERS; j++) out[i][j] = matrix_form(A, J[i], J[j]);
}

double matrix_form(double A[PARAMETERS][PARAMETERS], const double *x, const double *y)
{
    double sum = 0.0;
    for (int i = 0; i < PARAMETERS; i++)
        for (int j = 0; j < PARAMETERS; j++) sum += x[i] * A[i][j] * y[j];
    return sum;
}
