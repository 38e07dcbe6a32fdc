/* Direct evaluation of one distribution, with the node sets built so far.
 *
 * A node set (node_set.h) is built for one value of log G and is used for a cell around it; a sample from one
 * distribution needs about a hundred cells.  The store of node sets is bounded.  A full store is emptied, which costs
 * no more than filling it did.
 */
#include "shape.h"
#include "../base/memory.h"
#include "../base/parallel.h"
#include "node_set.h"
#include "quantile_search.h"
#include "streamed_sum.h"

#define NODE_SETS_MAX   512
#define NODE_SETS_INDEX 1024                /* a power of 2 above NODE_SETS_MAX */

/* A store of node sets with a hash index (open addressing, linear probing). */
struct node_sets {
    int count;
    short index[NODE_SETS_INDEX];       /* 1 + number of the node set, 0 if free */
    long long key[NODE_SETS_MAX];
    struct node_set node_set[NODE_SETS_MAX];
};

static void node_sets_clear(struct node_sets *s)
{
    if (!s->count) return;
    for (int i = 0; i < s->count; i++) memory_release(s->node_set[i].dg);
    memset(s->index, 0, sizeof s->index);
    s->count = 0;
}

/* Returns the entry of the index that holds the key, or the free entry for it. */
static unsigned entry_of(const struct node_sets *s, long long key)
{
    unsigned i = (unsigned) ((unsigned long long) key * 0x9E3779B97F4A7C15ull >> 40) % NODE_SETS_INDEX;
    while (s->index[i] && s->key[s->index[i] - 1] != key) i = (i + 1) % NODE_SETS_INDEX;
    return i;
}

/* Returns the node set of a key, or NULL. */
static const struct node_set *node_sets_find(const struct node_sets *s, long long key)
{
    int k = s->index[entry_of(s, key)];
    return k ? &s->node_set[k - 1] : NULL;
}

/* Stores a copy of a newly built node set and returns it, or NULL if memory is short.  Empties a full store first. */
static const struct node_set *node_sets_keep(struct node_sets *s, long long key, const struct node_set *built)
{
    if (s->count == NODE_SETS_MAX) node_sets_clear(s);
    size_t n = (size_t) built->n;
    double *nodes = memory_allocate(3 * n * sizeof(double));
    if (!nodes) return NULL;
    struct node_set *p = &s->node_set[s->count];
    *p = *built;
    p->dg = memcpy(nodes, built->dg, n * sizeof(double));
    p->pdf = memcpy(nodes + n, built->pdf, n * sizeof(double));
    p->tail = memcpy(nodes + 2 * n, built->tail, n * sizeof(double));
    s->key[s->count] = key;
    s->index[entry_of(s, key)] = (short) ++s->count;
    return p;
}

struct shape {
    struct standard law;
    struct tail tail[2];                /* right, left; set when first needed */
    int tail_set[2];
    struct node_sets node_sets;
    long built;
    int without_tail;                   /* node sets are built for the density alone */
    struct node_set work;
    double nodes[3][NODE_SET_MAX + LANES];
};

struct shape *shapes_new(int n)
{
    struct shape *all = memory_zeroed((size_t)n, sizeof *all);
    for (int k = 0; all && k < n; k++) {
        all[k].work.dg = all[k].nodes[0];
        all[k].work.pdf = all[k].nodes[1];
        all[k].work.tail = all[k].nodes[2];
    }
    return all;
}

struct shape *shapes_at(struct shape *all, int k)
{
    return all + k;
}

void shapes_free(struct shape *all, int n)
{
    for (int k = 0; all && k < n; k++) node_sets_clear(&all[k].node_sets);
    memory_release(all);
}

struct shape *shape_new(void)
{
    return shapes_new(1);
}

void shape_free(struct shape *s)
{
    shapes_free(s, 1);
}

void shape_set(struct shape *s, double alpha, double beta, int without_tail)
{
    if (alpha == s->law.alpha && beta == s->law.beta && without_tail == s->without_tail) return;
    s->without_tail = without_tail;
    node_sets_clear(&s->node_sets);
    s->built = 0;
    s->tail_set[0] = s->tail_set[1] = 0;
    standard_set(&s->law, alpha, beta);
}

long shape_built(const struct shape *s)
{
    return s->built;
}

const struct standard *shape_law(const struct shape *s)
{
    return &s->law;
}

/* Returns the power series on the side of p, or NULL if p is not far enough for it. */
static const struct tail *tail_of(struct shape *s, const struct standardised_argument *p)
{
    if (!standard_is_far(&s->law, p)) return NULL;
    if (!s->tail_set[p->left]) tail_set(&s->tail[p->left], &s->law.law, argument_side(&s->law.law, p));
    s->tail_set[p->left] = 1;
    return &s->tail[p->left];
}

/* Computes the value by the power series.  Returns 0 if that is not accurate enough. */
static int value_from_tail(struct shape *s, const struct standardised_argument *p, struct stable_value *v)
{
    const struct tail *t = tail_of(s, p);
    return t && value_tail(&s->law.law, p, t, v);
}

/* Returns the node set of a cell; builds it if it is not in the store. */
static const struct node_set *node_set_of(struct shape *s, int64 key)
{
    const struct node_set *node_set = node_sets_find(&s->node_sets, key);
    if (node_set) return node_set;
    struct zolotarev_integrand b = standard_integrand_of_cell(&s->law, key);
    node_set_build(&s->work, &b, s->without_tail);
    s->built++;
    node_set = node_sets_keep(&s->node_sets, key, &s->work);
    return node_set ? node_set : &s->work;
}

/* Half the width, in log G, of a cell that contains the arguments of a search for one quantile. */
#define SEARCH_HALF_CELL 0.2

/* The cell of the node set in `work` while a single quantile is sought. */
struct search_cell { int is_set, left, near_one; };

/* Returns a node set for a narrow cell around the first of several arguments that lie close together.  Building it
 * takes about two thirds of the time of one for the store. */
static const struct node_set *node_set_for_search(struct shape *s, struct search_cell *cell,
                                                  const struct standardised_argument *p)
{
    if (cell->is_set && cell->left == p->left && cell->near_one == p->near_one
        && fabs(p->log_G.hi - s->work.log_G.hi) <= SEARCH_HALF_CELL) return &s->work;
    struct zolotarev_integrand b = standard_integrand(&s->law, p);
    cell->is_set = fabs(p->log_G.hi) < LOG_G_CELLS;
    cell->left = p->left;
    cell->near_one = p->near_one;
    b.half_cell = cell->is_set ? SEARCH_HALF_CELL : 0.0;
    node_set_build(&s->work, &b, s->without_tail);
    s->built++;
    return &s->work;
}

/* Evaluates the distribution, with node sets from the store, or from a narrow cell if one is given. */
static void eval(struct shape *s, struct search_cell *cell, struct argument x, struct stable_value *v)
{
    struct standardised_argument p;
    struct sums sums;
    int64 key;
    if (standard_closed(&s->law, x, &p, v) || value_from_tail(s, &p, v)) return;
    if (cell) node_set_sums(node_set_for_search(s, cell, &p), p.log_G, &sums);
    else if (standard_cell(&s->law, &p, &key)) node_set_sums(node_set_of(s, key), p.log_G, &sums);
    else {
        struct zolotarev_integrand b = standard_integrand(&s->law, &p);
        streamed_sums(&b, 0, &sums);
    }
    value_from_sums(&s->law.law, &p, &sums, v);
}

void shape_eval(struct shape *s, struct argument x, struct stable_value *v)
{
    eval(s, NULL, x, v);
}

/* Computes the derivative of log f in y by the power series, f = alpha/(pi y) sum_k c_k z^k with z proportional to
 * y^-alpha.  Returns 0 if that is not accurate enough. */
static int tail_slope(struct shape *s, const struct standardised_argument *p, double *slope)
{
    const struct law *law = &s->law.law;
    const struct tail *t = tail_of(s, p);
    double log_z = argument_log_z(law, p), z = exp(log_z), pdf = 0.0, moment = 0.0, sizes = 0.0;
    if (!t || log_z > t->log_z_max || !light_tail_is_negligible(law, p)) return 0;
    for (int k = tail_terms(t, log_z); k >= 1; k--) {
        pdf = pdf * z + t->c[k - 1];
        moment = moment * z + k * t->c[k - 1];
        sizes = sizes * z + k * fabs(t->c[k - 1]);
    }
    *slope = -(1.0 + law->alpha * moment / pdf) / p->y;
    return sizes <= TAIL_CANCEL * pdf;
}

double shape_slope(struct shape *s, struct argument x)
{
    const struct law *law = &s->law.law;
    const struct node_set *node_set = &s->work;
    struct standardised_argument p;
    double d;
    int64 key;
    argument_set(&p, law, x);
    if (tail_slope(s, &p, &d)) return p.left ? -d : d;
    if (law->alpha >= CENTRE_ALPHA && fabs(centre_u(law, p.y)) < CENTRE_REACH)
        return centre_slope(law, p.left ? -p.y : p.y);
    if (standard_cell(&s->law, &p, &key)) node_set = node_set_of(s, key);
    else {
        struct zolotarev_integrand b = standard_integrand(&s->law, &p);
        node_set_build(&s->work, &b, s->without_tail);
    }
    d = p.dlog_front + p.dlog_G * node_set_slope(node_set, p.log_G.hi);
    return p.left ? -d : d;
}

struct argument shape_quantile(struct shape *s, double p, int lower, int log_p, int without_store, int shifted)
{
    struct quantile q;
    struct argument x;
    struct stable_value v;
    struct search_cell cell = { 0, 0, 0 };
    quantile_start(&q, shape_law(s), p, lower, log_p);
    while (quantile_needs_value(&q, &x)) {
        eval(s, without_store ? &cell : NULL, x, &v);
        quantile_update(&q, &v);
    }
    return quantile_result(&q, shape_law(s), shifted);
}

/* --- several shapes with the same parameters, one for each thread ------------------------------ */

int shape_pool_reserve(struct shape_pool *c, int threads)
{
    for (c->count = 0; c->count < SHAPE_POOL_MAX && c->count < threads; c->count++) {
        if (!c->shape[c->count]) c->shape[c->count] = shape_new();
        if (!c->shape[c->count]) break;
    }
    return c->count > 0;
}

void shape_pool_free(struct shape_pool *c)
{
    for (int k = 0; k < SHAPE_POOL_MAX; k++) shape_free(c->shape[k]);
}

void shape_pool_set(struct shape_pool *c, double alpha, double beta)
{
    for (int k = 0; k < c->count; k++) shape_set(c->shape[k], alpha, beta, 0);
}

struct shape_tasks { struct shape_pool *pool; shape_pool_task *task; void *job; int from; };

static void run_tasks(void *context, int thread, size_t from, size_t to)
{
    const struct shape_tasks *t = context;
    for (size_t k = from; k < to; k++) t->task(t->job, t->pool->shape[thread], t->from + (int)k);
}

void shape_pool_run(struct shape_pool *c, shape_pool_task *task, void *job, int from, int to, int in_parallel)
{
    struct shape_tasks t = { c, task, job, from };
    parallel_for((size_t)(to - from), 1, in_parallel ? c->count : 1, run_tasks, &t, NULL);
}
