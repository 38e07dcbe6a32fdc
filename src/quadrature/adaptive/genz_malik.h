/* The rule of Genz and Malik (1980, doi:10.1016/0771-050X(80)90039-X) for boxes in two or more dimensions, of degree 7,
 * with an embedded rule of degree 5.
 *
 * On (-1, 1)^d, with f0 the value at the centre and sums over all points of a kind,
 *
 *     I7 = V [ w1 f0 + w2 sum f(+-l2 ei) + w3 sum f(+-l4 ei) + w4 sum f(+-l4 ei +-l4 ej) + w5 sum f(+-l5, ..., +-l5) ],
 *     I5 the same without the last sum and with weights u1, ..., u4,
 *     l2^2 = 9/70, l4^2 = 9/10, l5^2 = 9/19,
 *
 * where V is the volume of the box.  The error is |I7 - I5|, which may be small by chance.  The error of a box that is
 * not a half is therefore at least the integral of |f|, and those of two halves are raised according to their
 * difference from the whole (quadrature/adaptive/bisection.h).  A box is bisected along the axis with the largest
 * fourth difference
 *
 *     |f(l2) + f(-l2) - 2 f0 - (f(l4) + f(-l4) - 2 f0) l2^2/l4^2|,
 *
 * or along the widest of the axes with equal ones.
 *
 * These rules do not detect a jump between the outermost points and a face, in 5 % of the box along each axis; and
 * repeated bisection places jumps there by chance, until what is left of them is not detected.  Therefore, f is also
 * evaluated at 2 d points +-l6 ei next to the centres of the faces, which are not part of the rules.  Let p be the
 * polynomial of degree 4 through the five values along an axis, and S the sum of their fourth difference and their
 * third difference |f(l4) - f(-l4) - (f(l2) - f(-l2)) l4/l2|.  If f is smooth up to the face, |f(l6) - p(l6)| < S
 * (0.06, 0.43 and 0.95 S for x^5, x^6, x^8).  Any excess over SMOOTH S and rounding is multiplied by the volume of the
 * part of the box without a point of the rules and added to the error; it is also added to the fourth difference that
 * selects the axis.  Points on the faces themselves would often be singular.
 *
 * A region that a curved surface cuts off may lie between all points of a box and be detected only in the other half of
 * the bisected box.  Each half therefore has at least GENZ_MALIK_MIN_SHARE of the error of both.  If all values are 0,
 * the range is examined again as genz_malik_boxes_zero() boxes.
 *
 * For integrals over the square with a jump at a random x and a tolerance of 1e-6, the error is thus underestimated in
 * 0.05 % of the cases (bench/errors.R), and in 48 % without these measures.  Singular edges take three to five times as
 * many boxes.
 *
 * Far from the tolerance, a round bisects only the boxes with most of the error, not all that would have to be bisected
 * to reach it: errors fall slowly in many dimensions, and bisecting the others would divide the range evenly.  With 3e7
 * evaluations of (1 + sum k x_k)^-9 in 8 dimensions, at a tolerance of 1e-8, the error estimate is 0.0030, otherwise
 * 0.15.  With GENZ_MALIK_REST a quarter instead of a tenth, a corner singularity was accepted after 9 boxes.
 */
#ifndef STABLECL_QUADRATURE_ADAPTIVE_GENZ_MALIK_H
#define STABLECL_QUADRATURE_ADAPTIVE_GENZ_MALIK_H

#include "bisection.h"

#define GENZ_MALIK_AXES 8
#define GENZ_MALIK_L2   0.35856858280031809199
#define GENZ_MALIK_L4   0.94868329805051379960
#define GENZ_MALIK_L5   0.68824720161168529772
#define GENZ_MALIK_L6   (1.0 - 0x1p-13)
#define GENZ_MALIK_GAP  (0.5 * (1.0 - GENZ_MALIK_L4))   /* share of the volume outside the points, at a face */
#define GENZ_MALIK_SMOOTH 2.0
#define GENZ_MALIK_ZEROS  4096          /* least number of points for all values to be taken as 0, */
#define GENZ_MALIK_BOXES 256           /* and the largest number of boxes for them */
#define GENZ_MALIK_UNEVEN 0.0625        /* volume of a narrow box, in units of those of that number */
#define GENZ_MALIK_NARROW (16.0 * ROUNDING)
#define GENZ_MALIK_MIN_SHARE 0.1            /* least share of each half in the error of both */
#define GENZ_MALIK_REST 0.1             /* share of the error left to boxes that are not bisected in a round */

/* --- points, ordered by kind ----------------------------------------------------- */

enum genz_malik_kind {
    GENZ_MALIK_CENTRE, GENZ_MALIK_NEAR, GENZ_MALIK_FAR, GENZ_MALIK_FACE, GENZ_MALIK_PAIR, GENZ_MALIK_CORNER
};
#define GENZ_MALIK_KINDS     6
#define GENZ_MALIK_ALONG(d)  (1 + 6 * (d))              /* number of points before pairs and corners */
#define GENZ_MALIK_POINTS(d) (GENZ_MALIK_ALONG(d) + 2 * (d) * ((d) - 1) + (1 << (d)))

/* Returns the number of the first point of a kind. */
FN int genz_malik_first(int d, int kind)
{
    return kind == GENZ_MALIK_CENTRE ? 0 : kind <= GENZ_MALIK_PAIR ? 1 + 2 * d * (kind - GENZ_MALIK_NEAR)
           : kind == GENZ_MALIK_CORNER ? GENZ_MALIK_ALONG(d) + 2 * d * (d - 1) : GENZ_MALIK_POINTS(d);
}

/* Returns the kind of point q. */
FN int genz_malik_kind(int d, int q)
{
    int kind = GENZ_MALIK_CENTRE;
    for (int k = GENZ_MALIK_NEAR; k <= GENZ_MALIK_CORNER; k++) kind += q >= genz_malik_first(d, k);
    return kind;
}

/* Offset of a point from the centre, in units of half the widths: along axes i and j (-1: none), or in a corner, whose
 * bits select the sides. */
struct genz_malik_shift { int kind, i, j, corner; double at_i, at_j; };

/* Returns the offset of point q. */
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

/* Returns the offset along axis k. */
FN double genz_malik_offset(const struct genz_malik_shift *s, int k)
{
    if (s->kind == GENZ_MALIK_CORNER) return s->corner >> k & 1 ? GENZ_MALIK_L5 : -GENZ_MALIK_L5;
    return k == s->i ? s->at_i : k == s->j ? s->at_j : 0.0;
}

/* --- sums --------------------------------------------------------------------------- */

/* Weighted sums over the points of a box. size: that of |f|, by the rule of degree 7; finite: number of points of the
 * rules with a finite value. */
struct genz_malik_sums { double seven, five, size; int finite; };

/* Weights of each kind in the rules of degrees 7 and 5. */
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

/* Adds the sum of the values at the points of a kind, and that of their absolute values. */
FN void genz_malik_add_kind(struct genz_malik_sums *to, const struct genz_malik_weights *w, int kind, double sum,
                            double size)
{
    to->seven += w->seven[kind] * sum;
    to->five += w->five[kind] * sum;
    to->size += fabs(w->seven[kind]) * size;
}

/* Returns the value, error and size of a box.  half_width: half the width along each axis; gaps: sum of the gaps of all
 * axes. */
FN struct totals genz_malik_rule(const struct genz_malik_sums *s, int d, const double *half_width, double gaps,
                                 int is_half)
{
    double volume = 1.0;
    for (int k = 0; k < d; k++) volume *= 2.0 * half_width[k];
    struct totals b = { volume * s->seven, 0.0, volume * s->size };
    b.error = fmax(fabs(b.value - volume * s->five), 50.0 * ROUNDING * b.size) + GENZ_MALIK_GAP * volume * gaps;
    if (!is_half && b.size > 0.0) b.error = fmax(b.error, b.size);
    if (s->finite < GENZ_MALIK_POINTS(d) - 2 * d || !isfinite(b.value)) b.error = INFINITY;
    if (!s->finite) b.value = NAN;
    return b;
}

/* --- along the axes ----------------------------------------------------------------- */

/* fourth: the fourth difference; gap: sum of the deviations at both faces beyond those of a smooth function. */
struct genz_malik_line { double fourth, gap; };

/* Returns the deviation beyond that of a smooth function; 0 if it is negative or not finite. */
FN double genz_malik_excess(double off, double smooth)
{
    double beyond = fabs(off) - smooth;
    return beyond > 0.0 && isfinite(beyond) ? beyond : 0.0;
}

/* Returns the results for axis k from the values along all axes.  With t = l^2 the polynomial is
 *
 *     f0 + t (e2 + (t - t2)/(t4 - t2) (e4 - e2)) +- l (o2 + (t - t2)/(t4 - t2) (o4 - o2)),
 *
 * where e and o are the even and odd divided differences at l2 and l4.
 */
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
    line.gap = genz_malik_excess(face[0] - (even - odd), smooth) + genz_malik_excess(face[1] - (even + odd), smooth);
    return line;
}

/* --- boxes -------------------------------------------------------------------------- */

/* Result for a box: its sums, and the axis along which it is to be bisected. */
struct genz_malik_result { struct totals sums; int axis, unused; };

/* Returns the result for a box. f: values, at least those along the axes. */
FN struct genz_malik_result genz_malik_result(const struct genz_malik_sums *s, int d, const double *f,
                                              const double *half_width, int is_half)
{
    struct genz_malik_result found;
    double largest = -1.0, widest = 0.0, gaps = 0.0;
    found.axis = found.unused = 0;
    for (int k = 0; k < d; k++) {
        struct genz_malik_line line = genz_malik_line(d, f, k);
        double difference = line.fourth + line.gap;
        if (!(difference >= 0.0)) difference = INFINITY;
        gaps += line.gap;
        if (difference < largest || (difference == largest && half_width[k] <= widest)) continue;
        largest = difference;
        widest = half_width[k];
        found.axis = k;
    }
    found.sums = genz_malik_rule(s, d, half_width, gaps, is_half);
    return found;
}

/* Returns the number of boxes, a power of 2, into which a range is divided if all values seem to be 0. */
FN int genz_malik_boxes_zero(int d)
{
    int first_intervals = 1;
    while (first_intervals < GENZ_MALIK_BOXES &&
           first_intervals * GENZ_MALIK_POINTS(d) < GENZ_MALIK_ZEROS) first_intervals *= 2;
    return first_intervals;
}

/* Returns 1 if a box after `depth` bisections is wide, -1 if it is narrow (bisection.h), and 0 otherwise. */
FN int genz_malik_width_class(int d, int depth)
{
    double part = ldexp((double)genz_malik_boxes_zero(d), -depth);
    return part > 1.0 ? 1 : part <= GENZ_MALIK_UNEVEN ? -1 : 0;
}

/* Reduces the range along axis k to that of one of 2^m boxes: the bits of its number select halves, axis by axis. */
FN void genz_malik_box(int number, int first_intervals, int d, int k, double *low, double *high)
{
    int axis = 0;
    for (int bit = first_intervals / 2; bit; bit /= 2, axis = axis + 1 < d ? axis + 1 : 0) {
        double middle = 0.5 * *low + 0.5 * *high;
        if (axis != k) continue;
        if (number & bit) *low = middle;
        else *high = middle;
    }
}

/* TRUE if a box is too narrow to be bisected along an axis. */
FN int genz_malik_is_narrow(double centre, double half_width)
{
    return half_width <= GENZ_MALIK_NARROW * fabs(centre) || half_width < 1e-300;
}

#endif
