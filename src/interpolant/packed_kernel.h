/* Evaluates densities and probabilities from a packed interpolant (interpolant/interpolant.h) on a device. */
#ifndef STABLECL_INTERPOLANT_PACKED_KERNEL_H
#define STABLECL_INTERPOLANT_PACKED_KERNEL_H

#include "interpolant.h"

/* Returns the piece that contains w on the first or second side, numbered over both sides, and its coordinate *t in
 * [-1, 1); -1 if none does.  Device version of interpolant_find(). */
static int piece_of(const struct packed *c, __global const int2 *binades, int left, double w, double *t)
{
    uint64 bits = bits_of_double(w), fraction = bits & 0xFFFFFFFFFFFFFull;
    int binade = (int) (bits >> 52) - c->first[left];
    if (binade < 0 || binade >= c->binades[left]) return -1;
    int2 here = binades[binade + (left ? c->binades[0] : 0)];  /* first piece, log2 of the pieces */
    uint64 rest = (fraction << here.y) & 0xFFFFFFFFFFFFFull;
    *t = 2.0 * double_from_bits(rest | 0x3FF0000000000000ull) - 3.0;
    return here.x + (int) (fraction >> (52 - here.y));
}

/* Evaluates the polynomial of a piece at t. */
static double evaluate_piece(__global const double2 *pairs, int pieces, int piece, double t)
{
    double c[INTERPOLANT_TERMS];
    for (int k = 0; k < PACKED_PAIRS; k++) {
        double2 pair = pairs[k * pieces + piece];
        c[2 * k] = pair.x;
        c[2 * k + 1] = pair.y;
    }
    return interpolant_value(c, t);
}

/* Returns P(X <= x) if lower, else P(X > x), given the log of the upper tail (upper = 1) or of the lower tail. */
static double probability(double log_tail, int upper, int lower, int give_log)
{
    if (lower != upper) return give_log ? log_tail : exp_minus(-log_tail);
    double other = exp_minus(-log_tail);
    return give_log ? log1p(-other) : 1.0 - other;
}

/* Computes the values at x selected by the bits of `what`; returns 0 if the interpolant does not cover x. */
static int packed_values(const struct packed *c, __global const double *buffer, double x, int what, int give_log,
                         struct point_values *v)
{
    __global const double2 *pairs = (__global const double2 *) buffer;
    __global const int2 *binades = (__global const int2 *) (pairs + 2 * PACKED_PAIRS * c->pieces);
    __global const int *upper = (__global const int *) (binades + c->binades[0] + c->binades[1]);
    double t = 0.0, y = packed_distance(c, x);
    int piece = piece_of(c, binades, y < 0.0, c->s + fabs(y), &t);

    if (piece < 0) return 0;
    if (what & WANT_PDF) {
        double log_pdf = evaluate_piece(pairs, c->pieces, piece, t);
        v->pdf = give_log ? log_pdf - c->log_gamma : c->inv_gamma * exp_minus(-log_pdf);
    }
    if (what & (WANT_CDF | WANT_SF)) {
        double log_tail = evaluate_piece(pairs + PACKED_PAIRS * c->pieces, c->pieces, piece, t);
        if (what & WANT_CDF) v->cdf = probability(log_tail, upper[piece], 1, give_log);
        if (what & WANT_SF)  v->sf = probability(log_tail, upper[piece], 0, give_log);
    }
    return 1;
}

/* Computes the quantile of p for a law that has the shape of the quantile interpolant; returns 0 if the interpolant
 * does not cover p. */
static int packed_quantile(const struct packed *c, __global const double *buffer, const struct user_law *l,
                           double p, int lower, int log_p, double *quantile)
{
    __global const double2 *pairs = (__global const double2 *) buffer;
    __global const int2 *binades = (__global const int2 *) (pairs + PACKED_PAIRS * c->pieces);
    double q, t = 0.0;
    int side = !interpolant_tail(p, lower, log_p, &q), piece = piece_of(c, binades, side, q, &t);

    if (piece < 0) return 0;
    struct double_double x = { evaluate_piece(pairs, c->pieces, piece, t), 0.0 };
    *quantile = x.hi;
    if (isnan(x.hi) || (c->is_standard && c->centre.hi == 0.0)) return !isnan(x.hi);
    struct frame f = user_frame(l, 0.0);
    x = dd_add(x, c->centre);
    struct argument z = { x.hi, x.lo, f.shifted };
    user_quantile(l, &f, z, quantile);
    return 1;
}

#endif
