/* Memory for the subregions of several integrals, the choice of those that are bisected in a round (bisection.h), and
 * the transition to the next round. */
#include <string.h>
#include "../../base/memory.h"
#include "refinement.h"

static int enlarge(void *where, size_t bytes)
{
    void *old, *new;
    memcpy(&old, where, sizeof old);
    new = memory_resize(old, bytes);
    if (new) memcpy(where, &new, sizeof new);
    return new != NULL;
}

int store_reserve(struct region_store *f, size_t count)
{
    if (count <= f->room) return ST_OK;
    size_t room = count + count / 2;
    if (!enlarge(&f->at, room * f->cut->bytes) || !enlarge(&f->next, room * f->cut->bytes) ||
        !enlarge(&f->work, room * sizeof *f->work) || !enlarge(&f->fresh, room * sizeof *f->fresh) ||
        !enlarge(&f->times, room * sizeof *f->times)) {
        stop_all(&f->refinement->stop_flag, ST_MEMORY, "no memory for more intervals or boxes");
        return ST_MEMORY;
    }
    f->room = room;
    return ST_OK;
}

void store_exchange(struct region_store *f)
{
    char *at = f->at;
    f->at = f->next;
    f->next = at;
    f->count = f->next_count;
    f->next_count = 0;
}

void store_release(struct region_store *f)
{
    memory_release(f->at);
    memory_release(f->next);
    memory_release(f->work);
    memory_release(f->fresh);
    memory_release(f->times);
}

void store_keep(struct region_store *f, const struct subregion *p)
{
    memcpy(subregion_at(f, f->next, f->next_count++), p, f->cut->bytes);
}

void store_halve(struct region_store *f, const struct subregion *p, int again)
{
    struct subregion *left = subregion_at(f, f->next, f->next_count);
    struct subregion *right = subregion_at(f, f->next, f->next_count + 1);
    f->cut->halve(p, left, right);
    left->is_new = right->is_new = 1;
    left->sibling = 1;
    right->sibling = 2;
    left->before = right->before = p->value;
    f->next_count += 2;
    if (!again) return;
    struct subregion *end = subregion_at(f, f->next, f->next_count + 1);
    f->cut->halve(right, subregion_at(f, f->next, f->next_count), end);
    f->cut->halve(left, left, right);
    f->next_count += 2;
}

struct region_sums store_sums(const struct region_store *f, size_t from, size_t to)
{
    struct region_sums sum = region_sums_none();
    for (size_t k = from; k < to; k++) {
        const struct subregion *p = subregion_at(f, f->at, k);
        struct totals own = { p->value, p->error, p->size };
        double own_error = p->is_stuck && f->cut->own_error ? f->cut->own_error(p) : p->error;
        region_sums_add(&sum, own, own_error, p->noise, p->is_stuck, p->breadth);
    }
    return sum;
}

/* --- the choice of the subregions to bisect ------------------------------------------- */

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
        if (!p->is_stuck) s.at[s.count++] = p->error - p->noise;
    }
    while (s.least < s.largest) part_span(&s, rest, most);
    return s.largest;
}

int bisections_choose(struct region_store *f, size_t from, size_t to, const struct region_sums *sum, double wanted,
                      int most)
{
    double rest = bisections_rest(wanted, sum->open, f->cut->rest_share);
    int uneven = refinement_is_uneven(sum, most);
    double least = uneven ? INFINITY : bisections_least(threshold(f, from, to, sum, rest, most), f->cut->rest_share);
    int twice = f->cut->is_singular && bisections_twice(most, (int)(to - from)), halved = 0;
    for (size_t k = from; k < to; k++) {
        const struct subregion *p = subregion_at(f, f->at, k);
        int is_chosen = uneven ? p->breadth > 0 : p->error - p->noise >= least;
        int is_bisected = is_chosen && halved < most && !p->is_stuck;
        halved += is_bisected;
        f->times[k] = !is_bisected ? 0 : twice && (uneven || f->cut->is_singular(p)) ? 2 : 1;
    }
    f->wanted = wanted;
    return halved;
}

void bisections_apply(struct region_store *f, size_t from, size_t to)
{
    for (size_t k = from; k < to; k++) {
        const struct subregion *p = subregion_at(f, f->at, k);
        if (f->times[k]) store_halve(f, p, f->times[k] > 1);
        else store_keep(f, p);
    }
}
