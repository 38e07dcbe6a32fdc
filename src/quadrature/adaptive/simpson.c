/* quadrature/adaptive/simpson.c: how the parts of a range are cut for adaptive Simpson quadrature (quadrature/adaptive/simpson.h): into
 * SIMPSON_PANELS intervals, or SIMPSON_PANELS_ZERO where all was 0. */
#include "simpson.h"
#include "../limits.h"
#include "subregion.h"

struct arc {
    struct piece piece;
    struct parabola own;
};

static void place(const struct cutting *cut, void *const *piece, int count, double *const *x)
{
    (void)cut;
    (void)count;
    const struct arc *a = *piece;
    int is_half = a->piece.mate != 0, points = is_half ? SIMPSON_NEW : SIMPSON_POINTS;
    for (int k = 0; k < points; k++)
        x[0][k] = part_x(a->own.part, simpson_t(a->own.part, simpson_point(is_half, k)));
}

static void sum(void *const *piece, int count, const double *f)
{
    struct arc *a = *piece;
    (void)count;
    int is_half = a->piece.mate != 0, points = is_half ? SIMPSON_NEW : SIMPSON_POINTS;
    for (int k = 0; k < points; k++) a->own.f[simpson_point(is_half, k)] = f[k];
    piece_set(&a->piece, simpson_rule(&a->own, is_half));
}

static size_t begin(const struct integral_job *j, size_t i, int panels, void *room)
{
    struct arc *to = room, a = { .piece = { .integral = i, .is_new = 1 } };
    struct parts parts = parts_of(j, i);
    struct part p;
    size_t count = 0;
    while (parts_next(&parts, &p))
        for (int k = 0; k < panels; k++) {
            a.own = simpson_panel(p, k, panels);
            to[count++] = a;
        }
    return count;
}

static size_t most(const struct integral_job *j, int panels)
{
    return (size_t)((j->break_count + 2) * panels);
}

static void halve(const void *piece, void *left, void *right)
{
    const struct arc *a = piece;
    struct arc *l = left, *r = right;
    l->piece = r->piece = a->piece;
    simpson_halve(&a->own, &l->own, &r->own);
}

static int is_stuck(const void *piece)
{
    const struct arc *a = piece;
    return part_is_narrow(a->own.part.low, a->own.part.high);
}

int integrate_simpson(const struct integral_job *job, const struct sampler *sampler, poll_function poll,
                      struct status *st)
{
    static const struct cutting cut = {
        .bytes = sizeof(struct arc), .first_points = SIMPSON_POINTS, .points = SIMPSON_NEW, .panels = SIMPSON_PANELS,
        .together = 1, .panels_zero = SIMPSON_PANELS_ZERO, .two_level = 1, .least_share = SIMPSON_LEAST_SHARE,
        .begin = begin, .most = most, .place = place, .sum = sum, .halve = halve, .is_stuck = is_stuck
    };
    return integrate_adaptive(job, &cut, sampler, poll, st);
}
