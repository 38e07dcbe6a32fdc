/* The covariance of the logarithm of the empirical characteristic function, and the weights that follow from it.
 *
 * E exp(i s x) exp(i t x) = phi(s + t), so with L = log phi_n(t) - log phi(t) = (phi_n - phi)/phi + O(1/n)
 *
 *     n E L_j conj(L_k) = A = phi(t_j - t_k)/(phi(t_j) conj(phi(t_k))) - 1
 *     n E L_j L_k       = B = phi(t_j + t_k)/(phi(t_j) phi(t_k)) - 1
 *
 * (Feuerverger and Mureika 1977), and for r = Re L, m = Im L, since L conj(L') = r r' + m m' + i (m r' - r m'),
 * L L' = r r' - m m' + i (r m' + m r'),
 *
 *     n E r_j r_k = Re(A + B)/2,      n E m_j m_k = Re(A - B)/2,      n E r_j m_k = Im(B - A)/2.
 *
 * log(-log|phi|) has the error r/log|phi|.  With V the covariance of the 2K errors and J the 2K derivatives with
 * respect to the parameters, generalised least squares (Koutrouvelis 1981) have the covariance (J' V^-1 J)^-1 / n.
 *
 * The errors at K frequencies have far fewer dimensions than 2 K: V is singular up to rounding, and its inverse is
 * regularised, as moment conditions at many frequencies require (Carrasco and Florens 2000,
 * doi:10.1017/S0266466600166010), here by RIDGE, which is added to the diagonal of the correlation matrix.
 */
#include <math.h>
#include "ecf.h"
#include "../stable/law.h"

#define RIDGE 1e-4                      /* neighbouring frequencies have nearly the same errors */
#define MAX_WEIGHED  4.0                /* -log|phi| above which the weights of this value are used */

double ecf_scaled_tangent(double alpha)
{
    double e = 1.0 - alpha;
    if (e == 0.0) return 2.0 / PI;
    return e * sin(0.5 * PI * fmin(alpha, 2.0 - alpha)) / sin(0.5 * PI * e);
}

/* eta = tan(pi alpha/2) u^alpha (u^(1 - alpha) - 1), where (exp(d) - 1)/d is 1 at d = 0. */
double ecf_eta(double u, double alpha)
{
    double l = log(u), d = (1.0 - alpha) * l, slope = d == 0.0 ? 1.0 : expm1(d) / d;
    return pow(u, alpha) * ecf_scaled_tangent(alpha) * l * slope;
}

struct pair { double re, im; };

/* Returns log phi(u) of the law with gamma = 1 and delta = 0. */
static struct pair log_phi(double u, double alpha, double beta)
{
    struct pair psi = { 0.0, 0.0 };
    double v = fabs(u);
    if (v == 0.0) return psi;
    psi.re = -pow(v, alpha);
    psi.im = (u < 0.0 ? beta : -beta) * ecf_eta(v, alpha);
    return psi;
}

/* Returns exp(psi - p - q) - 1 = expm1(x) cos y - 2 sin(y/2)^2 + i exp(x) sin y, accurate where phi is close to 1. */
static struct pair quotient(struct pair psi, struct pair p, struct pair q)
{
    double x = psi.re - (p.re + q.re), y = psi.im - (p.im + q.im), half = sin(0.5 * y);
    struct pair z = { expm1(x) * cos(y) - 2.0 * half * half, exp(x) * sin(y) };
    return z;
}

/* Computes the lower triangle of n times the covariance of log(-log|phi_n|) and arg phi_n at t = u/gamma. */
static void covariance(const double *u, double alpha, double beta, double V[ECF_ROWS][ECF_ROWS])
{
    const int K = FREQUENCIES;
    struct pair p[FREQUENCIES];
    for (int j = 0; j < K; j++) p[j] = log_phi(u[j], alpha, beta);
    for (int j = 0; j < K; j++)
        for (int k = 0; k < K; k++) {
            struct pair conjugate = { p[k].re, -p[k].im };
            struct pair A = quotient(log_phi(u[j] - u[k], alpha, beta), p[j], conjugate);
            struct pair B = quotient(log_phi(u[j] + u[k], alpha, beta), p[j], p[k]);
            V[j][k] = 0.5 * (A.re + B.re) / (p[j].re * p[k].re);
            V[K + k][j] = 0.5 * (B.im - A.im) / p[j].re;
            V[K + j][K + k] = 0.5 * (A.re - B.re);
        }
}

/* Replaces the lower triangle of a matrix by its Cholesky factor.  Returns 0 if a pivot is not positive. */
static int factor(double A[ECF_ROWS][ECF_ROWS])
{
    for (int i = 0; i < ECF_ROWS; i++)
        for (int j = 0; j <= i; j++) {
            double rest = A[i][j];
            for (int k = 0; k < j; k++) rest -= A[i][k] * A[j][k];
            if (i == j && !(rest > 0.0 && rest < INFINITY)) return 0;
            A[i][j] = i == j ? sqrt(rest) : rest / A[j][j];
        }
    return 1;
}

int ecf_set_weights(struct ecf_weights *w, double gamma, const double *t, double alpha, double beta)
{
    double u[FREQUENCIES];
    for (int k = 0; k < FREQUENCIES; k++) u[k] = fmin(gamma * t[k], pow(MAX_WEIGHED, 1.0 / alpha));
    covariance(u, alpha, beta, w->root);
    for (int i = 0; i < ECF_ROWS; i++) w->unit[i] = sqrt(w->root[i][i]);
    for (int i = 0; i < ECF_ROWS; i++) {
        for (int j = 0; j < i; j++) w->root[i][j] /= w->unit[i] * w->unit[j];
        w->root[i][i] = 1.0 + RIDGE;
        if (!(w->unit[i] > 0.0)) return 0;
    }
    return factor(w->root);
}

void ecf_whiten(const struct ecf_weights *w, double *r)
{
    for (int i = 0; i < ECF_ROWS; i++) {
        r[i] /= w->unit[i];
        for (int k = 0; k < i; k++) r[i] -= w->root[i][k] * r[k];
        r[i] /= w->root[i][i];
    }
}
