/* integrate/cubature.c: boxes in 2 to CUBATURE_AXES dimensions by the rule of Genz and Malik (1980,
 * doi:10.1016/0771-050X(80)90039-X), of degree 7, with one of degree 5 among its points.
 *
 * On (-1, 1)^d, with f0 the value at the centre and sums over all points of a kind,
 *
 *     I7 = V [ w1 f0 + w2 sum f(+-l2 ei) + w3 sum f(+-l4 ei) + w4 sum f(+-l4 ei +-l4 ej) + w5 sum f(+-l5, ..., +-l5) ],
 *     I5 the same without the last sum and with weights u1, ..., u4,
 *     l2^2 = 9/70, l4^2 = 9/10, l5^2 = 9/19,
 *
 * V the volume of the box.  The error is |I7 - I5|, which may be small by chance: a box that comes from no other
 * counts as unknown, and halves answer for their difference from the whole (adaptive.c).  A box is halved
 * along the axis with the largest fourth difference |f(l2) + f(-l2) - 2 f0 - (f(l4) + f(-l4) - 2 f0) l2^2/l4^2|, or
 * the widest of those with equal ones.
 */
#include <float.h>
#include <string.h>
#include "limits.h"
#include "piece.h"

#define L2 0.35856858280031809199
#define L4 0.94868329805051379960
#define L5 0.68824720161168529772
#define NARROW (16.0 * DBL_EPSILON)

struct box {
    struct piece piece;
    int dim, axis;                      /* axis: along which it is halved */
    double centre[CUBATURE_AXES], half[CUBATURE_AXES];
};

static int points_of(int d)
{
    return 1 + 4 * d + 2 * d * (d - 1) + (1 << d);
}

/* --- points, in the order of the sums above ------------------------------------- */

static int put_centre(const struct box *b, double *const *x, int q)
{
    for (int k = 0; k < b->dim; k++) x[k][q] = b->centre[k];
    return q + 1;
}

/* +-l along each axis in turn, the others at the centre. */
static int put_axes(const struct box *b, double l, double *const *x, int q)
{
    for (int k = 0; k < b->dim; k++)
        for (int sign = -1; sign <= 1; sign += 2) {
            put_centre(b, x, q);
            x[k][q++] += sign * l * b->half[k];
        }
    return q;
}

static int put_pairs(const struct box *b, double l, double *const *x, int q)
{
    for (int i = 0; i < b->dim; i++)
        for (int j = i + 1; j < b->dim; j++)
            for (int corner = 0; corner < 4; corner++) {
                put_centre(b, x, q);
                x[i][q] += (corner & 1 ? l : -l) * b->half[i];
                x[j][q++] += (corner & 2 ? l : -l) * b->half[j];
            }
    return q;
}

static void place(const void *piece, double *const *x)
{
    const struct box *b = piece;
    int q = put_centre(b, x, 0);
    q = put_axes(b, L2, x, q);
    q = put_axes(b, L4, x, q);
    q = put_pairs(b, L4, x, q);
    for (int corner = 0; corner < 1 << b->dim; corner++, q++)
        for (int k = 0; k < b->dim; k++) x[k][q] = b->centre[k] + (corner >> k & 1 ? L5 : -L5) * b->half[k];
}

/* --- sums --------------------------------------------------------------------------- */

struct kinds { double sum[5], size[5]; int finite; };

static struct kinds sum_kinds(const double *f, int d)
{
    int count[5] = { 1, 2 * d, 2 * d, 2 * d * (d - 1), 1 << d };
    struct kinds s = { { 0.0 }, { 0.0 }, 0 };
    for (int kind = 0; kind < 5; kind++)
        for (int q = 0; q < count[kind]; q++, f++) {
            if (!isfinite(*f)) continue;
            s.finite++;
            s.sum[kind] += *f;
            s.size[kind] += fabs(*f);
        }
    return s;
}

static int axis_to_halve(const struct box *b, const double *f)
{
    int axis = 0, d = b->dim;
    double largest = -1.0, widest = 0.0;
    for (int k = 0; k < d; k++) {
        double near = f[1 + 2 * k] + f[2 + 2 * k] - 2.0 * f[0];
        double far = f[1 + 2 * (d + k)] + f[2 + 2 * (d + k)] - 2.0 * f[0];
        double difference = fabs(near - far / 7.0);
        if (!(difference >= 0.0)) difference = INFINITY;
        if (difference < largest || (difference == largest && b->half[k] <= widest)) continue;
        largest = difference;
        widest = b->half[k];
        axis = k;
    }
    return axis;
}

static double weighted(const double *weight, const double *sum)
{
    return weight[0] * sum[0] + weight[1] * sum[1] + weight[2] * sum[2] + weight[3] * sum[3] + weight[4] * sum[4];
}

static void sum(void *piece, const double *f)
{
    struct box *b = piece;
    struct piece *p = &b->piece;
    int d = b->dim;
    double volume = 1.0;
    const double seven[5] = { (12824.0 - 9120.0 * d + 400.0 * d * d) / 19683, 980.0 / 6561,
                              (1820.0 - 400.0 * d) / 19683, 200.0 / 19683, 6859.0 / 19683 / (1 << d) };
    const double five[5] = { (729.0 - 950.0 * d + 50.0 * d * d) / 729, 245.0 / 486, (265.0 - 100.0 * d) / 1458,
                             25.0 / 729, 0.0 };
    const double plain[5] = { fabs(seven[0]), seven[1], fabs(seven[2]), seven[3], seven[4] };
    struct kinds s = sum_kinds(f, d);

    for (int k = 0; k < d; k++) volume *= 2.0 * b->half[k];
    p->value = volume * weighted(seven, s.sum);
    p->size = volume * weighted(plain, s.size);
    p->error = fmax(fabs(p->value - volume * weighted(five, s.sum)), 50.0 * DBL_EPSILON * p->size);
    b->axis = axis_to_halve(b, f);
    if (!p->mate && p->size > 0.0) p->error = fmax(p->error, p->size);
    if (s.finite < points_of(d) || !isfinite(p->value)) p->error = INFINITY;
    if (!s.finite) p->value = NAN;
}

/* --- boxes ----------------------------------------------------------------------------- */

static size_t begin(const struct integral_job *j, size_t i, int panels, void *room)
{
    struct box b;
    memset(&b, 0, sizeof b);
    (void)panels;
    b.piece.integral = i;
    b.piece.is_new = 1;
    b.dim = j->dim;
    for (int k = 0; k < j->dim; k++) {
        double low, high;
        range_of(j, i, k, &low, &high);
        b.centre[k] = 0.5 * low + 0.5 * high;
        b.half[k] = 0.5 * high - 0.5 * low;
    }
    *(struct box *)room = b;
    return 1;
}

static size_t most(const struct integral_job *j, int panels)
{
    (void)j;
    (void)panels;
    return 1;
}

static void halve(const void *piece, void *left, void *right)
{
    const struct box *b = piece;
    struct box *l = left, *r = right;
    int k = b->axis;
    *l = *r = *b;
    l->half[k] = r->half[k] = 0.5 * b->half[k];
    l->centre[k] -= l->half[k];
    r->centre[k] += r->half[k];
}

static int is_stuck(const void *piece)
{
    const struct box *b = piece;
    return b->half[b->axis] <= NARROW * fabs(b->centre[b->axis]) || b->half[b->axis] < 1e-300;
}

int integrate_cubature(const struct integral_job *job, const struct sampler *sampler, poll_function poll,
                       struct status *st)
{
    int points = points_of(job->dim);
    const struct cutting cut = {
        .bytes = sizeof(struct box), .first_points = points, .points = points, .panels = 1, .two_level = 1,
        .begin = begin, .most = most, .place = place, .sum = sum, .halve = halve, .is_stuck = is_stuck
    };
    return integrate_adaptive(job, &cut, sampler, poll, st);
}
