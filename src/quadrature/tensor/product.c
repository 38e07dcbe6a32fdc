/* Products of Gauss-Legendre rules, with the number of nodes along each axis adapted to the integrand.
 *
 * If an integrand is smooth along every axis and oscillates, its integral may be far smaller than that of |f|.  Rules
 * that are controlled by differences of values, and samples, then lose the digits that cancel; a product of Gauss rules
 * converges faster than any power of the number of nodes along each axis.
 *
 * Each axis k is divided at breaks, where f is not smooth along it, into pieces with a rule of their own (lines.c).
 * T_kp(n), a mean over lines, is the tail of the Legendre series that n nodes omit on piece p; T_k is the sum over p.
 * Level l uses the smallest n_kp with T_kp(n_kp) <= STEP^-l T_k(0), the same factor for all axes.  There are two
 * independent estimates of its error, and the larger one is used:
 *
 *     SAFETY d_l r/(1 - r),                                  d_l = |I_l - I'_l|,  r^g = d_l/d_(l-1),
 *     (|I_l|/S_l)^((d - 1)/d) times the sum of T_kp(n_kp),   S_l = the integral of |f|,
 *
 * where I'_l is the result with one node fewer on every piece, and g the largest number of nodes that the level adds to
 * a piece; r is that of the last level or the mean since the first one, whichever is larger, and d_l counts as at least
 * what d_(l-1) and the mean ratio before it predict, since it is small by chance for about 3 % of bell-shaped
 * integrands with peaks off the centre.  The first estimate is the sum of a geometric series of further nodes; it is
 * large if convergence is algebraic, as at a singular corner that no line approaches.  The second one does not depend
 * on the products.  If f is a product of functions of one variable whose integrals cancel equally, those along a line
 * cancel by the factor (|I|/S)^(1/d), and the relative error of I is the sum of their relative errors.  Where nothing
 * cancels, true errors are about 0.1 of that sum.
 *
 * Domain: axes along which the coefficients fall by LINES_SMOOTH or more within half the nodes that a piece may have.
 * Other integrals are abandoned after all lines or, with ROUGH instead of LINES_SMOOTH, after those through the first
 * point.  The remaining ones are abandoned if the next level has more points than allowed, or if the tolerance is out
 * of reach: with r the ratio by which d_l falls for each further node, recently or since the beginning, whichever is
 * less, g = log(tolerance/error)/log r more nodes are needed; if half of them on every piece are more than allowed,
 * the remaining points are better left to other methods.
 *
 * In many dimensions a sparse product (sparse.c) needs far fewer points, and is tried first.
 */
#include <string.h>
#include "../monte_carlo/monte_carlo.h"
#include "../box_jobs.h"

#define STEP    10.0
#define LEVELS  14
#define FEWEST  (PRODUCT_PARTS / 2)     /* number of levels before convergence is accepted */
#define SAFETY  4.0
#define SLOWEST 0.98                    /* largest ratio of changes */
#define ROUGH   1e-3
#define GAIN    2.0                     /* a sparse product is tried if it may save this factor */
#define SHARE   12                      /* 2^SHARE points are summed in a share, up to 2^SHARE_MANY if a level would */
#define SHARE_MANY 15                   /* otherwise have more shares than a batch: a device waits after each batch */
#define SHARE_FEW 8                     /* 2^SHARE_FEW if there are fewer than FEW_POINTS, because a device can
                                           compute all their shares at once */
#define FEW_POINTS 0x1p18
#define BATCH   PRODUCT_SHARES          /* shares between two checks for interrupts */
#define BATCH_OF_THREADS 256
#define NOISE_OF_SUM 1e-14              /* relative to T_k(0): smaller coefficients are rounding errors */
#define NOISE_OF_VALUE 1e-15            /* rounding error of a product, relative to S_l */

/* --- nodes ---------------------------------------------------------------------------------- */

/* Nodes on each piece of each axis. */
struct nodes { int of[PRODUCT_AXES][PRODUCT_PIECES]; };

/* Returns the number of points with `less` fewer nodes on every piece. */
static double points_of(const struct monte_carlo *c, const struct nodes *nodes, double less)
{
    const struct product_lines *l = &c->space->lines;
    double points = 1.0;
    for (int k = 0; k < c->dim; k++) {
        double along = 0.0;
        for (int p = 0; p < l->pieces[k]; p++) along += nodes->of[k][p] - less;
        points *= along;
    }
    return points;
}

/* Returns the number of points of a level: with its nodes, and with one node fewer on every piece. */
static double cost_of(const struct monte_carlo *c, const struct nodes *nodes)
{
    return points_of(c, nodes, 0.0) + points_of(c, nodes, 1.0);
}

/* Sets the nodes of a level, at least two on each piece, and one more on every piece if they would equal those before.
 * Returns the largest number of nodes added to a piece. */
static int nodes_of(const struct monte_carlo *c, int level, struct nodes *nodes)
{
    const struct product_lines *l = &c->space->lines;
    double share = fmax(pow(STEP, -level), NOISE_OF_SUM);
    int added = 0;
    for (int k = 0; k < c->dim; k++)
        for (int p = 0, maximum = lines_max_nodes(l, k); p < l->pieces[k]; p++) {
            int n = 2, *count = &nodes->of[k][p];
            while (n < maximum && l->tail[k][p][n] > share * lines_tail(l, k, 0)) n++;
            if (n <= *count) continue;
            if (n - *count > added) added = n - *count;
            *count = n;
        }
    if (added) return added;
    for (int k = 0; k < c->dim; k++)
        for (int p = 0; p < l->pieces[k]; p++) nodes->of[k][p] += nodes->of[k][p] < lines_max_nodes(l, k);
    return 1;
}

/* Returns the number of points of a level. */
static double cost_of_level(const struct monte_carlo *c, int level)
{
    struct nodes nodes = { { { 0 } } };
    nodes_of(c, level, &nodes);
    return cost_of(c, &nodes);
}

/* Evaluates the lines and sets *is_suitable to TRUE if the integral is in the domain.  Most others are recognised at
 * the first point or, if breaks are found there, at the next ones.  Returns 0 if the computation must stop. */
static int evaluate_lines(struct monte_carlo *c, int *is_suitable)
{
    struct product_lines *l = &c->space->lines;
    int is_divided, has_breaks = 0;

    lines_begin(l, c->dim);
    *is_suitable = 1;
    while (*is_suitable && l->lines < PRODUCT_LINES) {
        if (!lines_add(c, l, &is_divided)) return 0;
        has_breaks |= is_divided;
        if (l->lines == 1 || (has_breaks && l->lines)) *is_suitable = lines_are_smooth(l, c->dim, ROUGH);
    }
    *is_suitable = *is_suitable && lines_are_smooth(l, c->dim, LINES_SMOOTH);
    return 1;
}

/* --- products ------------------------------------------------------------------------------------ */

/* Levels that are computed together: nodes and largest number of added nodes of each, and the points of all. */
struct levels { int count, added[FEWEST]; struct nodes nodes[FEWEST]; double cost; };

/* Two products for each level, with its nodes and with one fewer on every piece.  rule: that of the first axis; nodes:
 * their number along each axis; share: the number of the first share. */
struct product { const struct product_rule *rule; int nodes[PRODUCT_AXES]; double points; long share; };
struct products { struct product of[PRODUCT_PARTS]; int count, share_bits; long shares; };

/* Joins the rules of the pieces of an axis.  Returns the number of nodes. */
static int join_rules(const struct product_lines *l, int axis, const int *nodes, int less, struct product_rule *to)
{
    int count = 0;
    for (int p = 0; p < l->pieces[axis]; p++) {
        const struct legendre_rule *rule = legendre_rule(nodes[p] - less);
        double low = l->end[axis][p], length = l->end[axis][p + 1] - low;
        for (int j = 0; j < rule->n; j++, count++) {
            to->node[count] = low + length * rule->node[j];
            to->weight[count] = length * rule->weight[j];
        }
    }
    return count;
}

static struct products products_of(const struct monte_carlo *c, const struct levels *l)
{
    double bits = fmin(fmax(ceil(log2(l->cost / BATCH)), SHARE), SHARE_MANY);
    struct products p = { .count = 2 * l->count, .share_bits = l->cost < FEW_POINTS ? SHARE_FEW : (int)bits };
    for (int part = 0; part < p.count; part++) {
        struct product *one = &p.of[part];
        struct product_rule *rule = c->space->rule + part * c->dim;
        const struct nodes *nodes = &l->nodes[part / 2];
        int less = part % 2;
        for (int k = 0; k < c->dim; k++)
            one->nodes[k] = join_rules(&c->space->lines, k, nodes->of[k], less, &rule[k]);
        one->rule = rule;
        one->points = points_of(c, nodes, less);
        one->share = p.shares;
        p.shares += (long)ceil(ldexp(one->points, -p.share_bits));
    }
    return p;
}

static int part_of(const struct products *p, long share)
{
    int part = p->count - 1;
    while (share < p->of[part].share) part--;
    return part;
}

/* Sets the number of the node along each axis for point number `first`. */
static void set_digits(const struct monte_carlo *c, const struct product *p, double first, int *digit)
{
    for (int k = 0; k < c->dim; k++) {
        double rest = floor(first / p->nodes[k]);
        digit[k] = (int)(first - rest * p->nodes[k]);
        first = rest;
    }
}

/* Stores the next points, and the products of their weights in b->x. */
static void fill(const struct monte_carlo *c, const struct product *p, int *digit, struct workspace *b, int count)
{
    for (int q = 0; q < count; q++) {
        double weight = 1.0;
        for (int k = 0; k < c->dim; k++) {
            b->y[k][q] = p->rule[k].node[digit[k]];
            weight *= p->rule[k].weight[digit[k]];
        }
        b->x[q] = weight;
        for (int k = 0; k < c->dim && ++digit[k] == p->nodes[k]; k++) digit[k] = 0;
    }
}

static struct product_sums run_share(struct monte_carlo *c, int thread, const struct products *all_of, long share)
{
    const struct product *p = &all_of->of[part_of(all_of, share)];
    struct product_sums s = { 0.0, 0.0 };
    double first = ldexp((double)(share - p->share), all_of->share_bits);
    int digit[PRODUCT_AXES], all = (int)fmin(1 << all_of->share_bits, p->points - first);
    struct workspace *b = &c->workspace[thread];
    set_digits(c, p, first, digit);
    for (int done = 0; done < all && !stop_is_set(c->stop); done += b->capacity) {
        int count = all - done < b->capacity ? all - done : b->capacity;
        fill(c, p, digit, b, count);
        if (!points_values(c, thread, b, count)) break;
        for (int q = 0; q < count; q++) {
            s.sum += b->x[q] * b->value[q];
            s.size += b->x[q] * fabs(b->value[q]);
        }
    }
    return s;
}

/* Shares of products, from number `first` on. */
struct shares { struct monte_carlo *c; const struct products *products; long first; struct product_sums *sums; };

static void run_shares(void *context, int thread, size_t from, size_t to)
{
    const struct shares *s = context;
    for (size_t k = from; k < to; k++)
        s->sums[k] = run_share(s->c, s->c->thread + thread, s->products, s->first + (long)k);
}

static void run_in_threads(struct monte_carlo *c, const struct products *p, long from, long to,
                           struct product_sums *sums)
{
    struct shares s = { c, p, from, sums };
    mc_for(c, (size_t)(to - from), ldexp((double)p->shares, p->share_bits), run_shares, &s);
}

/* Computes the shares on a device if that is useful.  Returns 0 if threads are to compute them or the work is to
 * stop. */
static int run_on_device(struct monte_carlo *c, const struct products *p, long from, long to,
                         struct product_sums *share)
{
    double parameter[BOX_INPUTS];
    struct product_job j = {
        .box = { .use = FOR_PRODUCT, .shares = (size_t)(to - from) }, .parts = p->count,
        .share_bits = p->share_bits, .rule = c->space->rule, .first = (size_t)from, .share = share
    };

    if (!mc_box(c, &j.box, parameter)) return 0;
    for (int part = 0; part < p->count; part++) {
        const struct product *one = &p->of[part];
        struct product_part *to_part = &j.part[part];
        to_part->share = (int)one->share;
        to_part->points_high = (uint32)((uint64)one->points >> 32);
        to_part->points_low = (uint32)(uint64)one->points;
        memcpy(to_part->nodes, one->nodes, sizeof to_part->nodes);
    }
    if (!mc_on_device(c, &j.box, ldexp((double)p->shares, p->share_bits))) return 0;
    for (size_t k = 0; k < j.box.shares; k++) mc_check_finite(c, share[k].sum);
    return 1;
}

/* Computes the sums of each level, with its nodes and with one fewer along every axis.  Returns 0 if the work is to
 * stop. */
static int run_levels(struct monte_carlo *c, const struct levels *l, struct product_sums *total)
{
    struct products p = products_of(c, l);
    struct product_sums *share = c->space->product;
    long each = c->sampler->device ? BATCH : BATCH_OF_THREADS;

    memset(total, 0, PRODUCT_PARTS * sizeof *total);
    c->job->evaluations[c->integral] += l->cost;
    for (long from = 0; from < p.shares; from += each) {
        long to = from + each < p.shares ? from + each : p.shares;
        if (!run_on_device(c, &p, from, to, share) && !stop_is_set(c->stop)) run_in_threads(c, &p, from, to, share);
        if (is_stop_requested(c->stop)) return 0;
        for (long k = from; k < to; k++) {
            total[part_of(&p, k)].sum += share[k - from].sum;
            total[part_of(&p, k)].size += share[k - from].size;
        }
    }
    return 1;
}

/* --- levels ------------------------------------------------------------------------------------------ */

/* Result of a level: its value, its change by the last node, the largest number of added nodes. */
struct level { double value, change; int added; };

/* Returns the ratio by which the changes have fallen for each node, of `added` nodes since then. */
static double ratio_since(const struct level *then, const struct level *now, int added)
{
    return pow(now->change / then->change, 1.0 / added);
}

/* Progress of an integral. */
struct progress { struct level now, first, before; int number, added, is_reached; double error; };

/* Returns the error by the geometric series of the changes; 0 if the last change is only a rounding error. */
static double series_error(const struct progress *p, double noise)
{
    double recent = ratio_since(&p->before, &p->now, p->now.added), mean = ratio_since(&p->first, &p->now, p->added);
    double ratio = fmin(fmax(recent, mean), SLOWEST), change = p->now.change;
    if (p->number > 2) {
        double former = ratio_since(&p->first, &p->before, p->added - p->now.added);
        change = fmax(change, p->before.change * pow(fmin(former, 1.0), p->now.added));
    }
    return change > noise ? SAFETY * change * ratio / (1.0 - ratio) : 0.0;
}

/* Returns the truncation error of rules with these nodes, estimated from the lines; infinite if all values are 0,
 * except on the lines. */
static double lines_error(const struct monte_carlo *c, const struct product_sums *sums, const struct nodes *nodes)
{
    const struct product_lines *l = &c->space->lines;
    double left_out = 0.0, all = 0.0;
    for (int k = 0; k < c->dim; k++) {
        all += lines_tail(l, k, 0);
        for (int p = 0; p < l->pieces[k]; p++) left_out += l->tail[k][p][nodes->of[k][p]] / PRODUCT_LINES;
    }
    if (!(sums->size > 0.0)) return all > 0.0 ? INFINITY : 0.0;
    return left_out * pow(fabs(sums->sum) / sums->size, (c->dim - 1.0) / c->dim);
}

/* TRUE if the tolerance may be reached with the points allowed. */
static int may_reach(const struct monte_carlo *c, const struct nodes *nodes, const struct progress *p, double tolerance)
{
    double ratio = fmin(ratio_since(&p->before, &p->now, p->now.added), ratio_since(&p->first, &p->now, p->added));
    if (!(ratio > 0.0 && p->error > tolerance)) return 1;
    double more = ratio < SLOWEST ? 0.5 * log(tolerance / p->error) / log(ratio) : INFINITY;
    return mc_may_evaluate(c, points_of(c, nodes, -more));
}

/* Returns the levels from number `level` on that are computed together, as many as evaluations are left for.  None
 * before FEWEST is accepted, so that these are one job. nodes: those of the level before. */
static struct levels levels_from(const struct monte_carlo *c, int level, const struct nodes *nodes)
{
    struct levels l = { .count = 0, .cost = 0.0 };
    int maximum = level < FEWEST ? FEWEST + 1 - level : 1;
    for (; l.count < maximum; l.count++) {
        struct nodes *next = &l.nodes[l.count];
        *next = l.count ? next[-1] : *nodes;
        l.added[l.count] = nodes_of(c, level + l.count, next);
        double cost = l.cost + cost_of(c, next);
        if (!mc_may_evaluate(c, cost)) break;
        l.cost = cost;
    }
    return l;
}

/* Records a level.  Returns 0 if it is the last one: the integral is finished, or the tolerance is out of reach. */
static int record_level(struct monte_carlo *c, struct progress *p, const struct product_sums *sums,
                        const struct nodes *nodes, int added)
{
    p->before = p->now;
    p->now.value = sums[0].sum;
    p->now.change = fabs(sums[0].sum - sums[1].sum);
    p->now.added = added;
    if (c->not_finite) return 0;
    if (++p->number == 1) p->first = p->now;
    else p->added += added;
    if (p->number > 1) {
        double noise = NOISE_OF_VALUE * sums->size;
        p->error = fmax(fmax(series_error(p, noise), lines_error(c, sums, nodes)), noise);
    }
    if (p->number < FEWEST) return 1;
    double tolerance = mc_tolerance(c, sums[0].sum, sums[0].size);
    p->is_reached = p->error <= tolerance;
    return !p->is_reached && may_reach(c, nodes, p, tolerance);
}

/* Returns equally many nodes on all pieces, as many as a level with them needs at most `max_eval` evaluations; none if
 * two nodes need more. */
static struct levels even_level(const struct monte_carlo *c, double max_eval)
{
    struct levels best = { .count = 0 }, l = { .count = 1 };
    for (int n = 2; n <= PRODUCT_NODES; n++) {
        for (int k = 0; k < c->dim; k++) {
            int available = lines_max_nodes(&c->space->lines, k);
            for (int p = 0; p < PRODUCT_PIECES; p++) l.nodes[0].of[k][p] = n < available ? n : available;
        }
        l.cost = cost_of(c, &l.nodes[0]);
        if (l.cost > max_eval || !mc_may_evaluate(c, l.cost)) break;
        best = l;
    }
    return best;
}

/* Checks a sparse product by a product with equally many nodes along all axes and no more points than there have been
 * evaluations: most points of the former differ from the middle in a few coordinates only.  If the difference exceeds
 * what the lines predict for the latter, the excess, times SAFETY, is an error of the former.  Returns 0 if the work is
 * to stop. */
static int check_sparse(struct monte_carlo *c, struct sparse_result *r)
{
    struct product_sums sums[PRODUCT_PARTS];
    struct levels l = even_level(c, c->job->evaluations[c->integral]);

    if (!l.count) return 1;
    if (!run_levels(c, &l, sums)) return 0;
    r->error = fmax(r->error, SAFETY * (fabs(sums->sum - r->value) - lines_error(c, sums, l.nodes)));
    r->is_reached = r->error <= mc_tolerance(c, r->value, sums->size);
    return 1;
}

/* Tries a sparse product if the level of a product that is expected to suffice needs GAIN times the evaluations so far.
 * It may have GAIN times as many points as that level.  Returns 0 if the computation must stop. */
static int try_sparse(struct monte_carlo *c, struct sparse_result *r)
{
    double level = ceil(-log(fmax(c->job->rel_tol, NOISE_OF_SUM)) / log(STEP)) + 1.0;
    double left = c->job->max_eval - c->job->evaluations[c->integral];
    double product = cost_of_level(c, (int)fmax(level, FEWEST));

    *r = (struct sparse_result){ NAN, INFINITY, 0 };
    if (product < GAIN * c->job->evaluations[c->integral]) return 1;
    if (!sparse_run(c, fmin(left, GAIN * product), r)) return 0;
    return !r->is_reached || check_sparse(c, r);
}

/* Computes levels until one is accurate or the tolerance is out of reach.  Returns 0 if the computation must stop. */
static int run_product(struct monte_carlo *c, struct progress *p)
{
    struct product_sums sums[PRODUCT_PARTS];
    struct nodes nodes = { { { 0 } } };
    int more = mc_may_evaluate(c, cost_of_level(c, FEWEST));

    while (more && p->number < LEVELS) {
        struct levels l = levels_from(c, p->number + 1, &nodes);
        if (!l.count) break;
        if (!run_levels(c, &l, sums)) return 0;
        for (int k = 0; k < l.count && more; k++) more = record_level(c, p, sums + 2 * k, &l.nodes[k], l.added[k]);
        nodes = l.nodes[l.count - 1];
    }
    return 1;
}

void mc_product(struct monte_carlo *c)
{
    struct progress p = { .now = { NAN, NAN, 1 }, .error = INFINITY };
    struct sparse_result sparse;
    int is_suitable = 0;

    if (mc_may_evaluate(c, (double)PRODUCT_LINES * LEGENDRE_FINE * c->dim) && !evaluate_lines(c, &is_suitable)) return;
    if (c->not_finite || !is_suitable) {
        mc_finish(c, NAN, NAN, INTEGRAL_MAX_EVAL);
        return;
    }
    if (!try_sparse(c, &sparse)) return;
    if (!sparse.is_reached && !c->not_finite && !run_product(c, &p)) return;
    if (p.error < sparse.error) sparse = (struct sparse_result){ p.now.value, p.error, p.is_reached };
    mc_finish(c, sparse.value, sparse.error, sparse.is_reached ? INTEGRAL_CONVERGED : INTEGRAL_MAX_EVAL);
}
