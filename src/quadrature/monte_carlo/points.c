/* Computes the values of the integrand at points of the unit cube. */
#include <string.h>
#include "monte_carlo.h"
#include "../../base/memory.h"

void workspaces_free(struct workspace *all, int threads)
{
    for (int t = 0; all && t < threads; t++) {
        memory_release(all[t].x);
        memory_release(all[t].bin[0]);
    }
    memory_release(all);
}

struct workspace *workspaces_new(int threads, int capacity, int dim)
{
    struct workspace *all = memory_zeroed((size_t)threads, sizeof *all);
    for (int t = 0; all && t < threads; t++) {
        struct workspace *b = &all[t];
        size_t each = (size_t)capacity;
        b->capacity = capacity;
        b->x = memory_allocate((size_t)(dim + 3) * each * sizeof *b->x);
        b->bin[0] = memory_allocate((size_t)dim * each);
        if (!b->x || !b->bin[0]) {
            workspaces_free(all, threads);
            return NULL;
        }
        b->weight = b->x + each;
        b->value = b->weight + each;
        for (int k = 0; k < dim; k++) {
            b->y[k] = b->value + (size_t)(k + 1) * each;
            b->bin[k] = b->bin[0] + (size_t)k * each;
        }
    }
    return all;
}

/* --- along an axis, in strips, which compilers vectorise --------------------------------------- */

#define STRIP MC_STRIP

/* Strips whose nodes are gathered before any of them is mapped.  The gathered numbers are stored one by one, and
 * reading them back as a vector at once would wait for the stores. */
#define STRIPS 10

/* Finds the bins, gathers their nodes, and applies the map.  Only the second of these steps is not vectorised. */
WIDE void map_strips(const double *restrict node, const double *restrict y, int strips, double *restrict x,
                     double *restrict weight, unsigned char *restrict bin)
{
    double n[STRIPS * STRIP][4];
    int j[STRIPS * STRIP];
    for (int s = 0; s < strips * STRIP; s += STRIP)
        for (int q = 0; q < STRIP; q++) j[s + q] = map_bin(y[s + q]);
    for (int q = 0; q < strips * STRIP; q++) {
        memcpy(n[q], node + 2 * j[q], sizeof n[q]);
        bin[q] = (unsigned char)j[q];
    }
    for (int s = 0; s < strips * STRIP; s += STRIP)
        for (int q = s; q < s + STRIP; q++) {
            struct mapped w = map_within(n[q][0], n[q][1], n[q][2], n[q][3], y[q] * MAP_BINS - j[q]);
            x[q] = w.x;
            weight[q] *= w.slope;
        }
}

static void map_axis(const double *node, const double *y, int strips, double *x, double *weight, unsigned char *bin)
{
    for (int from = 0; from < strips; from += STRIPS) {
        int s = from * STRIP, some = strips - from < STRIPS ? strips - from : STRIPS;
        map_strips(node, y + s, some, x + s, weight + s, bin + s);
    }
}

WIDE void periodic_axis(int how, double *restrict y, int strips, double *restrict weight)
{
    for (int s = 0; s < strips; s++, y += STRIP, weight += STRIP)
        for (int q = 0; q < STRIP; q++) {
            struct periodic p = periodic(how, y[q], 1.0 - y[q]);
            y[q] = p.t;
            weight[q] *= p.weight;
        }
}

WIDE void lattice_axis(uint32 z, int m, uint32 shift, uint32 from, uint32 step, int strips, double *restrict y)
{
    for (int s = 0; s < strips; s++, y += STRIP, from += STRIP * step)
        for (uint32 q = 0; q < STRIP; q++) y[q] = unit_share(lattice_phase(from + step * q, z, m, shift));
}

WIDE void scale_axis(double low, double width, const double *restrict share, int strips, double *restrict x)
{
    for (int s = 0; s < strips; s++, share += STRIP, x += STRIP)
        for (int q = 0; q < STRIP; q++) x[q] = low + width * share[q];
}

/* Computes the values times weights and scale.  A value with weight 0 counts as 0, even if it is not finite. */
WIDE void apply_weights(const double *restrict f, const double *restrict weight, double scale, int strips,
                        double *restrict value)
{
    for (int s = 0; s < strips; s++, f += STRIP, weight += STRIP, value += STRIP)
        for (int q = 0; q < STRIP; q++)
            value[q] = blend(mask_of(weight[q] != 0.0), f[q] * weight[q] * scale, 0.0);
}

static int are_finite(const double *value, int count)
{
    double check = 0.0;
    for (int q = 0; q < count; q++) check += value[q] * 0.0;
    return check == 0.0;
}

static int strips_of(int count)
{
    return (count + STRIP - 1) / STRIP;
}

/* --- blocks -------------------------------------------------------------------------------- */

void points_lattice(const struct monte_carlo *c, struct workspace *b, const uint32 *shift, int m, uint32 from,
                    uint32 step,
                    int count)
{
    for (int k = 0; k < c->dim; k++)
        lattice_axis(lattice_generator[k], m, shift[k], from, step, strips_of(count), b->y[k]);
}

void points_shift(struct monte_carlo *c, uint32 *shift)
{
    struct philox_key key = c->job->option.sampling.key;
    uint32 round = c->rounds++;
    for (int k = 0; k < c->dim; k += 4) {
        struct philox_block r = strata_words(key, (uint32)k, 0, round, STRATA_SHIFTS, mc_index(c));
        for (int j = 0; j < 4 && k + j < c->dim; j++) shift[k + j] = r.word[j];
    }
}

void points_apply_weights(const struct monte_carlo *c, struct workspace *b, int component, double scale, int count)
{
    const double *f = b->f + (size_t)component * (size_t)c->sampler->block;
    apply_weights(f, b->weight, scale, strips_of(count), b->value);
}

int points_values(struct monte_carlo *c, int thread, struct workspace *b, int count)
{
    const struct integral_job *job = c->job;
    const struct sampler *s = c->sampler;
    int strips = strips_of(count);

    for (int q = 0; q < STRIP * strips; q++) b->weight[q] = 1.0;
    for (int k = 0; k < c->dim; k++) {
        for (int q = count; q < STRIP * strips; q++) b->y[k][q] = 0.5;
        if (c->periodic != PERIODIC_NOT) periodic_axis(c->periodic, b->y[k], strips, b->weight);
        if (c->mapped) map_axis(c->node[k], b->y[k], strips, b->x, b->weight, b->bin[k]);
        scale_axis(c->low[k], c->width[k], c->mapped ? b->x : b->y[k], strips, s->input(s->self, thread, k));
    }
    for (int k = 0; k < job->parameters; k++) {
        double *to = s->input(s->self, thread, c->dim + k), value = job->parameter[(size_t)k * job->n + c->integral];
        for (int q = 0; q < count; q++) to[q] = value;
    }
    const double *f = s->run(s->self, thread, count);
    if (!f) {
        stop_interrupted(c->stop);
        return 0;
    }
    b->f = f;
    points_apply_weights(c, b, c->component, c->scale, count);
    if (!are_finite(b->value, count)) ATOMIC_WRITE(&c->not_finite, 1);
    return 1;
}
