#include "../../opencl/headers.h"
#ifdef STABLECL_OPENCL
#include "law_store.h"
#include "../../base/memory.h"
#include "../../base/threads.h"
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
    shape_set(s, d->alpha, d->beta);
    d->mode = shape_mode_place(s);
    shape_free(s);
    return ST_OK;
}

static void set_shape(struct device_shape *d, double alpha, double beta, int legal)
{
    memset(d, 0, sizeof *d);
    d->alpha = alpha;
    d->beta = beta;
    if (!legal) return;
    standard_set(&d->law, alpha, beta);
    d->draw = draw_law_of(alpha, beta);
    if (standard_is_closed(alpha, beta) || alpha == 1.0) return;
    tail_set(&d->tail[0], &d->law.law, &d->law.law.right);
    tail_set(&d->tail[1], &d->law.law, &d->law.law.left);
}

int store_set(struct store *s, double alpha, double beta, int pm, struct status *st)
{
    struct user_law law = { alpha, beta, 1.0, 0.0, pm };
    int legal = !user_is_missing(&law) && user_is_inside(&law), wants_mode = legal && pm == 2;

    if (!s->version || !same_number(alpha, s->shape.alpha) || !same_number(beta, s->shape.beta)) {
        set_shape(&s->shape, alpha, beta, legal);
        for (int k = 0; k < SLOTS; k++) s->slot[k] = NO_NODE_SET;
        s->has_mode = s->count = s->used = 0;
        s->version++;
    }
    if (wants_mode && !s->has_mode) {
        if (set_mode(&s->shape, st)) return st->code;
        s->has_mode = 1;
        s->version++;
    }
    return ST_OK;
}

/* Makes room for one more node set of n nodes; returns 0 if memory is short. */
static int grow(struct store *s, int n)
{
    if (s->count == s->node_set_room) {
        int room = s->node_set_room ? 2 * s->node_set_room : 64;
        struct device_node_set *more = memory_resize(s->node_sets, (size_t)room * sizeof *more);
        if (!more) return 0;
        s->node_sets = more;
        s->node_set_room = room;
    }
    if (s->used + 3 * n > s->node_room) {
        int room = 2 * (s->used + 3 * n);
        double *more = memory_resize(s->nodes, (size_t)room * sizeof *more);
        if (!more) return 0;
        s->nodes = more;
        s->node_room = room;
    }
    return 1;
}

static int append(struct store *s, int slot, const struct node_set *p)
{
    if (!grow(s, p->n)) return 0;
    struct device_node_set head = { p->n, s->used, p->form, p->error, p->log_G, p->g_min };
    size_t size = (size_t)p->n * sizeof(double);
    memcpy(s->nodes + s->used, p->dg, size);
    memcpy(s->nodes + s->used + p->n, p->pdf, size);
    memcpy(s->nodes + s->used + 2 * p->n, p->tail, size);
    s->node_sets[s->count] = head;
    s->slot[slot] = s->count++;
    s->used += 3 * p->n;
    return 1;
}

/* Builds the node sets of slots wanted[0], ...; returns the number that could not be stored. */
static int build_all(struct store *s, const int *wanted, int count, int threads)
{
    int lost = 0;
#ifdef _OPENMP
#pragma omp parallel num_threads(threads) reduction(+:lost)
#endif
    {
        struct node_set p;
        double *room = memory_allocate(3 * (NODE_SET_MAX + LANES) * sizeof *room);
        p.dg = room;
        p.pdf = room + NODE_SET_MAX + LANES;
        p.tail = room + 2 * (NODE_SET_MAX + LANES);
#ifdef _OPENMP
#pragma omp for schedule(dynamic)
#endif
        for (int i = 0; i < count; i++) {
            struct integrand_peak b = standard_peak_of_cell(&s->shape.law, wanted[i] - SLOT_ZERO);
            int kept = 0;
            if (room) node_set_build(&p, &b);
#ifdef _OPENMP
#pragma omp critical
#endif
            kept = room && append(s, wanted[i], &p);
            lost += !kept;
        }
        memory_release(room);
    }
    (void)threads;
    return lost;
}

int store_build(struct store *s, const int *marked, struct status *st)
{
    int count = 0, *wanted = memory_allocate(SLOTS * sizeof *wanted);
    if (!wanted) return fail(st, ST_MEMORY, "no memory for node sets");
    for (int k = 0; k < SLOTS; k++)
        if (marked[k] && s->slot[k] == NO_NODE_SET) wanted[count++] = k;
    int lost = build_all(s, wanted, count, threads_for(count * BUILD_SECONDS));
    memory_release(wanted);
    s->version++;
    return lost ? fail(st, ST_MEMORY, "no memory for node sets") : ST_OK;
}

void store_free(struct store *s)
{
    memory_release(s->node_sets);
    memory_release(s->nodes);
}

#endif
