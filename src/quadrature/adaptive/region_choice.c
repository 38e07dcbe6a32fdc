/* The choice of the subregions of an integral that are bisected in a round (bisection.h). */
#include "refinement.h"

/* The errors among which the least one to be bisected is searched for, including the least and the largest of them.
 * below: sum of the errors under them; above: number of the errors over them. */
struct span { double *at, least, largest, below; size_t count; int above; };

/* Divides a span at its middle and keeps the side that contains the least error to be bisected. */
static void part_span(struct span *s, double rest, int most)
{
    double middle = bisections_middle(s->least, s->largest), sum = s->below, last = 0.0, first = INFINITY;
    size_t lows = 0;
    for (size_t k = 0; k < s->count; k++) {
        double error = s->at[k];
        int low = error <= middle;
        s->at[k] = s->at[lows];
        s->at[lows] = error;
        lows += (size_t)low;
        sum += low ? error : 0.0;
        last = low && error > last ? error : last;
        first = !low && error < first ? error : first;
    }
    int highs = (int)(s->count - lows);
    if (bisections_include(sum, rest, s->above + highs, most)) {
        s->above += highs;
        s->count = lows;
        s->largest = last;
    } else {
        s->below = sum;
        s->at += lows;
        s->count = (size_t)highs;
        s->least = first;
    }
}

/* Returns the least error to be bisected. */
static double threshold(struct region_store *f, size_t from, size_t to, const struct region_sums *sum, double rest,
                        int most)
{
    struct span s = { f->work, sum->least, sum->largest, 0.0, 0, 0 };
    if (bisections_only_largest(sum, rest)) return sum->largest;
    for (size_t k = from; k < to; k++) {
        const struct subregion *p = subregion_at(f, f->at, k);
        if (!p->is_stuck) s.at[s.count++] = p->error;
    }
    while (s.least < s.largest) part_span(&s, rest, most);
    return s.largest;
}

int bisect_largest_errors(struct region_store *f, size_t from, size_t to, const struct region_sums *sum, double wanted,
                          int most)
{
    size_t before = f->next_count;
    double rest = bisections_rest(wanted, sum->open, f->cut->rest_share);
    double least = bisections_least(threshold(f, from, to, sum, rest, most), f->cut->rest_share);
    int twice = f->cut->is_singular && bisections_twice(most, (int)(to - from)), halved = 0;
    for (size_t k = from; k < to; k++) {
        const struct subregion *p = subregion_at(f, f->at, k);
        if (p->error >= least && halved < most && !p->is_stuck) {
            store_halve(f, p, twice && f->cut->is_singular(p));
            halved++;
        } else
            store_keep(f, p);
    }
    if (!halved) f->next_count = before;
    return halved;
}
