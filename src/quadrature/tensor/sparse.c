/* Sparse products of rules (Smolyak 1963; chosen term by term as in Gerstner and Griebel 2003,
 * doi:10.1007/s00607-003-0015-5).
 *
 * Let Q_j be the nested rule of level j on an axis (patterson_nodes.h) and D_j = Q_j - Q_(j-1), D_0 = Q_0.  The product
 * of the finest rules is the sum of the terms
 *
 *     a_l = (D_l1 x ... x D_ld) f,   l = (l_1, ..., l_d),
 *
 * which are small for smooth f unless most l_k are 0.  A sparse product is the sum over a set of l that contains with
 * l all smaller ones.  Each round extends the set by the neighbours l + e_k of the terms on its boundary that are
 * largest, until the rest of the boundary is KEPT of it.  A term adds the points with new nodes along all axes, 2^(l_1
 * + ... + l_d); its sum over all coarser points is formed axis by axis from the values at new points, which are summed
 * over the axes before: with s_l^k those of term l over the first k axes,
 *
 *     s_l^k = sum over m <= l_k and the new nodes x_i of level m of D_lk(x_i) s_(l with l_k = m)^(k-1)(x_i).
 *
 * An axis that is divided (lines.c) has each rule on all its pieces, and a term then has more points.
 *
 * The error is the larger of two independent estimates, and of rounding errors:
 *
 *     SAFETY q B,               B = the sum of |a_l| on the boundary,
 *     T R (P - sum of p_1(l_1) ... p_d(l_d) over the set),
 *
 * where q >= 1 is the largest ratio of a later change of the result to B in an earlier round.  The second estimate
 * does not depend on the boundary.  T is the mean sum of the Legendre coefficients of f on lines along the axes
 * (lines.c), and p_k(j) the largest share on a line along axis k of those that D_j does not annihilate, and p_k(0) =
 * 1.  If f is a product of functions of one variable, T p_1(l_1) ... p_d(l_d) is about |a_l|.  P is the sum over all
 * l; R >= 1 is the largest ratio of |a_l| to its prediction in the set: terms in several variables are larger than
 * predicted if the derivatives of f grow towards a corner, or near a peak that few of the lines cross.
 */
#include <stdlib.h>
#include <string.h>
#include "../../base/memory.h"
#include "sparse.h"

#define KEPT   0.5
#define SAFETY 4.0
#define MIN_ROUNDS  3                        /* number of rounds before convergence is accepted */
#define NOISE  2e-16                    /* rounding error of a term relative to T */
#define VALUES 0x1p23                   /* largest number of values and sums that are stored */
#define NONE   (-1)
#define TRIED  0.125                    /* share of the points allowed after which the tolerance may be out of reach */
#define EXCESS_MAX  2.0

/* Returns the index of the sums of a term over the axes before `axis`. */
static size_t sums_before(const struct sparse *s, const struct term *t, int axis)
{
    size_t at = t->at, next = t->sums, size = points_of(s, t);
    for (int k = 0; k < axis; k++) {
        size_t nodes = nodes_of(s, k, t->level[k]);
        if (nodes == 1) continue;
        at = next;
        size /= nodes;
        next += size;
    }
    return at;
}

/* Returns the index behind the last one of these sums. */
static size_t sums_end(const struct sparse *s, const struct term *t)
{
    size_t last = sums_before(s, t, s->c->dim);
    return last == t->at ? t->sums : last + 1;
}

/* --- the set ---------------------------------------------------------------------------- */

/* Allocates memory for another term.  Returns 0 if memory is short. */
static int reserve_term(struct sparse *s)
{
    if (s->terms < s->term_capacity) return 1;
    size_t capacity = 2 * (size_t)s->term_capacity + 64;
    struct term *term = memory_resize(s->term, capacity * sizeof *term);
    if (!term) return 0;
    s->term = term;
    struct ranked *boundary = memory_resize(s->boundary, capacity * sizeof *boundary);
    if (!boundary) return 0;
    s->boundary = boundary;
    s->term_capacity = (int)capacity;
    return 1;
}

/* Adds the neighbour of term t along an axis if all smaller terms are extended.  Returns 0 if memory is short. */
static int add_neighbour(struct sparse *s, int t, int axis)
{
    struct term n;
    if (s->term[t].level[axis] == LEVELS - 1 || s->term[t].next[axis] != NONE) return 1;
    n = s->term[t];
    n.level[axis]++;
    n.is_extended = 0;
    for (int k = 0; k < s->c->dim; k++) {
        n.next[k] = NONE;
        n.back[k] = k == axis ? t : n.level[k] ? s->term[s->term[t].back[k]].next[axis] : NONE;
        if (n.level[k] && (n.back[k] == NONE || !s->term[n.back[k]].is_extended)) return 1;
    }
    if (!reserve_term(s)) return 0;
    for (int k = 0; k < s->c->dim; k++) if (n.level[k]) s->term[n.back[k]].next[k] = s->terms;
    s->term[s->terms++] = n;
    return 1;
}

/* Sets p_k(j), T and P.  nodes: of the Gauss rules that are exact for the same degrees as the nested ones. */
static void set_shares(struct sparse *s)
{
    static const int nodes[LEVELS] = { 1, 3, 6, 12, 24 };
    const struct product_lines *l = s->lines;
    s->total = 1.0;
    for (int k = 0; k < s->c->dim; k++) {
        double *share = s->share[k], sum = share[0] = 1.0;
        for (int j = 1; j < LEVELS; j++) sum += share[j] = l->tail_share[k][nodes[j - 1]];
        s->total *= sum + l->tail_share[k][nodes[LEVELS - 1]];
        s->all += lines_tail(l, k, 0) / (l->lines * s->c->dim);
    }
}

/* Begins with the term of the point in the middle.  Returns 0 if memory is short. */
static int begin(struct sparse *s, struct monte_carlo *c)
{
    memset(s, 0, sizeof *s);
    s->c = c;
    s->lines = &c->space->lines;
    s->excess = 1.0;
    set_shares(s);
    if (!reserve_term(s)) return 0;
    memset(s->term, 0, sizeof *s->term);
    for (int k = 0; k < c->dim; k++) s->term[0].next[k] = s->term[0].back[k] = NONE;
    s->terms = 1;
    return 1;
}

static void end(struct sparse *s)
{
    memory_release(s->term);
    memory_release(s->boundary);
    memory_release(s->value);
}

/* Assigns memory to the new terms.  Returns 0 if memory is short, or too many values are stored. */
static int allocate_terms(struct sparse *s)
{
    size_t next = s->from = s->used;
    for (int t = s->fresh; t < s->terms; t++) {
        s->term[t].at = next;
        next += points_of(s, &s->term[t]);
    }
    s->fresh_points = next - s->from;
    for (int t = s->fresh; t < s->terms; t++) {
        s->term[t].sums = next;
        next = sums_end(s, &s->term[t]);
    }
    if ((double)next > VALUES) return 0;
    s->used = next;
    if (next <= s->capacity) return 1;
    double *value = memory_resize(s->value, 2 * next * sizeof *value);
    if (!value) return 0;
    s->value = value;
    s->capacity = 2 * next;
    return 1;
}

/* --- sums --------------------------------------------------------------------------------- */

/* Adds what the new nodes of one level contribute to the sums of a term along an axis. */
static void add_level(const struct sparse *s, int axis, int of, int level, const double *value, size_t rest,
                      double *restrict sum)
{
    const double *end = s->lines->end[axis];
    size_t first = ((size_t)1 << level) - 1;
    for (size_t i = 0; i < nodes_of(s, axis, level); i++, value += rest) {
        size_t piece = i >> level;
        double weight = (end[piece + 1] - end[piece]) * patterson_difference[of][first + (i & first)];
        for (size_t r = 0; r < rest; r++) sum[r] += weight * value[r];
    }
}

/* Forms the sums of new terms from the values. */
static void run_sums(void *context, int thread, size_t from, size_t to)
{
    const struct sparse *s = context;
    (void)thread;
    for (size_t number = from; number < to; number++) {
        struct term *t = &s->term[s->fresh + (int)number];
        size_t rest = points_of(s, t);
        double *sum = s->value + t->sums;
        for (int k = 0; k < s->c->dim; k++) {
            const struct term *other = t;
            size_t nodes = nodes_of(s, k, t->level[k]);
            if (nodes == 1) continue;
            rest /= nodes;
            memset(sum, 0, rest * sizeof *sum);
            for (int level = t->level[k]; level >= 0; level--) {
                add_level(s, k, t->level[k], level, s->value + sums_before(s, other, k), rest, sum);
                if (level) other = &s->term[other->back[k]];
            }
            sum += rest;
        }
        t->value = s->value[sums_before(s, t, s->c->dim)];
    }
}

/* Sets the ranks of the new terms, and updates R. */
static void rank(struct sparse *s)
{
    for (int t = s->fresh; t < s->terms; t++) {
        struct term *term = &s->term[t];
        double share = 1.0, size = fabs(term->value);
        for (int k = 0; k < s->c->dim; k++) share *= s->share[k][term->level[k]];
        s->covered += share;
        frexp(fmax(size, s->all * share), &term->rank);
        if (size > 16.0 * NOISE * s->all) s->excess = fmax(s->excess, size / (s->all * fmax(share, NOISE)));
    }
}

/* Computes the new terms.  Returns 0 if the computation must stop. */
static int run_round(struct sparse *s)
{
    struct monte_carlo *c = s->c;
    c->job->evaluations[c->integral] += (double)s->fresh_points;
    s->points += (double)s->fresh_points;
    sparse_values(s);
    if (is_stop_requested(c->stop)) return 0;
    mc_for(c, (size_t)(s->terms - s->fresh), (double)(s->used - s->from), run_sums, s);
    rank(s);
    return !is_stop_requested(c->stop);
}

/* --- rounds ---------------------------------------------------------------------------------- */

/* Orders by rank, the largest first. */
static int compare(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return x->rank != y->rank ? y->rank - x->rank : x->term - y->term;
}

/* Extends the set.  Returns 0 if memory is short, or no term can be added. */
static int extend(struct sparse *s)
{
    int count = 0;
    double all = 0.0, done = 0.0;
    s->fresh = s->terms;
    for (int t = 0; t < s->terms; t++) {
        if (s->term[t].is_extended) continue;
        s->boundary[count++] = (struct ranked){ s->term[t].rank, t };
        all += ldexp(1.0, s->term[t].rank);
    }
    qsort(s->boundary, (size_t)count, sizeof *s->boundary, compare);
    for (int i = 0; i < count && (done < (1.0 - KEPT) * all || s->terms == s->fresh); i++) {
        int t = s->boundary[i].term;
        done += ldexp(1.0, s->boundary[i].rank);
        s->term[t].is_extended = 1;
        for (int k = 0; k < s->c->dim; k++) if (!add_neighbour(s, t, k)) return 0;
    }
    return s->terms > s->fresh;
}

/* Returns q. */
static double largest_ratio(const struct sparse *s, double value)
{
    double ratio = 1.0;
    for (int k = 1; k < s->rounds; k++)
        if (s->round[k].boundary > 0.0) ratio = fmax(ratio, fabs(value - s->round[k].value) / s->round[k].boundary);
    return ratio;
}

/* Sets the result after a round. */
static void set_result(struct sparse *s, struct sparse_result *r)
{
    struct round now = { 0.0, 0.0, s->points };
    for (int t = 0; t < s->terms; t++) {
        now.value += s->term[t].value;
        if (!s->term[t].is_extended) now.boundary += fabs(s->term[t].value);
    }
    double left_out = s->excess * s->all * (s->total - s->covered), noise = NOISE * sqrt(s->terms) * s->all;
    r->value = now.value;
    r->error = fmax(fmax(SAFETY * largest_ratio(s, now.value) * now.boundary, left_out), noise);
    r->is_reached = s->rounds >= MIN_ROUNDS && r->error <= mc_tolerance(s->c, r->value, s->all);
    s->round[s->rounds++] = now;
}

/* Returns the power of the number of points by which B has fallen since a round. */
static double power_since(const struct round *then, const struct round *now)
{
    return log(then->boundary / now->boundary) / log(now->points / then->points);
}

/* TRUE if the tolerance may be reached with at most EXCESS_MAX times `max_eval` points, if B falls as a power of their
 * number: that since the first round, or since the last one with a quarter of them, whichever is larger. */
static int may_reach(const struct sparse *s, const struct sparse_result *r, double max_eval)
{
    const struct round *now = &s->round[s->rounds - 1], *before = now;
    while (before > s->round + 1 && before->points > 0.25 * now->points) before--;
    if (now->points < TRIED * max_eval || !(now->boundary > 0.0)) return 1;
    double power = fmax(power_since(before, now), power_since(&s->round[1], now));
    double needed = r->error / mc_tolerance(s->c, r->value, s->all);
    return power > 0.0 && now->points * pow(needed, 1.0 / power) <= EXCESS_MAX * max_eval;
}

int sparse_run(struct monte_carlo *c, double max_eval, struct sparse_result *r)
{
    struct sparse s;
    int more = begin(&s, c), is_complete = 1;

    *r = (struct sparse_result){ NAN, INFINITY, 0 };
    while (more && s.rounds < ROUNDS) {
        if (!allocate_terms(&s) || s.points + (double)s.fresh_points > max_eval) break;
        is_complete = run_round(&s);
        if (!is_complete || c->not_finite) break;
        set_result(&s, r);
        more = !r->is_reached && may_reach(&s, r, max_eval) && extend(&s);
    }
    end(&s);
    return is_complete;
}
