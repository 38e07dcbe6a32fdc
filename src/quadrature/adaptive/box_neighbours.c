/* Wide boxes next to narrow ones.
 *
 * A peak near the face of a box may lie between all points of the box on the other side, and a ridge may end between
 * them: the rule finds no error there, and the box is not bisected again.  By continuity, however, the integral of |f|
 * over the box is about as large as over the narrow boxes next to it or, if they contain a ridge, larger in proportion
 * to its width.  A box that is much wider than a neighbour (NEIGHBOURS_RATIO) and on which the mean of |f| seems to be
 * much smaller (NEIGHBOURS_DENSER) has not sampled this feature.  The integral of |f| over the neighbour, times the
 * ratio of the widths across their common face, is therefore added to its error, and it is bisected along the axis
 * along which it is widest in comparison with its neighbours, until it has sampled the feature or is no longer much
 * wider.
 *
 * bench/errors.R compares cubature with hcubature() of package cubature on peaks, ridges and rings.
 *
 * The boxes of an integral are stored in the order of the leaves of the tree of bisections, so that their depths
 * determine the tree.  Neighbours are found by descending it on both sides of each face at which a box was bisected,
 * where narrow boxes may be next to wide ones and some are new.  Each pair is compared once.
 */
#include "../../base/memory.h"
#include "box.h"
#include "box_neighbours.h"
#include "genz_malik.h"
#include "refinement.h"

#define COMPARED_OFTEN 65536            /* boxes of an integral beyond which they are compared only when it ends */

/* A box in the comparison.  mean: that of |f|, times the volume of the range; is_significant: the integral of |f| over
 * the box is not negligible; missing: the estimated integral of |f| over features that it has not sampled; widest: in
 * comparison with the neighbours that have sampled them. */
struct leaf { double mean, missing; struct widest widest; int depth; short is_significant, is_new; };

/* Boxes from, ..., to - 1.  narrow, densest: the largest depth and mean of the significant ones; wide, sparsest: the
 * smallest depth and mean; is_new: some have not been compared; axis: along which they were bisected, or -1 if it is
 * not known. */
struct node { int from, to; double densest, sparsest; short axis, narrow, wide, is_new; };

/* The boxes of an integral.  minimum: the least integral of |f| over a significant box. */
struct tree {
    const struct region_store *store;
    size_t first, count;
    int dim;
    struct leaf *leaf;
    struct node *node;
    double minimum;
};

/* A node and its range, on one side of a face: the lower one, or (is_upper) the upper one. */
struct side { struct node *node; double low[GENZ_MALIK_AXES], high[GENZ_MALIK_AXES]; int is_upper; };

static struct box *tree_box(const struct tree *t, size_t k)
{
    return (struct box *)(void *)subregion_at(t->store, t->store->at, t->first + k);
}

static int is_leaf(const struct node *n)
{
    return n->to - n->from == 1;
}

/* Returns a half of a node: the lower or the upper one. */
static struct node *half_of(struct node *n, int is_upper)
{
    return is_upper ? n + 2 * (n[1].to - n[1].from) : n + 1;
}

/* TRUE if a box of node `narrow` may have sampled a feature that a box of node `wide` has not. */
static int may_miss(const struct node *narrow, const struct node *wide)
{
    return narrow->narrow - wide->wide >= NEIGHBOURS_DEPTH && narrow->densest > NEIGHBOURS_DENSER * wide->sparsest;
}

/* --- the tree --------------------------------------------------------------------------- */

static void list_leaves(void *context, int thread, size_t from, size_t to)
{
    const struct tree *t = context;
    int deepest = 0;
    (void)thread;
    for (size_t k = from; k < to; k++) {
        const struct box *b = tree_box(t, k);
        struct leaf leaf = { .mean = ldexp(b->subregion.size, b->depth), .depth = b->depth, .widest.axis = b->axis,
                             .is_significant = b->subregion.size > t->minimum, .is_new = !b->compared };
        t->leaf[k] = leaf;
        if (b->depth > deepest) deepest = b->depth;
    }
    t->store->block[from / REGION_BLOCK].count = (size_t)deepest;
}

/* Stores the nodes of a box at this depth, which begins with leaf number `at`, from *n on.  Returns the next node. */
static struct node *store_nodes(const struct tree *t, struct node *n, int at, int depth)
{
    const struct leaf *l = &t->leaf[at];
    struct node *lower = n + 1, *upper, *next;
    struct node node = { at, at + 1, l->is_significant ? l->mean : 0.0, l->mean, -1,
                        l->is_significant ? (short)l->depth : -1, (short)l->depth, l->is_new };
    *n = node;
    if (l->depth <= depth) return n + 1;
    upper = store_nodes(t, lower, at, depth + 1);
    next = store_nodes(t, upper, lower->to, depth + 1);
    n->to = upper->to;
    n->densest = fmax(lower->densest, upper->densest);
    n->sparsest = fmin(lower->sparsest, upper->sparsest);
    n->narrow = lower->narrow > upper->narrow ? lower->narrow : upper->narrow;
    n->wide = lower->wide < upper->wide ? lower->wide : upper->wide;
    n->is_new = lower->is_new || upper->is_new;
    return next;
}

/* Sets the axis along which the boxes of a node were bisected.  Along the others, the last boxes of both halves have
 * their upper faces in common. */
static void find_axis(const struct tree *t, struct node *n)
{
    const struct box *first = tree_box(t, (size_t)n->from), *middle = tree_box(t, (size_t)n[1].to - 1);
    const struct box *last = tree_box(t, (size_t)n->to - 1);
    int d = t->dim;
    double largest = -1.0;
    for (int k = 0; k < d; k++) {
        double low = first->at[k] - first->at[d + k], high = last->at[k] + last->at[d + k];
        double off = (high - (middle->at[k] + middle->at[d + k])) / (high - low);
        if (!(off > largest)) continue;
        largest = off;
        n->axis = (short)k;
    }
}

/* --- neighbours --------------------------------------------------------------------------- */

static void compare(const struct tree *t, const struct node *narrow, const struct node *wide, int axis)
{
    const struct box *n = tree_box(t, (size_t)narrow->from), *w = tree_box(t, (size_t)wide->from);
    struct leaf *l = &t->leaf[wide->from];
    if (!may_miss(narrow, wide) || w->subregion.is_stuck) return;
    struct widest widest = { 0.0, 0 };
    for (int k = 0; k < t->dim; k++) {
        struct widest one = { w->at[t->dim + k] / n->at[t->dim + k], k };
        if (widest_exceeds(one, widest)) widest = one;
    }
    if (!neighbour_is_narrow(widest, n->depth - w->depth)) return;
    l->missing += n->subregion.size * w->at[t->dim + axis] / n->at[t->dim + axis];
    if (widest_exceeds(widest, l->widest)) l->widest = widest;
}

/* TRUE if two sides overlap along an axis.  (The range of one contains that of the other, or they have at most an end
 * in common.) */
static int overlap(const struct side *a, const struct side *b, int k)
{
    double low = a->low[k] > b->low[k] ? a->low[k] : b->low[k];
    double high = a->high[k] < b->high[k] ? a->high[k] : b->high[k];
    double width_a = a->high[k] - a->low[k], width_b = b->high[k] - b->low[k];
    return high - low > 0.5 * (width_a < width_b ? width_a : width_b);
}

/* Replaces a side by its lower or upper half along an axis. */
static void side_halve(struct side *s, int k, int is_upper)
{
    double middle = 0.5 * s->low[k] + 0.5 * s->high[k];
    if (is_upper) s->low[k] = middle;
    else s->high[k] = middle;
    s->node = half_of(s->node, is_upper);
}

/* Compares neighbours on both sides of a face normal to an axis.  The sides are restored. */
static void compare_across(const struct tree *t, struct side *a, struct side *b, int axis)
{
    struct node *n = a->node, *m = b->node;
    if ((!n->is_new && !m->is_new) || (!may_miss(n, m) && !may_miss(m, n))) return;
    if (is_leaf(n) && is_leaf(m)) {
        compare(t, n, m, axis);
        compare(t, m, n, axis);
        return;
    }
    if (is_leaf(n)) {
        compare_across(t, b, a, axis);
        return;
    }
    if (n->axis < 0) find_axis(t, n);
    int k = n->axis;
    double low = a->low[k], high = a->high[k];
    for (int is_upper = 0; is_upper < 2; is_upper++) {
        if (k == axis && is_upper == a->is_upper) continue;
        side_halve(a, k, is_upper);
        if (k == axis || overlap(a, b, k)) compare_across(t, a, b, axis);
        a->node = n;
        a->low[k] = low;
        a->high[k] = high;
    }
}

/* Compares neighbours in a box. */
static void compare_within(const struct tree *t, const struct side *whole)
{
    struct node *n = whole->node;
    if (is_leaf(n) || !n->is_new || !may_miss(n, n)) return;
    if (n->axis < 0) find_axis(t, n);
    struct side lower = *whole, upper = *whole;
    side_halve(&lower, n->axis, 0);
    side_halve(&upper, n->axis, 1);
    compare_within(t, &lower);
    compare_within(t, &upper);
    lower.is_upper = 0;
    upper.is_upper = 1;
    compare_across(t, &lower, &upper, n->axis);
}

static void find_missing(const struct tree *t)
{
    const struct box *first = tree_box(t, 0), *last = tree_box(t, t->count - 1);
    struct side all = { .node = t->node };
    for (int k = 0; k < t->dim; k++) {
        all.low[k] = first->at[k] - first->at[t->dim + k];
        all.high[k] = last->at[k] + last->at[t->dim + k];
    }
    store_nodes(t, t->node, 0, 0);
    compare_within(t, &all);
}

/* Adds the missing integrals to the errors, and counts the boxes with one.  These are to be bisected along the axis
 * along which they are widest in comparison, unless they are too narrow there. */
static void add_missing(void *context, int thread, size_t from, size_t to)
{
    const struct tree *t = context;
    size_t raised = 0;
    (void)thread;
    for (size_t k = from; k < to; k++) {
        struct box *b = tree_box(t, k);
        const struct leaf *l = &t->leaf[k];
        b->compared = (int)t->count;
        b->subregion.error += l->missing;
        if (!genz_malik_is_narrow(b->at[l->widest.axis], b->at[t->dim + l->widest.axis])) b->axis = l->widest.axis;
        raised += l->missing > 0.0;
    }
    t->store->block[from / REGION_BLOCK].count = raised;
}

/* Returns the number of boxes at the last comparison. */
static int compared_before(const struct tree *t)
{
    int before = 0;
    for (size_t k = 0; k < t->count && !before; k++) before = tree_box(t, k)->compared;
    return before;
}

/* Returns the largest number that a loop has stored for a block. */
static size_t largest_of_blocks(const struct tree *t)
{
    size_t largest = 0;
    for (const struct region_block *b = t->store->block; b < t->store->block + region_blocks(t->count); b++)
        if (b->count > largest) largest = b->count;
    return largest;
}

int boxes_raise_errors(struct region_store *f, size_t from, size_t to, double tolerance, int is_last)
{
    size_t count = to - from;
    int raised = 0;
    struct tree t = { f, from, count, f->job->dim, NULL, NULL, REST * tolerance / (double)count };
    if (!is_last && count > COMPARED_OFTEN) return 0;
    if (!neighbours_are_due((int)count, compared_before(&t), is_last)) return 0;
    t.leaf = memory_allocate(count * sizeof *t.leaf);
    t.node = memory_allocate(2 * count * sizeof *t.node);
    if (t.leaf && t.node) {
        store_loop(f, count, list_leaves, &t);
        if (largest_of_blocks(&t) <= NEIGHBOURS_DEEPEST) find_missing(&t);
        store_loop(f, count, add_missing, &t);
        raised = largest_of_blocks(&t) > 0;
    } else stop_all(&f->refinement->stop_flag, ST_MEMORY, "no memory for the neighbours of boxes");
    memory_release(t.leaf);
    memory_release(t.node);
    return raised;
}
