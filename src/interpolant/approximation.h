/* Evaluates a tensor approximation (interpolant/tensor_approximation.h) at a standardised argument.
 *
 * The approximation holds log f and its derivatives as functions of u, where
 *
 *     y = s sinh(u),      y = +-z + o,      z = (x - delta)/gamma,
 *
 * the sign is that of beta, and o depends on alpha and beta.  With l = log f, subscripts for derivatives
 * and l_u/sqrt(y^2 + s^2) = l_y,
 *
 *     l_alpha(z) = l_alpha(u) - y l_y (log s)_alpha + o_alpha l_y,
 *
 * likewise for beta; the derivatives with respect to gamma and delta follow from l_z = +-l_y.
 */
#ifndef STABLECL_INTERPOLANT_APPROXIMATION_H
#define STABLECL_INTERPOLANT_APPROXIMATION_H

#include "../special/elementary.h"

#define APPROXIMATION_TERMS 16                 /* coefficients of a polynomial in t, -1 <= t <= 1 */

/* Layout of the tables (interpolant/table_layout.h): the number of terms in alpha, beta and u, where terms in u
 * are stored in groups of four; and the value of one unit of the high part of a coefficient, in steps. */
#define TABLE_ALPHA 16
#define TABLE_BETA  12
#define TABLE_U     APPROXIMATION_TERMS
#define TABLE_FOUR  4
#define TABLE_HIGH  0x1p31

/* T_j(r_beta), in steps of the tables, and T_i(r_alpha): [0] values, [1] derivatives. */
struct approximation_weights { double beta[2][TABLE_BETA], alpha[2][TABLE_ALPHA]; };

/* The polynomials of a piece: log f and its derivatives with respect to u, alpha and beta, the latter two at
 * fixed u. */
enum { APPROXIMATION_VALUE, APPROXIMATION_U, APPROXIMATION_ALPHA, APPROXIMATION_BETA, APPROXIMATION_POLYNOMIALS };

/* Columns: log f and its derivatives with respect to alpha, beta, gamma and delta.  Sums: the sums of these and
 * of the products of the derivatives (aa, ba, bb, ga, gb, gg, da, db, dg, dd). */
#define APPROXIMATE_COLUMNS 5
#define APPROXIMATE_SUMS    15

/* Evaluation of many samples (many_job in run/job.h): the largest number of elements outside the approximation that is
 * listed for a sample, and what the number of elements is if there is no approximation. */
#define MANY_DEFERRED 15
#define MANY_NOT_COMPUTED (-1)

struct approximation_frame {
    double sign;                        /* 1, or -1 if beta < 0 */
    double delta, inv_gamma, log_gamma;
    double offset, offset_alpha, offset_beta;
    double s, log_s_alpha, log_s_beta;
    double inv_width;                   /* 1/width of a base interval of u */
    int first, bases;                   /* base intervals number first, ..., first + bases - 1 */
};

/* Derivatives of log f with respect to the parameters of the user's law. */
struct approximation_scores { double alpha, beta, gamma, delta; };

/* Returns z. */
LANE double approximation_z(const struct approximation_frame *f, double x)
{
    return (x - f->delta) * f->inv_gamma;
}

/* Returns y. */
LANE double approximation_y(const struct approximation_frame *f, double z)
{
    return f->sign * z + f->offset;
}

/* Returns the base interval that contains u, or -1 if none does; *within: the position of u in it, from 0 to 1. */
LANE int approximation_base(double inv_width, int first, int bases, double u, double *within)
{
    double at = u * inv_width - first;
    int base = at >= 0.0 && at < bases ? (int) at : -1;
    *within = at - base;
    return base;
}

/* Returns which of the 2^cut pieces of a base interval contains the position, and sets *t. */
LANE int approximation_piece_index(double within, int cut, double *t)
{
    double at = within * (1 << cut);
    int part = (int) at;
    *t = 2.0 * (at - part) - 1.0;
    return part;
}

/* Returns the derivatives of log f from the values of the polynomials in_u, in_alpha and in_beta, and from
 * root = sqrt(y^2 + s^2). */
LANE struct approximation_scores approximation_scores_at(const struct approximation_frame *f, double z, double y,
                                                         double root,
                                                         double in_u, double in_alpha, double in_beta)
{
    double in_y = in_u / root, in_z = f->sign * in_y;
    struct approximation_scores s;
    s.alpha = in_alpha + (f->offset_alpha - y * f->log_s_alpha) * in_y;
    s.beta = f->sign * (in_beta + (f->offset_beta - y * f->log_s_beta) * in_y);
    s.gamma = -(1.0 + z * in_z) * f->inv_gamma;
    s.delta = -in_z * f->inv_gamma;
    return s;
}

/* Evaluates the polynomial as four polynomials in t^4, whose coefficients are adjacent. */
LANE double approximation_value(const double *c, double t)
{
    double t2 = t * t, t4 = t2 * t2, part[4];
    for (int k = 0; k < 4; k++) part[k] = c[k] + t4 * (c[k + 4] + t4 * (c[k + 8] + t4 * c[k + 12]));
    return (part[0] + part[1] * t) + (part[2] + part[3] * t) * t2;
}

#endif
