/* Direct evaluation of one distribution, with the node sets built so far. */
#include "shape.h"
#include "node_sets.h"
#include "../base/memory.h"
#include "centre.h"
#include "streamed_sum.h"

struct shape {
    struct standard law;
    struct tail tail[2];                /* right, left; set when first needed */
    int tail_set[2];
    struct node_sets *node_sets;
    long built;
    struct node_set work;
    double room[3][NODE_SET_MAX + LANES];
};

struct shape *shape_new(void)
{
    struct shape *s = memory_zeroed(1, sizeof *s);
    if (!s) return NULL;
    s->node_sets = node_sets_new();
    if (!s->node_sets) {
        memory_release(s);
        return NULL;
    }
    s->work.dg = s->room[0];
    s->work.pdf = s->room[1];
    s->work.tail = s->room[2];
    return s;
}

void shape_free(struct shape *s)
{
    if (!s) return;
    node_sets_free(s->node_sets);
    memory_release(s);
}

void shape_set(struct shape *s, double alpha, double beta)
{
    if (alpha == s->law.alpha && beta == s->law.beta) return;
    node_sets_clear(s->node_sets);
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

/* Computes the value by the series at infinity.  Returns 0 if that is not accurate enough. */
static int from_tail(struct shape *s, const struct position *p, struct stable_value *v)
{
    if (!standard_is_far(&s->law, p)) return 0;
    if (!s->tail_set[p->left]) tail_set(&s->tail[p->left], &s->law.law, argument_side(&s->law.law, p));
    s->tail_set[p->left] = 1;
    return value_tail(&s->law.law, p, &s->tail[p->left], v);
}

/* Returns the node set of a cell; builds it if it is not in the store. */
static const struct node_set *node_set_of(struct shape *s, int64 key)
{
    const struct node_set *node_set = node_sets_find(s->node_sets, key);
    if (node_set) return node_set;
    struct integrand_peak b = standard_peak_of_cell(&s->law, key);
    node_set_build(&s->work, &b);
    s->built++;
    node_set = node_sets_keep(s->node_sets, key, &s->work);
    return node_set ? node_set : &s->work;
}

void shape_eval(struct shape *s, struct abscissa x, struct stable_value *v)
{
    struct position p;
    struct sums sums;
    int64 key;
    if (standard_closed(&s->law, x, &p, v) || from_tail(s, &p, v)) return;
    if (standard_cell(&s->law, &p, &key)) node_set_sums(node_set_of(s, key), p.log_G, &sums);
    else {
        struct integrand_peak b = standard_peak(&s->law, &p);
        streamed_sums(&b, 0, &sums);
    }
    value_from_sums(&s->law.law, &p, &sums, v);
}

double shape_slope(struct shape *s, struct abscissa x)
{
    const struct law *law = &s->law.law;
    const struct node_set *node_set = &s->work;
    struct position p;
    int64 key;
    argument_set(&p, law, x);
    if (law->alpha >= CENTRE_ALPHA && fabs(centre_u(law, p.y)) < CENTRE_REACH)
        return centre_slope(law, p.left ? -p.y : p.y);
    if (standard_cell(&s->law, &p, &key)) node_set = node_set_of(s, key);
    else {
        struct integrand_peak b = standard_peak(&s->law, &p);
        node_set_build(&s->work, &b);
    }
    double d = p.dlog_front + p.dlog_G * node_set_slope(node_set, p.log_G);
    return p.left ? -d : d;
}
