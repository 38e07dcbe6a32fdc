/* integrate/points.c: from places in the unit cube to values of the integrand. */
#include <stdlib.h>
#include <string.h>
#include "carlo.h"

void benches_free(struct bench *all, int threads)
{
    for (int t = 0; all && t < threads; t++) {
        free(all[t].x);
        free(all[t].bin[0]);
    }
    free(all);
}

struct bench *benches_new(int threads, int room, int dim)
{
    struct bench *all = calloc((size_t)threads, sizeof *all);
    for (int t = 0; all && t < threads; t++) {
        struct bench *b = &all[t];
        size_t each = (size_t)room;
        b->room = room;
        b->x = malloc((size_t)(dim + 3) * each * sizeof *b->x);
        b->bin[0] = malloc((size_t)dim * each);
        if (!b->x || !b->bin[0]) {
            benches_free(all, threads);
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

/* --- along an axis ----------------------------------------------------------------------- */

WIDE void warp_axis(const double *restrict node, const double *restrict y, int count, double *restrict x,
                    double *restrict weight, unsigned char *restrict bin)
{
    for (int q = 0; q < count; q++) {
        int j = warp_bin(y[q]);
        struct warped w = warp(node, y[q], j);
        x[q] = w.x;
        weight[q] *= w.slope;
        bin[q] = (unsigned char)j;
    }
}

WIDE void periodic_axis(int how, double *restrict y, int count, double *restrict weight)
{
    for (int q = 0; q < count; q++) {
        struct periodic p = periodic(how, y[q]);
        y[q] = p.t;
        weight[q] *= p.weight;
    }
}

WIDE void lattice_axis(uint32 z, int m, uint32 shift, uint32 from, uint32 step, int count, double *restrict y)
{
    for (int q = 0; q < count; q++) y[q] = unit_share(lattice_phase(from + step * (uint32)q, z, m, shift));
}

WIDE void scale_axis(double low, double width, const double *restrict share, int count, double *restrict x)
{
    for (int q = 0; q < count; q++) x[q] = low + width * share[q];
}

/* Values times weights; 0 if one is not finite.  Where the weight is 0 the value does not count. */
WIDE int weigh(const double *restrict f, const double *restrict weight, double scale, int count,
               double *restrict value)
{
    double check = 0.0;
    for (int q = 0; q < count; q++) {
        double v = weight[q] == 0.0 ? 0.0 : f[q] * weight[q] * scale;
        check += v * 0.0;
        value[q] = v;
    }
    return check == 0.0;
}

/* --- blocks -------------------------------------------------------------------------------- */

void points_lattice(const struct carlo *c, struct bench *b, const uint32 *shift, int m, uint32 from, uint32 step,
                    int count)
{
    for (int k = 0; k < c->dim; k++) lattice_axis(lattice_generator[k], m, shift[k], from, step, count, b->y[k]);
}

void points_shift(struct carlo *c, uint32 *shift)
{
    const struct sampling *s = c->job->sampling;
    uint32 round = c->rounds++;
    for (int k = 0; k < c->dim; k += 4) {
        struct philox_block r = cubes_words(s->key, (uint64)k, round, CUBES_SHIFTS, (uint32)c->integral);
        for (int j = 0; j < 4 && k + j < c->dim; j++) shift[k + j] = r.word[j];
    }
}

int points_values(struct carlo *c, int thread, struct bench *b, int count)
{
    const struct integral_job *job = c->job;
    const struct sampler *s = c->sampler;

    for (int q = 0; q < count; q++) b->weight[q] = 1.0;
    for (int k = 0; k < c->dim; k++) {
        if (c->periodic != PERIODIC_NOT) periodic_axis(c->periodic, b->y[k], count, b->weight);
        if (c->warped) warp_axis(c->node[k], b->y[k], count, b->x, b->weight, b->bin[k]);
        scale_axis(c->low[k], c->width[k], c->warped ? b->x : b->y[k], count, s->input(s->self, thread, k));
    }
    for (int k = 0; k < job->parameters; k++) {
        double *to = s->input(s->self, thread, c->dim + k), value = job->parameter[(size_t)k * job->n + c->integral];
        for (int q = 0; q < count; q++) to[q] = value;
    }
    const double *f = s->run(s->self, thread, count);
    if (!f) {
        *c->stop = STOP_INTERRUPT;
        return 0;
    }
    if (!weigh(f, b->weight, c->scale, count, b->value)) c->not_finite = 1;
    return 1;
}
