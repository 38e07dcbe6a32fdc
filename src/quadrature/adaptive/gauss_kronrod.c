/* quadrature/adaptive/gauss_kronrod.c: how the parts of a range are cut for the rule of Gauss and Kronrod (quadrature/adaptive/gauss_kronrod.h): into
 * GK_PANELS intervals, or GK_PANELS_ZERO where all was 0. */
#include <string.h>
#include "gauss_kronrod.h"
#include "../limits.h"
#include "subregion.h"

#if RULES > TOGETHER
#  error "refinement.c has no room for so many"
#endif

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

WIDE void points(const struct part *v, double *x)
{
    interval_points(v, x);
}

WIDE void estimates(const struct part *v, const double *f, struct estimate *to)
{
    interval_estimates(v, f, to);
}

/* Where these are; lanes that have none repeat the first. */
static void get_parts(void *const *piece, int count, struct part *v)
{
    for (int p = 0; p < RULES; p++) v[p] = ((const struct ruled *)piece[p < count ? p : 0])->part;
}

static void place(const struct cutting *cut, void *const *piece, int count, double *const *x)
{
    struct part v[RULES];
    double all[GK_POINTS * RULES];
    (void)cut;
    get_parts(piece, count, v);
    points(v, count < RULES ? all : x[0]);
    for (int j = 0; j < GK_POINTS && count < RULES; j++)
        memcpy(x[0] + j * count, all + j * RULES, (size_t)count * sizeof *all);
}

static void sum(void *const *piece, int count, const double *f)
{
    struct part v[RULES];
    struct estimate e[RULES];
    double all[GK_POINTS * RULES];
    get_parts(piece, count, v);
    for (int j = 0; j < GK_POINTS && count < RULES; j++)
        for (int p = 0; p < RULES; p++) all[j * RULES + p] = f[j * count + (p < count ? p : 0)];
    estimates(v, count < RULES ? all : f, e);
    for (int p = 0; p < count; p++) {
        struct ruled *r = piece[p];
        r->own = e[p];
        r->piece.value = e[p].value;
        r->piece.error = e[p].error;
        r->piece.size = e[p].size;
    }
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
    l->piece = h->piece = r->piece;
    l->number = h->number = r->number;
    l->part = h->part = r->part;
    l->own.cut = h->own.cut = r->own.cut;           /* halves may be cut before they have values */
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
        .together = RULES, .panels_zero = GK_PANELS_ZERO, .begin = begin, .most = most, .place = place, .sum = sum,
        .join = join, .own_error = own_error, .halve = halve, .is_wild = is_wild, .is_stuck = is_stuck
    };
    return integrate_adaptive(job, &cut, sampler, poll, st);
}
