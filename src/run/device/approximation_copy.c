#include "../../opencl/headers.h"
#ifdef STABLECL_OPENCL
#include "approximation_copy.h"
#include "../../base/memory.h"
#include "../interpolable.h"

/* Writes pairs of coefficients, then the base intervals, then whether each piece has an approximation (shared.h). */
static void pack_pieces(const struct approximation *k, double *pairs, int *base)
{
    int *drawn = base + 2 * k->bases;
    for (int i = 0; i < k->pieces; i++) {
        drawn[i] = k->drawn[i].count >= 0;
        for (int p = 0; drawn[i] && p < APPROXIMATION_POLYNOMIALS; p++)
            for (int c = 0; c < APPROXIMATION_TERMS; c++) {
                size_t pair = (size_t)(p * APPROXIMATION_PAIRS + c / 2) * (size_t)k->pieces + (size_t)i;
                pairs[2 * pair + (size_t)(c % 2)] = k->piece[i].c[p][c];
            }
    }
    for (int b = 0; b < k->bases; b++) {
        base[2 * b] = k->base[b].piece - k->piece_0;
        base[2 * b + 1] = k->base[b].cut;
    }
}

/* Writes the current approximation to `data`; returns 0 if memory is short. */
static int pack(struct approximation_copy *d)
{
    const struct approximation *k = &d->approximation;
    size_t doubles = (size_t)(APPROXIMATION_POLYNOMIALS * APPROXIMATION_TERMS) * (size_t)k->pieces;
    size_t size = doubles * sizeof(double) + (size_t)(2 * k->bases + k->pieces) * sizeof(int);
    unsigned char *more = memory_resize(d->data, size);

    if (!more) return 0;
    d->data = more;
    d->size = size;
    pack_pieces(k, (double *)more, (int *)((double *)more + doubles));
    d->alpha = k->alpha;
    d->beta = k->beta;
    d->version++;
    return 1;
}

int approximation_copy_serves(struct approximation_copy *d, const struct approximate_job *job)
{
    struct user_law l = first_law(&job->laws);
    const struct approximation *k = &d->approximation;

    if (job->row || !job->left || !approximation_whole(&d->approximation, &l)) return 0;
    if ((!d->version || d->alpha != k->alpha || d->beta != k->beta) && !pack(d)) return 0;
    d->head.frame = approximation_frame_of(k, &l);
    d->head.pieces = k->pieces;
    d->head.only_value = job->only_value;
    return 1;
}

void approximation_copy_free(struct approximation_copy *d)
{
    approximation_free(&d->approximation);
    memory_release(d->data);
}

#endif
