/* Clusters of intervals with large errors, each around one singular point (singular.h).
 *
 * Bisection may go on until the intervals with large errors reach hardly farther from the singular point, on one side
 * or on both, than numbers are dense enough for extrapolation.  A cluster then also includes intervals with small
 * errors, from which the extrapolation begins.
 */
#include <math.h>
#include "singular.h"

#define EXTRAPOLATION_RATIO 0x1p19  /* ratio of distances from a singular point over which to extrapolate: 3^12 */

size_t narrowest_of(const struct gk_interval *r, size_t from, size_t to)
{
    size_t narrowest = from;
    for (size_t k = from + 1; k < to; k++)
        if (interval_half_length(r[k].part) < interval_half_length(r[narrowest].part)) narrowest = k;
    return narrowest;
}

/* TRUE if intervals k, k + way, ..., last become longer, apart from factors of up to 2. */
static int lengths_increase(const struct gk_interval *r, size_t k, size_t last, int direction)
{
    double longest = interval_half_length(r[k].part);
    for (; k != last; k += (size_t)direction) {
        double next = interval_half_length(r[k + (size_t)direction].part);
        if (next < 0.5 * longest) return 0;
        longest = fmax(longest, next);
    }
    return 1;
}

int is_around_one_point(const struct gk_interval *r, size_t from, size_t to)
{
    size_t k = narrowest_of(r, from, to);
    return lengths_increase(r, k, to - 1, 1) && lengths_increase(r, k, from, -1);
}

/* TRUE if two successive clusters appear to have one singular point: they are nearer to each other than the longer one
 * of them is long, and intervals become longer on both sides of the shortest. */
static int share_singular_point(const struct gk_interval *r, const struct cluster *a, const struct cluster *b)
{
    double low = r[a->from].part.low, end = r[a->to - 1].part.high;
    double start = r[b->from].part.low, high = r[b->to - 1].part.high;
    return r[a->from].number == r[b->from].number && start - end <= fmax(end - low, high - start) &&
           is_around_one_point(r, a->from, b->to);
}

/* Finds the runs of intervals with errors above `minimum`.  Returns their number, CLUSTERS_MAX + 1 if there are
 * more. */
static int runs_of(const struct gk_interval *r, size_t count, double minimum, struct cluster *c)
{
    int found = 0;
    for (size_t k = 0; k < count; k++) {
        if (r[k].subregion.error <= minimum) continue;
        if (found && c[found - 1].to == k && r[k - 1].number == r[k].number) {
            c[found - 1].to = k + 1;
            continue;
        }
        if (found == CLUSTERS_MAX) return CLUSTERS_MAX + 1;
        struct cluster next = { k, k + 1 };
        c[found++] = next;
    }
    return found;
}

/* Adds intervals to a cluster on one side of its shortest interval, those before number `limit` (direction = 1) or from
 * it on (direction = -1), as long as they become longer, until their distances from the singular point have the ratio
 * EXTRAPOLATION_RATIO that an extrapolation needs, which begins at their end and ends where floating-point numbers are
 * too sparse. */
static void extend_cluster(const struct gk_interval *r, size_t limit, struct cluster *c, int direction)
{
    struct part shortest = r[narrowest_of(r, c->from, c->to)].part;
    double end = fmax(fabs(shortest.low), fabs(shortest.high));
    double tolerance = EXTRAPOLATION_RATIO * EXTRAPOLATE_NEAR * ROUNDING * end;
    while ((direction > 0 ? c->to : c->from) != limit) {
        double reached = direction > 0 ? r[c->to - 1].part.high - shortest.high : shortest.low - r[c->from].part.low;
        struct cluster next = { c->from - (direction < 0), c->to + (direction > 0) };
        int is_one_part = r[next.from].number == r[next.to - 1].number;
        if (reached >= tolerance || !is_one_part || !is_around_one_point(r, next.from, next.to)) return;
        *c = next;
    }
}

int clusters_of(const struct gk_interval *r, size_t count, double minimum, struct cluster *c)
{
    int runs = runs_of(r, count, minimum, c), found = 0;
    if (runs > CLUSTERS_MAX) return runs;
    for (int k = 0; k < runs; k++) {
        struct cluster next = c[k];
        for (; found > 0 && share_singular_point(r, &c[found - 1], &next); found--) next.from = c[found - 1].from;
        c[found++] = next;
    }
    for (int k = 0; k < found && found <= CLUSTERS; k++) {
        extend_cluster(r, k > 0 ? c[k - 1].to : 0, &c[k], -1);
        extend_cluster(r, k + 1 < found ? c[k + 1].from : count, &c[k], 1);
    }
    return found;
}
