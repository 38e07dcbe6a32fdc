/* The choice of the subregions that are bisected in a round (bisection.h), and their bisection: loops over blocks of
 * subregions, each of which stores what it finds for its block. */
#include "refinement.h"

/* --- the least error to be bisected ---------------------------------------------------- */

/* The errors among which the least one to be bisected is searched for, including the least and the largest of them, in
 * blocks; count: their number.  below: sum of the errors under them; above: number of the errors over them. */
struct span { struct region_block *block; size_t blocks, count; double smallest, largest, middle, below; int above; };

/* Orders the errors of blocks from, ..., to - 1 by whether they are above the middle. */
static void partition_blocks(void *context, int thread, size_t from, size_t to)
{
    const struct span *s = context;
    double middle = s->middle;
    (void)thread;
    for (struct region_block *b = s->block + from; b < s->block + to; b++) {
        double *at = b->error, sum = 0.0, last = 0.0, first = INFINITY;
        size_t lows = 0, count = b->count;
        for (size_t k = 0; k < count; k++) {
            double error = at[k];
            int low = error <= middle;
            at[k] = at[lows];
            at[lows] = error;
            lows += (size_t)low;
            sum += low ? error : 0.0;
            last = low && error > last ? error : last;
            first = !low && error < first ? error : first;
        }
        b->lows = lows;
        b->low = sum;
        b->last = last;
        b->first = first;
    }
}

/* Divides a span at its middle and keeps the side that contains the least error to be bisected. */
static void partition_span(struct span *s, const struct region_store *f, double rest, int allowed)
{
    double sum = s->below, last = 0.0, first = INFINITY;
    size_t lows = 0;
    s->middle = bisections_middle(s->smallest, s->largest);
    parallel_for(s->blocks, 0, store_threads(f, s->count), partition_blocks, s, NULL);
    for (const struct region_block *b = s->block; b < s->block + s->blocks; b++) {
        lows += b->lows;
        sum += b->low;
        last = fmax(last, b->last);
        first = fmin(first, b->first);
    }
    int highs = (int)(s->count - lows), keeps_low = bisections_include(sum, rest, s->above + highs, allowed);
    for (struct region_block *b = s->block; b < s->block + s->blocks; b++) {
        if (!keeps_low) b->error += b->lows;
        b->count = keeps_low ? b->lows : b->count - b->lows;
    }
    if (keeps_low) {
        s->above += highs;
        s->count = lows;
        s->largest = last;
    } else {
        s->below = sum;
        s->count -= lows;
        s->smallest = first;
    }
}

/* The subregions of an integral, from number `first` on.  threshold: the least error to be bisected; uneven: all wide
 * subregions are to be bisected instead; twice: evaluations allow for subregions to be bisected twice. */
struct choice { const struct region_store *store; size_t first; double threshold; int uneven, twice; };

/* Collects the errors of subregions that can be bisected. */
static void collect_block(void *context, int thread, size_t from, size_t to)
{
    const struct choice *c = context;
    const struct region_store *f = c->store;
    struct region_block *b = &f->block[from / REGION_BLOCK];
    double *error = f->work + from;
    (void)thread;
    b->error = error;
    for (size_t k = c->first + from; k < c->first + to; k++) {
        const struct subregion *p = subregion_at(f, f->at, k);
        if (!p->is_stuck) *error++ = p->error - p->noise;
    }
    b->count = (size_t)(error - b->error);
}

/* Returns the least error to be bisected of those of `count` subregions. */
static double find_threshold(struct choice *c, size_t count, const struct region_sums *sum, double rest, int allowed)
{
    struct span s = { c->store->block, region_blocks(count), 0, sum->smallest, sum->largest, 0.0, 0.0, 0 };
    if (bisections_only_largest(sum, rest)) return sum->largest;
    store_loop(c->store, count, collect_block, c);
    for (size_t b = 0; b < s.blocks; b++) s.count += s.block[b].count;
    while (s.smallest < s.largest) partition_span(&s, c->store, rest, allowed);
    return s.largest;
}

/* --- the choice ------------------------------------------------------------------------ */

static void choose_block(void *context, int thread, size_t from, size_t to)
{
    const struct choice *c = context;
    const struct region_store *f = c->store;
    size_t chosen = 0;
    (void)thread;
    for (size_t k = c->first + from; k < c->first + to; k++) {
        const struct subregion *p = subregion_at(f, f->at, k);
        int is_chosen = !p->is_stuck && (c->uneven ? p->width_class > 0 : p->error - p->noise >= c->threshold);
        f->times[k] = !is_chosen ? 0 : c->twice && (c->uneven || f->rule->is_singular(p)) ? 2 : 1;
        chosen += (size_t)is_chosen;
    }
    f->block[from / REGION_BLOCK].count = chosen;
}

int bisections_choose(struct region_store *f, size_t from, size_t to, const struct region_sums *sum, double tolerance,
                      int allowed)
{
    int twice = f->rule->is_singular && bisections_twice(allowed, (int)(to - from));
    struct choice c = { f, from, 0.0, refinement_is_uneven(sum, allowed), twice };
    double rest = bisections_rest(tolerance, sum->open, f->rule->rest_share);
    size_t chosen = 0, kept = 0;
    if (!c.uneven)
        c.threshold = bisections_threshold(find_threshold(&c, to - from, sum, rest, allowed), f->rule->rest_share);
    store_loop(f, to - from, choose_block, &c);
    f->tolerance = tolerance;
    for (size_t b = 0; b < region_blocks(to - from); b++) chosen += f->block[b].count;
    if (chosen <= (size_t)allowed) return (int)chosen;
    for (size_t k = from; k < to; k++)
        if (f->times[k] && ++kept > (size_t)allowed) f->times[k] = 0;
    return allowed;
}

/* --- bisection ------------------------------------------------------------------------- */

/* Counts the subregions of the next round: one, two or four. */
static void count_block(void *context, int thread, size_t from, size_t to)
{
    const struct choice *c = context;
    const unsigned char *times = c->store->times + c->first;
    size_t count = 0;
    (void)thread;
    for (size_t k = from; k < to; k++) count += (size_t)1 << times[k];
    c->store->block[from / REGION_BLOCK].count = count;
}

static void apply_block(void *context, int thread, size_t from, size_t to)
{
    const struct choice *c = context;
    const struct region_store *f = c->store;
    size_t at = f->block[from / REGION_BLOCK].begin;
    (void)thread;
    for (size_t k = c->first + from; k < c->first + to; k++) {
        const struct subregion *p = subregion_at(f, f->at, k);
        if (f->times[k]) store_halve(f, p, f->times[k] > 1, &at);
        else store_keep(f, p, &at);
    }
}

void bisections_apply(struct region_store *f, size_t from, size_t to)
{
    struct choice c = { .store = f, .first = from };
    store_loop(f, to - from, count_block, &c);
    f->next_count = blocks_begin(f, to - from, f->next_count);
    store_loop(f, to - from, apply_block, &c);
}
