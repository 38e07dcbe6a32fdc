/* integrate/gk.c: how the parts of a range are cut for the rule of Gauss and Kronrod (core/interval.h): into
 * GK_PANELS intervals, or GK_PANELS_ZERO where all was 0. */
#include "../core/elementary.h"
#include "../core/interval.h"
#include "limits.h"
#include "piece.h"

struct ruled {
    struct piece piece;
    struct part part;
    int number;                         /* of the part */
    struct estimate own;                /* without what neighbours tell */
};

static size_t begin(const struct integral_job *j, size_t i, int panels, void *room)
{
    struct ruled *to = room, r = { .piece = { .integral = i, .is_new = 1 } };
    struct parts parts = parts_of(j, i);
    struct part p;
    size_t count = 0;
    for (; parts_next(&parts, &p); r.number++)
        for (int k = 0; k < panels; k++) {
            r.part = part_panel(p, k, panels);
            to[count++] = r;
        }
    return count;
}

static size_t most(const struct integral_job *j, int panels)
{
    return (size_t)((j->break_count + 2) * panels);
}

WIDE void nodes(struct part p, double *restrict t)
{
    for (int j = 0; j < GK_POINTS; j++) t[j] = interval_t(p, j);
}

static void place(const struct cutting *cut, const void *piece, double *const *x)
{
    (void)cut;
    const struct ruled *r = piece;
    nodes(r->part, x[0]);
    if (r->part.side == 0) return;
    for (int j = 0; j < GK_POINTS; j++) x[0][j] = part_x(r->part, x[0][j]);
}

WIDE void add_up(const double *restrict g, struct rule_sums *restrict sums)
{
    interval_add_up(g, sums);
}

static void sum(void *piece, const double *f)
{
    struct ruled *r = piece;
    struct rule_sums sums;
    double g[GK_POINTS];
    int finite = 1;
    interval_scale(r->part, f, g);
    add_up(g, &sums);
    if (!isfinite(sums.even[0])) {
        finite = interval_drop(r->part, f, g);
        add_up(g, &sums);
    }
    r->own = interval_estimate(r->part, f, &sums, finite);
    r->piece.value = r->own.value;
    r->piece.error = r->own.error;
    r->piece.size = r->own.size;
}

/* Where no break parts them, neighbours tell of each other. */
static void join(void *pieces, size_t count)
{
    struct ruled *r = pieces;
    for (size_t k = 0; k < count; k++) r[k].piece.error = r[k].own.error;
    for (size_t k = 1; k < count; k++) {
        if (r[k - 1].number != r[k].number) continue;
        double more = interval_joint(r[k - 1].own, r[k].own);
        r[k - 1].piece.error += more * interval_reach(r[k - 1].part);
        r[k].piece.error += more * interval_reach(r[k].part);
    }
}

static double own_error(const void *piece)
{
    const struct ruled *r = piece;
    return r->own.error;
}

static void halve(const void *piece, void *left, void *right)
{
    const struct ruled *r = piece;
    struct ruled *l = left, *h = right;
    *l = *h = *r;
    l->part.high = h->part.low = interval_cut(r->part, r->own);
}

static int is_wild(const void *piece)
{
    const struct ruled *r = piece;
    return r->own.is_wild;
}

static int is_stuck(const void *piece)
{
    const struct ruled *r = piece;
    return part_is_narrow(r->part.low, r->part.high);
}

int integrate_gk(const struct integral_job *job, const struct sampler *sampler, poll_function poll, struct status *st)
{
    static const struct cutting cut = {
        .bytes = sizeof(struct ruled), .first_points = GK_POINTS, .points = GK_POINTS, .panels = GK_PANELS,
        .panels_zero = GK_PANELS_ZERO, .begin = begin, .most = most, .place = place, .sum = sum, .join = join,
        .own_error = own_error, .halve = halve, .is_wild = is_wild, .is_stuck = is_stuck
    };
    return integrate_adaptive(job, &cut, sampler, poll, st);
}
