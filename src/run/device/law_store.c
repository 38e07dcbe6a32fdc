#include "../../opencl/entries.h"
#ifdef STABLECL_OPENCL
#include "copies.h"
#include "../../base/memory.h"
#include "../../base/parallel.h"
#include "../../stable/shape.h"

#define BUILD_SECONDS 30e-6           /* approximate time to build a node set */

static int same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static int set_mode(struct device_shape *d, struct status *st)
{
    struct shape *s = shape_new();
    if (!s) return fail(st, ST_MEMORY, "no memory for the mode of a distribution");
    shape_set(s, d->alpha, d->beta, 0);
    d->mode = shape_frame_mode(s);
    shape_free(s);
    return ST_OK;
}

static void set_shape(struct device_shape *d, double alpha, double beta, int is_valid)
{
    memset(d, 0, sizeof *d);
    d->alpha = alpha;
    d->beta = beta;
    if (!is_valid) return;
    standard_set(&d->law, alpha, beta);
    d->draw = draw_law_of(alpha, beta);
    if (standard_is_closed(alpha, beta) || alpha == 1.0) return;
    tail_set(&d->tail[0], &d->law.law, &d->law.law.right);
    tail_set(&d->tail[1], &d->law.law, &d->law.law.left);
}

int store_set(struct store *s, double alpha, double beta, int pm, struct status *st)
{
    struct user_law law = { alpha, beta, 1.0, 0.0, pm };
    int is_valid = !user_is_missing(&law) && user_is_valid(&law), needs_mode = is_valid && pm == 2;

    if (!s->version || !same_number(alpha, s->shape.alpha) || !same_number(beta, s->shape.beta)) {
        set_shape(&s->shape, alpha, beta, is_valid);
        for (int k = 0; k < SLOTS; k++) s->slot[k] = NO_NODE_SET;
        s->has_mode = s->count = s->used = 0;
        s->version++;
    }
    if (needs_mode && !s->has_mode) {
        if (set_mode(&s->shape, st)) return st->code;
        s->has_mode = 1;
        s->version++;
    }
    return ST_OK;
}

/* Allocates memory for one more node set of n nodes; returns 0 if memory is short. */
static int grow(struct store *s, int n)
{
    if (s->count == s->node_set_capacity) {
        int capacity = s->node_set_capacity ? 2 * s->node_set_capacity : 64;
        struct device_node_set *more = memory_resize(s->node_sets, (size_t)capacity * sizeof *more);
        if (!more) return 0;
        s->node_sets = more;
        s->node_set_capacity = capacity;
    }
    if (s->used + 3 * n > s->node_capacity) {
        int capacity = 2 * (s->used + 3 * n);
        double *more = memory_resize(s->nodes, (size_t)capacity * sizeof *more);
        if (!more) return 0;
        s->nodes = more;
        s->node_capacity = capacity;
    }
    return 1;
}

static int append(struct store *s, int slot, const struct node_set *p)
{
    if (!grow(s, p->n)) return 0;
    struct device_node_set head = { p->n, s->used, p->tail_form, p->error, p->log_G.hi, p->g_min };
    size_t size = (size_t)p->n * sizeof(double);
    memcpy(s->nodes + s->used, p->dg, size);
    memcpy(s->nodes + s->used + p->n, p->pdf, size);
    memcpy(s->nodes + s->used + 2 * p->n, p->tail, size);
    s->node_sets[s->count] = head;
    s->slot[slot] = s->count++;
    s->used += 3 * p->n;
    return 1;
}

#define NODE_CAPACITY (NODE_SET_MAX + LANES)

/* The node sets of the slots wanted[0], ...; buffer: 3 NODE_CAPACITY numbers for each thread. */
struct construction {
    struct store *store;
    const int *wanted;
    double *buffer;
    struct stop_flag stop_flag;
};

static void build_some(void *context, int thread, size_t from, size_t to)
{
    struct construction *c = context;
    double *buffer = c->buffer + (size_t)thread * 3 * NODE_CAPACITY;
    struct node_set p = { .dg = buffer, .pdf = buffer + NODE_CAPACITY, .tail = buffer + 2 * NODE_CAPACITY };
    for (size_t i = from; i < to; i++) {
        struct zolotarev_integrand b = standard_integrand_of_cell(&c->store->shape.law, c->wanted[i] - SLOT_ZERO);
        node_set_build(&p, &b, 0);
        parallel_lock();
        int is_stored = append(c->store, c->wanted[i], &p);
        parallel_unlock();
        if (!is_stored) stop_all(&c->stop_flag, ST_MEMORY, "no memory for node sets");
    }
}

int store_build(struct store *s, const int *marked, struct status *st)
{
    struct construction c = { .store = s, .stop_flag = { .st = st } };
    int count = 0, *wanted = memory_allocate(SLOTS * sizeof *wanted);
    if (!wanted) return fail(st, ST_MEMORY, "no memory for node sets");
    for (int k = 0; k < SLOTS; k++)
        if (marked[k] && s->slot[k] == NO_NODE_SET) wanted[count++] = k;
    int threads = threads_for(count * BUILD_SECONDS);
    c.wanted = wanted;
    c.buffer = memory_allocate((size_t)threads * 3 * NODE_CAPACITY * sizeof *c.buffer);
    if (c.buffer) parallel_for((size_t)count, 1, threads, build_some, &c, &c.stop_flag);
    else fail(st, ST_MEMORY, "no memory for node sets");
    memory_release(c.buffer);
    memory_release(wanted);
    s->version++;
    return st->code;
}

void store_free(struct store *s)
{
    memory_release(s->node_sets);
    memory_release(s->nodes);
}

#endif
