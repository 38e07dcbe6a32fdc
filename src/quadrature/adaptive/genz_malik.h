/* The rule of Genz and Malik (1980, doi:10.1016/0771-050X(80)90039-X) for boxes in 2 dimensions and
 * more, of degree 7, with one of degree 5 among its points.
 *
 * On (-1, 1)^d, with f0 the value at the centre and sums over all points of a kind,
 *
 *     I7 = V [ w1 f0 + w2 sum f(+-l2 ei) + w3 sum f(+-l4 ei) + w4 sum f(+-l4 ei +-l4 ej) + w5 sum f(+-l5, ..., +-l5) ],
 *     I5 the same without the last sum and with weights u1, ..., u4,
 *     l2^2 = 9/70, l4^2 = 9/10, l5^2 = 9/19,
 *
 * V the volume of the box.  The error is |I7 - I5|, which may be small by chance: a box that comes from no other
 * counts as unknown, and halves answer for their difference from the whole (quadrature/adaptive/bisection.h).  A box is halved
 * along the axis with the largest fourth difference |f(l2) + f(-l2) - 2 f0 - (f(l4) + f(-l4) - 2 f0) l2^2/l4^2|, or
 * the widest of those with equal ones.
 *
 * Nothing of this is seen of a jump between the outermost points and a face, in 5 % of the box along each axis; and
 * halving goes on to put jumps there, by chance, until what is left of them is not seen.  So there are 2 d more points,
 * f(+-l6 ei) next to the middles of the faces, which are no part of the rules.  Let p be the polynomial of degree 4
 * through the five values along an axis, and S their fourth difference and third,
 * |f(l4) - f(-l4) - (f(l2) - f(-l2)) l4/l2|, together.  What is smooth as far as to the face has |f(l6) - p(l6)| < S
 * (0.06, 0.43 and 0.95 S for x^5, x^6, x^8); what goes beyond SMOOTH S, and rounding, counts on the part of the box
 * where no point of the rules lies, and for the axis to be halved.  Points on the faces themselves would often be
 * singular.
 *
 * What is cut off by a bent surface may lie between all points of a box, of which only its other half knows: each half
 * has LEAST of the error of both.  Where all values are 0, the range is looked at again as genz_malik_boxes_zero()
 * boxes.
 *
 * Of integrals over the square with a jump at a random x, wanted to 1e-6, too little is claimed for 0.05 % so
 * (bench/errors.R), and for 48 % without all this.  Singular edges take three to five times as many boxes.
 *
 * Far from the tolerance a round halves the boxes of most of the error only, not all that it would take to get there:
 * errors fall slowly in many dimensions, and to halve the others would be to divide the range evenly.  With 3e7
 * evaluations of (1 + sum k x_k)^-9 in 8 of them, at a tolerance of 1e-8, the error claimed is 0.0030; else 0.15.
 * With a quarter instead of a tenth a corner singularity was believed after 9 boxes.
 */
#ifndef STABLECL_QUADRATURE_ADAPTIVE_GENZ_MALIK_H
#define STABLECL_QUADRATURE_ADAPTIVE_GENZ_MALIK_H

#include "bisection.h"

#define GENZ_MALIK_AXES 8
#define GENZ_MALIK_L2   0.35856858280031809199
#define GENZ_MALIK_L4   0.94868329805051379960
#define GENZ_MALIK_L5   0.68824720161168529772
#define GENZ_MALIK_L6   (1.0 - 0x1p-13)
#define GENZ_MALIK_GAP  (0.5 * (1.0 - GENZ_MALIK_L4))   /* of the volume, at each face */
#define GENZ_MALIK_SMOOTH 2.0
#define GENZ_MALIK_ZEROS  4096          /* points that say that all is 0, */
#define GENZ_MALIK_BOXES 256           /* in so many boxes at most */
#define GENZ_MALIK_NARROW (16.0 * ROUNDING)
#define GENZ_MALIK_LEAST 0.1            /* of the error of two halves, for each of them */
#define GENZ_MALIK_REST 0.1             /* of the error, for boxes that are not halved in a round */

/* --- points, kind after kind -------------------------------------------------------- */

enum genz_malik_kind {
    GENZ_MALIK_CENTRE, GENZ_MALIK_NEAR, GENZ_MALIK_FAR, GENZ_MALIK_FACE, GENZ_MALIK_PAIR, GENZ_MALIK_CORNER
};
#define GENZ_MALIK_KINDS     6
#define GENZ_MALIK_ALONG(d)  (1 + 6 * (d))              /* before pairs and corners */
#define GENZ_MALIK_POINTS(d) (GENZ_MALIK_ALONG(d) + 2 * (d) * ((d) - 1) + (1 << (d)))

/* The first point of a kind. */
FN int genz_malik_first(int d, int kind)
{
    return kind == GENZ_MALIK_CENTRE ? 0 : kind <= GENZ_MALIK_PAIR ? 1 + 2 * d * (kind - GENZ_MALIK_NEAR)
           : kind == GENZ_MALIK_CORNER ? GENZ_MALIK_ALONG(d) + 2 * d * (d - 1) : GENZ_MALIK_POINTS(d);
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
    double l = s.kind == GENZ_MALIK_NEAR ? GENZ_MALIK_L2 : s.kind == GENZ_MALIK_FACE ? GENZ_MALIK_L6 : GENZ_MALIK_L4;
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

/* size: of |f|, by the rule of degree 7; finite: points of the rules with a finite value. */
struct genz_malik_sums { double seven, five, size; int finite; };

/* For each kind. */
struct genz_malik_weights { double seven[GENZ_MALIK_KINDS], five[GENZ_MALIK_KINDS]; };

FN struct genz_malik_weights genz_malik_weights(int d)
{
    struct genz_malik_weights w = {
        { (12824.0 - 9120.0 * d + 400.0 * d * d) / 19683, 980.0 / 6561, (1820.0 - 400.0 * d) / 19683, 0.0,
          200.0 / 19683, 6859.0 / 19683 / (1 << d) },
        { (729.0 - 950.0 * d + 50.0 * d * d) / 729, 245.0 / 486, (265.0 - 100.0 * d) / 1458, 0.0, 25.0 / 729, 0.0 }
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

/* reach: half the widths; gaps: what the faces tell, of all axes. */
FN struct totals genz_malik_rule(const struct genz_malik_sums *s, int d, const double *reach, double gaps,
                                 int is_half)
{
    double volume = 1.0;
    for (int k = 0; k < d; k++) volume *= 2.0 * reach[k];
    struct totals b = { volume * s->seven, 0.0, volume * s->size };
    b.error = fmax(fabs(b.value - volume * s->five), 50.0 * ROUNDING * b.size) + GENZ_MALIK_GAP * volume * gaps;
    if (!is_half && b.size > 0.0) b.error = fmax(b.error, b.size);
    if (s->finite < GENZ_MALIK_POINTS(d) - 2 * d || !isfinite(b.value)) b.error = INFINITY;
    if (!s->finite) b.value = NAN;
    return b;
}

/* --- along the axes ----------------------------------------------------------------- */

/* fourth: the fourth difference; gap: by how much both faces are off what is smooth, where no point of the rules is. */
struct genz_malik_line { double fourth, gap; };

/* Beyond what is smooth; 0 where nothing is known. */
FN double genz_malik_beyond(double off, double smooth)
{
    double beyond = fabs(off) - smooth;
    return beyond > 0.0 && isfinite(beyond) ? beyond : 0.0;
}

/* Axis k, from values along all axes.  With t = l^2 the polynomial is f0 + t (e2 + (t - t2)/(t4 - t2) (e4 - e2))
 * +- l (o2 + (t - t2)/(t4 - t2) (o4 - o2)), e and o what it is at l2 and l4. */
FN struct genz_malik_line genz_malik_line(int d, const double *f, int k)
{
    const double t2 = 9.0 / 70, t4 = 0.9, t6 = GENZ_MALIK_L6 * GENZ_MALIK_L6, share = (t6 - t2) / (t4 - t2);
    const double *near = f + 1 + 2 * k, *far = near + 2 * d, *face = far + 2 * d;
    double even_near = near[0] + near[1] - 2.0 * f[0], even_far = far[0] + far[1] - 2.0 * f[0];
    double o2 = (near[1] - near[0]) / (2.0 * GENZ_MALIK_L2), o4 = (far[1] - far[0]) / (2.0 * GENZ_MALIK_L4);
    double e2 = even_near / (2.0 * t2), e4 = even_far / (2.0 * t4);
    double even = f[0] + t6 * (e2 + share * (e4 - e2)), odd = GENZ_MALIK_L6 * (o2 + share * (o4 - o2));
    struct genz_malik_line line = { fabs(even_near - even_far / 7.0), 0.0 };
    double smooth = GENZ_MALIK_SMOOTH * (line.fourth + 2.0 * GENZ_MALIK_L4 * fabs(o4 - o2));
    smooth += 50.0 * ROUNDING * fabs(f[0]);
    line.gap = genz_malik_beyond(face[0] - (even - odd), smooth) + genz_malik_beyond(face[1] - (even + odd), smooth);
    return line;
}

/* --- boxes -------------------------------------------------------------------------- */

/* What comes of a box: its sums, and the axis along which it is to be halved. */
struct genz_malik_found { struct totals sums; int axis, unused; };

/* f: values, those along the axes at least. */
FN struct genz_malik_found genz_malik_found(const struct genz_malik_sums *s, int d, const double *f,
                                            const double *reach, int is_half)
{
    struct genz_malik_found found;
    double largest = -1.0, widest = 0.0, gaps = 0.0;
    found.axis = found.unused = 0;
    for (int k = 0; k < d; k++) {
        struct genz_malik_line line = genz_malik_line(d, f, k);
        double difference = line.fourth + line.gap;
        if (!(difference >= 0.0)) difference = INFINITY;
        gaps += line.gap;
        if (difference < largest || (difference == largest && reach[k] <= widest)) continue;
        largest = difference;
        widest = reach[k];
        found.axis = k;
    }
    found.sums = genz_malik_rule(s, d, reach, gaps, is_half);
    return found;
}

/* Boxes by which a range is divided if all seems to be 0, a power of 2. */
FN int genz_malik_boxes_zero(int d)
{
    int first_intervals = 1;
    while (first_intervals < GENZ_MALIK_BOXES &&
           first_intervals * GENZ_MALIK_POINTS(d) < GENZ_MALIK_ZEROS) first_intervals *= 2;
    return first_intervals;
}

/* The range along axis k of one of 2^m boxes: their numbers' bits say which half it is in, axis by axis. */
FN void genz_malik_box(int number, int first_intervals, int d, int k, double *low, double *high)
{
    for (int bit = k; first_intervals >> bit > 1; bit += d) {
        double middle = 0.5 * *low + 0.5 * *high;
        if (number >> bit & 1) *low = middle;
        else *high = middle;
    }
}

/* Too narrow to be halved along an axis? */
FN int genz_malik_is_narrow(double centre, double reach)
{
    return reach <= GENZ_MALIK_NARROW * fabs(centre) || reach < 1e-300;
}

#endif
