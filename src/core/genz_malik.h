/* core/genz_malik.h: the rule of Genz and Malik (1980, doi:10.1016/0771-050X(80)90039-X) for boxes in 2 dimensions and
 * more, of degree 7, with one of degree 5 among its points.
 *
 * On (-1, 1)^d, with f0 the value at the centre and sums over all points of a kind,
 *
 *     I7 = V [ w1 f0 + w2 sum f(+-l2 ei) + w3 sum f(+-l4 ei) + w4 sum f(+-l4 ei +-l4 ej) + w5 sum f(+-l5, ..., +-l5) ],
 *     I5 the same without the last sum and with weights u1, ..., u4,
 *     l2^2 = 9/70, l4^2 = 9/10, l5^2 = 9/19,
 *
 * V the volume of the box.  The error is |I7 - I5|, which may be small by chance: a box that comes from no other
 * counts as unknown, and halves answer for their difference from the whole (core/halving.h).  A box is halved
 * along the axis with the largest fourth difference |f(l2) + f(-l2) - 2 f0 - (f(l4) + f(-l4) - 2 f0) l2^2/l4^2|, or
 * the widest of those with equal ones.
 *
 * Far from the tolerance a round halves the boxes of most of the error only, not all that it would take to get there:
 * errors fall slowly in many dimensions, and to halve the others would be to divide the range evenly.  With 3e7
 * evaluations of (1 + sum k x_k)^-9 in 8 of them, at a tolerance of 1e-8, the error claimed is 0.0025; else 0.15.
 * With a quarter instead of a tenth a corner singularity was believed after 9 boxes.
 */
#ifndef STABLECL_GENZ_MALIK_H
#define STABLECL_GENZ_MALIK_H

#include "halving.h"

#define GENZ_MALIK_AXES 8
#define GENZ_MALIK_L2   0.35856858280031809199
#define GENZ_MALIK_L4   0.94868329805051379960
#define GENZ_MALIK_L5   0.68824720161168529772
#define GENZ_MALIK_NARROW (16.0 * ROUNDING)
#define GENZ_MALIK_REST 0.1             /* of the error, for boxes that are not halved in a round */

/* --- points, kind after kind -------------------------------------------------------- */

enum genz_malik_kind { GENZ_MALIK_CENTRE, GENZ_MALIK_NEAR, GENZ_MALIK_FAR, GENZ_MALIK_PAIR, GENZ_MALIK_CORNER };
#define GENZ_MALIK_KINDS     5
#define GENZ_MALIK_POINTS(d) (1 + 4 * (d) + 2 * (d) * ((d) - 1) + (1 << (d)))

/* The first point of a kind. */
FN int genz_malik_first(int d, int kind)
{
    return kind == GENZ_MALIK_CENTRE ? 0 : kind == GENZ_MALIK_NEAR ? 1 : kind == GENZ_MALIK_FAR ? 1 + 2 * d
           : kind == GENZ_MALIK_PAIR ? 1 + 4 * d
           : kind == GENZ_MALIK_CORNER ? 1 + 4 * d + 2 * d * (d - 1) : GENZ_MALIK_POINTS(d);
}

FN int genz_malik_kind(int d, int q)
{
    int kind = GENZ_MALIK_CENTRE;
    for (int k = GENZ_MALIK_NEAR; k <= GENZ_MALIK_CORNER; k++) kind += q >= genz_malik_first(d, k);
    return kind;
}

/* A point off the centre, in units of half the widths: along axes i and j (-1: none), or in a corner. */
struct genz_malik_shift { int kind, i, j, corner; double at_i, at_j; };

/* Point q. */
FN struct genz_malik_shift genz_malik_shift(int d, int q)
{
    struct genz_malik_shift s = { genz_malik_kind(d, q), -1, -1, 0, 0.0, 0.0 };
    int at = q - genz_malik_first(d, s.kind);
    double l = s.kind == GENZ_MALIK_NEAR ? GENZ_MALIK_L2 : GENZ_MALIK_L4;
    if (s.kind == GENZ_MALIK_CORNER) s.corner = at;
    else if (s.kind == GENZ_MALIK_PAIR) {
        int pair = at / 4;
        for (s.i = 0; pair >= d - 1 - s.i; s.i++) pair -= d - 1 - s.i;
        s.j = s.i + 1 + pair;
        s.at_i = at & 1 ? l : -l;
        s.at_j = at & 2 ? l : -l;
    } else if (s.kind != GENZ_MALIK_CENTRE) {
        s.i = at / 2;
        s.at_i = at & 1 ? l : -l;
    }
    return s;
}

/* Along axis k. */
FN double genz_malik_along(const struct genz_malik_shift *s, int k)
{
    if (s->kind == GENZ_MALIK_CORNER) return s->corner >> k & 1 ? GENZ_MALIK_L5 : -GENZ_MALIK_L5;
    return k == s->i ? s->at_i : k == s->j ? s->at_j : 0.0;
}

/* --- sums --------------------------------------------------------------------------- */

/* size: of |f|, by the rule of degree 7; finite: points with a finite value. */
struct genz_malik_sums { double seven, five, size; int finite; };

/* For each kind. */
struct genz_malik_weights { double seven[GENZ_MALIK_KINDS], five[GENZ_MALIK_KINDS]; };

FN struct genz_malik_weights genz_malik_weights(int d)
{
    struct genz_malik_weights w = {
        { (12824.0 - 9120.0 * d + 400.0 * d * d) / 19683, 980.0 / 6561, (1820.0 - 400.0 * d) / 19683, 200.0 / 19683,
          6859.0 / 19683 / (1 << d) },
        { (729.0 - 950.0 * d + 50.0 * d * d) / 729, 245.0 / 486, (265.0 - 100.0 * d) / 1458, 25.0 / 729, 0.0 }
    };
    return w;
}

/* The sum over some points of a kind, and that of sizes. */
FN void genz_malik_take(struct genz_malik_sums *to, const struct genz_malik_weights *w, int kind, double sum,
                        double size)
{
    to->seven += w->seven[kind] * sum;
    to->five += w->five[kind] * sum;
    to->size += fabs(w->seven[kind]) * size;
}

/* reach: half the widths. */
FN struct balance genz_malik_rule(const struct genz_malik_sums *s, int d, const double *reach, int is_half)
{
    double volume = 1.0;
    for (int k = 0; k < d; k++) volume *= 2.0 * reach[k];
    struct balance b = { volume * s->seven, 0.0, volume * s->size };
    b.error = fmax(fabs(b.value - volume * s->five), 50.0 * ROUNDING * b.size);
    if (!is_half && b.size > 0.0) b.error = fmax(b.error, b.size);
    if (s->finite < GENZ_MALIK_POINTS(d) || !isfinite(b.value)) b.error = INFINITY;
    if (!s->finite) b.value = NAN;
    return b;
}

/* --- halves ------------------------------------------------------------------------- */

/* The axis to be halved.  f: values, those along the axes at least. */
FN int genz_malik_axis(int d, const double *f, const double *reach)
{
    int axis = 0;
    double largest = -1.0, widest = 0.0;
    for (int k = 0; k < d; k++) {
        double near = f[1 + 2 * k] + f[2 + 2 * k] - 2.0 * f[0];
        double far = f[1 + 2 * (d + k)] + f[2 + 2 * (d + k)] - 2.0 * f[0];
        double difference = fabs(near - far / 7.0);
        if (!(difference >= 0.0)) difference = INFINITY;
        if (difference < largest || (difference == largest && reach[k] <= widest)) continue;
        largest = difference;
        widest = reach[k];
        axis = k;
    }
    return axis;
}

/* What comes of a box: its sums, and the axis along which it is to be halved. */
struct genz_malik_found { struct balance sums; int axis, unused; };

/* Too narrow to be halved along an axis? */
FN int genz_malik_is_narrow(double centre, double reach)
{
    return reach <= GENZ_MALIK_NARROW * fabs(centre) || reach < 1e-300;
}

#endif
