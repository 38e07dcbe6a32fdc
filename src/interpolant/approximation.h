/* How a sketch of a law (interpolant/tensor_approximation.h) is read at a position.
 *
 * The sketch holds log f and its derivatives over u, in
 *
 *     y = s sinh(u),      y = +-z + o,      z = (x - delta)/gamma,
 *
 * the sign that of beta, o depending on alpha and beta.  With l_u/sqrt(y^2 + s^2) = l_y,
 *
 *     l_alpha(z) = l_alpha(u) - y l_y (log s)_alpha + o_alpha l_y,
 *
 * and likewise for beta; gamma and delta follow from l_z = +-l_y.
 */
#ifndef STABLECL_INTERPOLANT_APPROXIMATION_H
#define STABLECL_INTERPOLANT_APPROXIMATION_H

#include "../special/exponential.h"

#define APPROXIMATION_TERMS 16                 /* coefficients of a polynomial in t, -1 <= t <= 1 */

/* Of the tables (interpolant/tensor_tables.h) that sketches are contracted from: terms in each direction, of which those in u lie
 * in fours; and what one in the high part of a coefficient stands for, in steps. */
#define TABLE_ALPHA 16
#define TABLE_BETA  12
#define TABLE_U     APPROXIMATION_TERMS
#define TABLE_FOUR  4
#define TABLE_HIGH  0x1p31

/* T_j(r_beta), in steps of the tables, T_i(r_alpha), and their derivatives. */
struct approximation_weights { double beta[2][TABLE_BETA], alpha[2][TABLE_ALPHA]; };

/* The polynomials of a piece: log f, and its derivatives in u, in alpha and in beta, the latter two at
 * fixed u. */
enum { APPROXIMATION_VALUE, APPROXIMATION_U, APPROXIMATION_ALPHA, APPROXIMATION_BETA, APPROXIMATION_POLYNOMIALS };

/* log f and its derivatives in alpha, beta, gamma and delta; these, and the products of the derivatives
 * (aa, ba, bb, ga, gb, gg, da, db, dg, dd). */
#define APPROXIMATE_COLUMNS 5
#define APPROXIMATE_SUMS    15

/* Of many samples at a time (many_job): elements that no sketch holds, of which so many are listed. */
#define MANY_LEFT 15

struct approximation_frame {
    double mirror;                      /* the sign */
    double delta, over_gamma, log_gamma;
    double offset, offset_alpha, offset_beta;
    double s, log_s_alpha, log_s_beta;
    double over_width;                  /* 1/width of a base of u */
    int first, bases;                   /* bases number first, first + 1, ... */
};

/* d log f in the parameters of the user's law. */
struct approximation_scores { double alpha, beta, gamma, delta; };

LANE double approximation_position(const struct approximation_frame *f, double x)
{
    return (x - f->delta) * f->over_gamma;
}

LANE double approximation_place(const struct approximation_frame *f, double z)
{
    return f->mirror * z + f->offset;
}

/* The base at u, and how far in it u is, from 0 to 1; -1: there is none. */
LANE int approximation_base(double over_width, int first, int bases, double u, double *within)
{
    double at = u * over_width - first;
    int base = at >= 0.0 && at < bases ? (int) at : -1;
    *within = at - base;
    return base;
}

/* Which of its 2^cut pieces, and t. */
LANE int approximation_part(double within, int cut, double *t)
{
    double at = within * (1 << cut);
    int part = (int) at;
    *t = 2.0 * (at - part) - 1.0;
    return part;
}

/* value: the polynomials but for the first; root = sqrt(y^2 + s^2). */
LANE struct approximation_scores approximation_scores_at(const struct approximation_frame *f, double z, double y,
                                                         double root,
                                                         double in_u, double in_alpha, double in_beta)
{
    double in_y = in_u / root, in_z = f->mirror * in_y;
    struct approximation_scores s;
    s.alpha = in_alpha + (f->offset_alpha - y * f->log_s_alpha) * in_y;
    s.beta = f->mirror * (in_beta + (f->offset_beta - y * f->log_s_beta) * in_y);
    s.gamma = -(1.0 + z * in_z) * f->over_gamma;
    s.delta = -in_z * f->over_gamma;
    return s;
}

/* The polynomial, in four lanes whose coefficients lie side by side. */
LANE double approximation_value(const double *c, double t)
{
    double t2 = t * t, t4 = t2 * t2, lane[4];
    for (int k = 0; k < 4; k++) lane[k] = c[k] + t4 * (c[k + 4] + t4 * (c[k + 8] + t4 * c[k + 12]));
    return (lane[0] + lane[1] * t) + (lane[2] + lane[3] * t) * t2;
}

#endif
