/* integrate/simpson.c: adaptive Simpson quadrature (Lyness 1969, Notes on the adaptive Simpson quadrature routine,
 * J. ACM 16, 483-495), breadth-first.
 *
 * On an interval of length l with values g0, ..., g4 at equal distances,
 *
 *     S1 = l/6 (g0 + 4 g2 + g4),    S2 = l/12 (g0 + 4 g1 + 2 g2 + 4 g3 + g4),
 *     value = S2 + (S2 - S1)/15,    error = |S2 - S1|/15,
 *
 * so the error is that of S2, of which about the square root of a sixth order is left in the value.  A half takes three
 * of its values from the whole and needs two new ones.  |S2 - S1| may be small by chance: an interval that comes from
 * no other counts as unknown, and halves answer for their difference from the whole (adaptive.c), each for a 16th
 * of it at least: where the fourth derivative changes its sign, one of them may seem to have no error at all.
 *
 * In a half, |S2 - S1| is about a 32nd of what it was in the whole, unless the integrand is rough: a jump leaves a
 * sixth or more, and is worth up to 0.183 l, which is 2.2 |S2 - S1| at most.  That is the error where more than an
 * eighth is left.
 *
 * A value that is not finite at a limit or a break, or that lies at infinity, is taken from its neighbour; elsewhere it
 * is what core/parts.h says.
 */
#include <float.h>
#include "interval.h"
#include "limits.h"

#define POINTS      5
#define NEW_POINTS  2
#define PANELS      7                   /* a number that the periods of few integrands share */
#define PANELS_ZERO 1024
#define LEAST_SHARE (1.0 / 16.0)
#define SMOOTH      (1.0 / 8.0)
#define JUMP        2.2

struct parabola {
    struct interval v;
    int low_end, high_end;              /* of the part */
    double f[POINTS], gap;              /* gap: |S2 - S1|, of the whole before a half has its own */
};

static double place_of(const struct part *p, int q)
{
    return q == 0 ? p->low : q == POINTS - 1 ? p->high : p->low + 0.25 * q * (p->high - p->low);
}

static void place(const void *piece, double *const *x)
{
    const struct parabola *s = piece;
    int step = s->v.piece.mate ? 2 : 1, at = 0;
    for (int q = step - 1; q < POINTS; q += step) x[0][at++] = part_x(s->v.part, place_of(&s->v.part, q));
}

/* Values times dx/dt; are all of them finite? */
static int weigh(const struct parabola *s, double *g)
{
    const struct part *p = &s->v.part;
    double t[POINTS];
    for (int q = 0; q < POINTS; q++) {
        t[q] = place_of(p, q);
        g[q] = p->side == 0 ? s->f[q] : s->f[q] / (t[q] * t[q]);
    }
    if ((s->low_end && !isfinite(g[0])) || (p->side != 0 && t[0] == 0.0)) g[0] = g[1];
    if (s->high_end && !isfinite(g[4])) g[4] = g[3];
    return part_drop(*p, t, s->f, g, POINTS);
}

static void sum(void *piece, const double *f)
{
    struct parabola *s = piece;
    struct piece *p = &s->v.piece;
    double g[POINTS], l = s->v.part.high - s->v.part.low;
    int step = p->mate ? 2 : 1, at = 0;
    for (int q = step - 1; q < POINTS; q += step) s->f[q] = f[at++];
    int finite = weigh(s, g);
    double s1 = l / 6.0 * (g[0] + 4.0 * g[2] + g[4]);
    double s2 = l / 12.0 * (g[0] + 4.0 * g[1] + 2.0 * g[2] + 4.0 * g[3] + g[4]);

    p->value = s2 + (s2 - s1) / 15.0;
    p->size = l / 12.0 * (fabs(g[0]) + 4.0 * fabs(g[1]) + 2.0 * fabs(g[2]) + 4.0 * fabs(g[3]) + fabs(g[4]));
    int is_rough = p->mate && fabs(s2 - s1) > SMOOTH * s->gap;
    s->gap = fabs(s2 - s1);
    p->error = fmax(is_rough ? JUMP * s->gap : s->gap / 15.0, 50.0 * DBL_EPSILON * p->size);
    if (!p->mate && p->size > 0.0) p->error = fmax(p->error, p->size);
    if (!finite || !isfinite(p->value)) p->error = INFINITY;
    if (!finite && !part_any_finite(s->f, POINTS)) p->value = NAN;
}

static size_t begin(const struct integral_job *j, size_t i, int panels, void *room)
{
    struct parabola *to = room, s = { .v = { .piece = { .integral = i, .is_new = 1 } } };
    struct parts parts = parts_of(j, i);
    struct part p;
    size_t count = 0;
    while (parts_next(&parts, &p))
        for (int k = 0; k < panels; k++) {
            s.v.part = part_panel(p, k, panels);
            s.low_end = k == 0;
            s.high_end = k == panels - 1;
            to[count++] = s;
        }
    return count;
}

static size_t most(const struct integral_job *j, int panels)
{
    return (size_t)((j->break_count + 2) * panels);
}

static void halve(const void *piece, void *left, void *right)
{
    const struct parabola *s = piece;
    struct parabola *l = left, *r = right;
    *l = *r = *s;
    interval_part(&s->v, 0.5 * s->v.part.low + 0.5 * s->v.part.high, &l->v, &r->v);
    l->high_end = r->low_end = 0;
    for (int q = 0; q < 3; q++) {
        l->f[2 * q] = s->f[q];
        r->f[2 * q] = s->f[q + 2];
    }
}

static int is_stuck(const void *piece)
{
    const struct parabola *s = piece;
    return part_is_narrow(s->v.part.low, s->v.part.high);
}

int integrate_simpson(const struct integral_job *job, const struct sampler *sampler, poll_function poll,
                      struct status *st)
{
    static const struct cutting cut = {
        .bytes = sizeof(struct parabola), .first_points = POINTS, .points = NEW_POINTS, .panels = PANELS,
        .panels_zero = PANELS_ZERO, .two_level = 1, .least_share = LEAST_SHARE, .begin = begin, .most = most,
        .place = place, .sum = sum, .halve = halve, .is_stuck = is_stuck
    };
    return integrate_adaptive(job, &cut, sampler, poll, st);
}
