/* Products of Gauss-Legendre rules, with the number of nodes along each axis adapted to the integrand.
 *
 * If an integrand is smooth along every axis and oscillates, its integral may be far smaller than that of |f|.  Rules
 * that are controlled by differences of values, and samples, then lose the digits that cancel; a product of Gauss rules
 * converges faster than any power of the number of nodes along each axis.
 *
 * Along each axis k, f is evaluated at FINE nodes on LINES lines through points of a lattice.  The Legendre
 * coefficients of f on a line, computed from these values, determine the error of a rule with n nodes, which is exact
 * for degrees below 2n: it leaves out
 *
 *     T_k(n) = sum of |c_m| over m >= 2n, the mean over the lines.
 *
 * Level l uses the smallest n_k with T_k(n_k) <= STEP^-l T_k(0), the same factor for all axes.  There are two
 * independent estimates of its error, and the larger one is used:
 *
 *     DOUBT d_l r/(1 - r),                                d_l = |I_l - I'_l|,  r^g = d_l/d_(l-1),
 *     (|I_l|/S_l)^((d - 1)/d) times the sum of T_k(n_k),   S_l = the integral of |f|,
 *
 * where I'_l is the result with one node fewer along every axis, and g the largest number of nodes that the level adds
 * to an axis; r is that of the last level or the mean since the first one, whichever is larger, and d_l counts as at
 * least what d_(l-1) and the mean ratio before it predict, since it is small by chance for about 3 % of bell-shaped
 * integrands with peaks off the centre.  The first estimate is the sum of a geometric series of further nodes; it is
 * large if convergence is algebraic, as at a singular corner that no line approaches.  The second one does not depend
 * on the products.  If f is a product of functions of one
 * variable whose integrals cancel equally, those along a line cancel by the factor (|I|/S)^(1/d), and the relative
 * error of I is the sum of their relative errors.  Where nothing cancels, true errors are about 0.1 of that sum.
 *
 * Domain: axes along which the coefficients fall by SMOOTH or more within FINE/2, if the points allowed suffice for
 * level FEWEST.  Other integrals are abandoned after all lines or, with ROUGH instead of SMOOTH, after those through
 * the first point.  The remaining ones are abandoned if the next level has more points than allowed, or if the
 * tolerance is out of reach: with r the ratio by which d_l falls for each further node, recently or since the
 * beginning, whichever is less, g = log(tolerance/error)/log r more nodes are needed; if half of them along every axis
 * are more than allowed, the remaining points are better left to other methods.
 */
#include <string.h>
#include "../monte_carlo/monte_carlo.h"
#include "../box_jobs.h"

#define HALF    LEGENDRE_HALF
#define FINE    LEGENDRE_FINE
#define LINES   16
#define STEP    10.0
#define LEVELS  14
#define FEWEST  (PRODUCT_PARTS / 2)     /* number of levels before convergence is accepted */
#define DOUBT   4.0
#define SLOWEST 0.98                    /* largest ratio of changes */
#define SMOOTH  1e-5
#define ROUGH   1e-3
#define SHARE   12                      /* 2^SHARE points are summed in a share */
#define SHARE_FEW 8                     /* 2^SHARE_FEW if there are fewer than FEW_POINTS, because a device has room
                                           for all their shares at once */
#define FEW_POINTS 0x1p18
#define PIECE   PRODUCT_SHARES          /* shares between two checks for interrupts */
#define PIECE_OF_THREADS 256
#define NOISE_OF_SUM 1e-14              /* relative to T_k(0): smaller coefficients are rounding errors */
#define NOISE   1e-16                   /* rounding error of c_m: NOISE (2m + 1) max |f| */
#define NOISE_OF_VALUE 1e-15            /* rounding error of a product, relative to S_l */

/* --- lines ------------------------------------------------------------------------------------ */

struct axis_tails { double of[PRODUCT_AXES][PRODUCT_NODES + 1]; };

/* Adds the contribution of a line's values to the tails of its axis, without the rounding errors. */
static void add_line(const double *value, double *tail)
{
    double even[HALF], odd[HALF], sum = 0.0, most = 0.0;
    for (int j = 0; j < FINE; j++) most = fmax(most, fabs(value[j]));
    legendre_coefficients(value, even, odd);
    for (int i = HALF - 1; i >= 0; i--) {
        double noise = NOISE * (4 * i + 1) * most;
        sum += fmax(fabs(odd[i]) - noise, 0.0) + fmax(fabs(even[i]) - noise, 0.0);
        tail[i] += sum;
    }
}

/* Evaluates the lines along all axes through one point.  Returns 0 if the work is to stop. */
static int look_from(struct monte_carlo *c, int line, struct axis_tails *t)
{
    const struct legendre_rule *fine = legendre_rule(FINE);
    uint32 none[PRODUCT_AXES] = { 0 };
    struct workspace *b = &c->workspace[c->thread];
    double at[PRODUCT_AXES];

    c->job->evaluations[c->integral] += (double)FINE * c->dim;
    points_lattice(c, b, none, LATTICE_LEAST, (uint32)(line * ((1 << LATTICE_LEAST) / LINES) + 5), 1u, 1);
    for (int k = 0; k < c->dim; k++) at[k] = b->y[k][0];
    for (int axis = 0, axes; axis < c->dim; axis += axes) {
        axes = c->dim - axis < b->room / FINE ? c->dim - axis : b->room / FINE;
        for (int k = 0; k < c->dim; k++)
            for (int j = 0; j < axes * FINE; j++) b->y[k][j] = k == axis + j / FINE ? fine->node[j % FINE] : at[k];
        if (!points_values(c, c->thread, b, axes * FINE)) return 0;
        for (int i = 0; i < axes; i++) add_line(b->value + i * FINE, t->of[axis + i]);
    }
    return !is_stop_requested(c->stop);
}

/* Returns the number of points with `less` fewer nodes along every axis. */
static double points_of(const struct monte_carlo *c, const int *nodes, int less)
{
    double points = 1.0;
    for (int k = 0; k < c->dim; k++) points *= nodes[k] - less;
    return points;
}

/* Returns the number of points of a level: with its nodes, and with one node fewer along every axis. */
static double cost_of(const struct monte_carlo *c, const int *nodes)
{
    return points_of(c, nodes, 0) + points_of(c, nodes, 1);
}

/* Sets the nodes of a level, at least two along each axis, and one more along every axis if they would equal those
 * before.  Returns the largest number of nodes added to an axis. */
static int nodes_of(const struct monte_carlo *c, const struct axis_tails *t, int level, int *nodes)
{
    double share = fmax(pow(STEP, -level), NOISE_OF_SUM);
    int most = 0;
    for (int k = 0; k < c->dim; k++) {
        int n = 2;
        while (n < PRODUCT_NODES && t->of[k][n] > share * t->of[k][0]) n++;
        if (n <= nodes[k]) continue;
        if (n - nodes[k] > most) most = n - nodes[k];
        nodes[k] = n;
    }
    if (most) return most;
    for (int k = 0; k < c->dim; k++) nodes[k] += nodes[k] < PRODUCT_NODES;
    return 1;
}

/* TRUE if the coefficients fall by `smooth`, and the points allowed suffice for a level that may be accepted. */
static int is_worth(const struct monte_carlo *c, const struct axis_tails *t, double smooth)
{
    int nodes[PRODUCT_AXES] = { 0 };
    for (int k = 0; k < c->dim; k++)
        if (!(t->of[k][PRODUCT_NODES / 2] <= smooth * t->of[k][0])) return 0;
    nodes_of(c, t, FEWEST, nodes);
    return mc_afford(c, cost_of(c, nodes));
}

/* Evaluates the lines and sets *worth to TRUE if the integral is in the domain.  Most others are recognised at the
 * first point.  Returns 0 if the work is to stop. */
static int look(struct monte_carlo *c, struct axis_tails *t, int *worth)
{
    memset(t, 0, sizeof *t);
    *worth = 1;
    for (int line = 0; line < LINES && *worth; line++) {
        if (!look_from(c, line, t)) return 0;
        if (line == 0) *worth = is_worth(c, t, ROUGH);
    }
    *worth = *worth && is_worth(c, t, SMOOTH);
    return 1;
}

/* --- products ------------------------------------------------------------------------------------ */

/* Levels that are computed together: nodes and largest number of added nodes of each, and the points of all. */
struct levels { int count, nodes[FEWEST][PRODUCT_AXES], added[FEWEST]; double cost; };

/* Two products for each level, with its nodes and with one fewer along every axis; share: the number of the first
 * share. */
struct product { const struct legendre_rule *rule[PRODUCT_AXES]; double points; long share; };
struct products { struct product of[PRODUCT_PARTS]; int count, share_bits; long shares; };

static struct products products_of(const struct monte_carlo *c, const struct levels *l)
{
    struct products p = { .count = 2 * l->count, .share_bits = l->cost < FEW_POINTS ? SHARE_FEW : SHARE };
    for (int part = 0; part < p.count; part++) {
        struct product *one = &p.of[part];
        const int *nodes = l->nodes[part / 2], less = part % 2;
        for (int k = 0; k < c->dim; k++) one->rule[k] = legendre_rule(nodes[k] - less);
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
static void start_at(const struct monte_carlo *c, const struct product *p, double first, int *digit)
{
    for (int k = 0; k < c->dim; k++) {
        double rest = floor(first / p->rule[k]->n);
        digit[k] = (int)(first - rest * p->rule[k]->n);
        first = rest;
    }
}

/* Stores the next points, and the products of their weights in b->x. */
static void fill(const struct monte_carlo *c, const struct product *p, int *digit, struct workspace *b, int count)
{
    for (int q = 0; q < count; q++) {
        double weight = 1.0;
        for (int k = 0; k < c->dim; k++) {
            b->y[k][q] = p->rule[k]->node[digit[k]];
            weight *= p->rule[k]->weight[digit[k]];
        }
        b->x[q] = weight;
        for (int k = 0; k < c->dim && ++digit[k] == p->rule[k]->n; k++) digit[k] = 0;
    }
}

static struct product_sums run_share(struct monte_carlo *c, int thread, const struct products *all_of, long share)
{
    const struct product *p = &all_of->of[part_of(all_of, share)];
    struct product_sums s = { 0.0, 0.0 };
    double first = ldexp((double)(share - p->share), all_of->share_bits);
    int digit[PRODUCT_AXES], all = (int)fmin(1 << all_of->share_bits, p->points - first);
    struct workspace *b = &c->workspace[thread];
    start_at(c, p, first, digit);
    for (int done = 0; done < all && !stop_is_set(c->stop); done += b->room) {
        int count = all - done < b->room ? all - done : b->room;
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
    struct product_rule *rule = c->space->rule;
    double parameter[BOX_INPUTS];
    struct product_job j = {
        .box = { .use = FOR_PRODUCT, .shares = (size_t)(to - from) }, .parts = p->count,
        .share_bits = p->share_bits, .rule = rule, .first = (size_t)from, .share = share
    };

    if (!mc_box(c, &j.box, parameter)) return 0;
    for (int part = 0; part < p->count; part++) {
        const struct product *one = &p->of[part];
        struct product_part *to_part = &j.part[part];
        to_part->share = (int)one->share;
        to_part->points_high = (uint32)((uint64)one->points >> 32);
        to_part->points_low = (uint32)(uint64)one->points;
        for (int k = 0; k < c->dim; k++) {
            struct product_rule *r = &rule[part * c->dim + k];
            to_part->nodes[k] = one->rule[k]->n;
            memcpy(r->node, one->rule[k]->node, sizeof r->node);
            memcpy(r->weight, one->rule[k]->weight, sizeof r->weight);
        }
    }
    if (!mc_on_device(c, &j.box, ldexp((double)p->shares, p->share_bits))) return 0;
    for (size_t k = 0; k < j.box.shares; k++) mc_see(c, share[k].sum);
    return 1;
}

/* Computes the sums of each level, with its nodes and with one fewer along every axis.  Returns 0 if the work is to
 * stop. */
static int run_levels(struct monte_carlo *c, const struct levels *l, struct product_sums *total)
{
    struct products p = products_of(c, l);
    struct product_sums *share = c->space->product;
    long each = c->sampler->device ? PIECE : PIECE_OF_THREADS;

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

/* Returns the error by the geometric series of the changes; 0 if the last one is mere rounding. */
static double series_error(const struct progress *p, double noise)
{
    double recent = ratio_since(&p->before, &p->now, p->now.added), mean = ratio_since(&p->first, &p->now, p->added);
    double ratio = fmin(fmax(recent, mean), SLOWEST), change = p->now.change;
    if (p->number > 2) {
        double former = ratio_since(&p->first, &p->before, p->added - p->now.added);
        change = fmax(change, p->before.change * pow(fmin(former, 1.0), p->now.added));
    }
    return change > noise ? DOUBT * change * ratio / (1.0 - ratio) : 0.0;
}

/* Returns the error by what rules with these nodes leave out along the lines. */
static double lines_error(const struct monte_carlo *c, const struct axis_tails *t, const struct product_sums *sums,
                          const int *nodes)
{
    double left_out = 0.0;
    for (int k = 0; k < c->dim; k++) left_out += t->of[k][nodes[k]] / LINES;
    return sums->size > 0.0 ? left_out * pow(fabs(sums->sum) / sums->size, (c->dim - 1.0) / c->dim) : 0.0;
}

/* TRUE if the tolerance may be reached with the points allowed. */
static int has_hope(const struct monte_carlo *c, const int *nodes, const struct progress *p, double tolerance)
{
    double ratio = fmin(ratio_since(&p->before, &p->now, p->now.added), ratio_since(&p->first, &p->now, p->added));
    double points = 1.0;
    if (!(ratio > 0.0 && p->error > tolerance)) return 1;
    double more = ratio < SLOWEST ? 0.5 * log(tolerance / p->error) / log(ratio) : INFINITY;
    for (int k = 0; k < c->dim; k++) points *= nodes[k] + more;
    return mc_afford(c, points);
}

/* Returns the levels from number `level` on that are computed together, as many as evaluations are left for.  None
 * before FEWEST is accepted, so that these are one job. nodes: those of the level before. */
static struct levels levels_from(const struct monte_carlo *c, const struct axis_tails *t, int level, const int *nodes)
{
    struct levels l = { .count = 0, .cost = 0.0 };
    int most = level < FEWEST ? FEWEST + 1 - level : 1;
    for (; l.count < most; l.count++) {
        int *own = l.nodes[l.count];
        memcpy(own, l.count ? l.nodes[l.count - 1] : nodes, sizeof l.nodes[0]);
        l.added[l.count] = nodes_of(c, t, level + l.count, own);
        double cost = l.cost + cost_of(c, own);
        if (!mc_afford(c, cost)) break;
        l.cost = cost;
    }
    return l;
}

/* Records a level.  Returns 0 if it is the last one: the integral is finished, or the tolerance is out of reach. */
static int take_level(struct monte_carlo *c, struct progress *p, const struct axis_tails *t,
                      const struct product_sums *sums,
                      const int *nodes, int added)
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
        p->error = fmax(fmax(series_error(p, noise), lines_error(c, t, sums, nodes)), noise);
    }
    if (p->number < FEWEST) return 1;
    double tolerance = mc_tolerance(c, sums[0].sum, sums[0].size);
    p->is_reached = p->error <= tolerance;
    return !p->is_reached && has_hope(c, nodes, p, tolerance);
}

void mc_product(struct monte_carlo *c)
{
    struct axis_tails t;
    struct product_sums sums[PRODUCT_PARTS];
    struct progress p = { .now = { NAN, NAN, 1 }, .error = INFINITY };
    int nodes[PRODUCT_AXES] = { 0 }, worth = 0, more = 1;

    if (mc_afford(c, (double)LINES * FINE * c->dim) && !look(c, &t, &worth)) return;
    if (c->not_finite || !worth) {
        mc_finish(c, NAN, NAN, INTEGRAL_MAX_EVAL);
        return;
    }
    while (more && p.number < LEVELS) {
        struct levels l = levels_from(c, &t, p.number + 1, nodes);
        if (!l.count) break;
        if (!run_levels(c, &l, sums)) return;
        for (int k = 0; k < l.count && more; k++) more = take_level(c, &p, &t, sums + 2 * k, l.nodes[k], l.added[k]);
        memcpy(nodes, l.nodes[l.count - 1], sizeof nodes);
    }
    mc_finish(c, p.now.value, p.error, p.is_reached ? INTEGRAL_CONVERGED : INTEGRAL_MAX_EVAL);
}
