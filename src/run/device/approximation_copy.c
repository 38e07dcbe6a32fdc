#include "../../opencl/headers.h"
#ifdef STABLECL_OPENCL
#include "approximation_copy.h"
#include "../../base/memory.h"
#include "../interpolable.h"

/* Coefficients, pair by pair, then the bases, then whether a piece is drawn (shared.h). */
static void lay_out_pieces(const struct sketch *k, double *pairs, int *base)
{
    int *drawn = base + 2 * k->bases;
    for (int i = 0; i < k->pieces; i++) {
        drawn[i] = k->drawn[i].count >= 0;
        for (int p = 0; drawn[i] && p < SKETCH_POLYNOMIALS; p++)
            for (int c = 0; c < SKETCH_TERMS; c++) {
                size_t pair = (size_t)(p * SKETCH_PAIRS + c / 2) * (size_t)k->pieces + (size_t)i;
                pairs[2 * pair + (size_t)(c % 2)] = k->piece[i].c[p][c];
            }
    }
    for (int b = 0; b < k->bases; b++) {
        base[2 * b] = k->base[b].piece - k->piece_0;
        base[2 * b + 1] = k->base[b].cut;
    }
}

/* 0 if memory is short. */
static int lay_out(struct drawing *d)
{
    const struct sketch *k = &d->sketch;
    size_t doubles = (size_t)(SKETCH_POLYNOMIALS * SKETCH_TERMS) * (size_t)k->pieces;
    size_t size = doubles * sizeof(double) + (size_t)(2 * k->bases + k->pieces) * sizeof(int);
    unsigned char *more = memory_resize(d->data, size);

    if (!more) return 0;
    d->data = more;
    d->size = size;
    lay_out_pieces(k, (double *)more, (int *)((double *)more + doubles));
    d->alpha = k->alpha;
    d->beta = k->beta;
    d->version++;
    return 1;
}

int drawing_serves(struct drawing *d, const struct quick_job *job)
{
    struct user_law l = first_law(&job->laws);
    const struct sketch *k = &d->sketch;

    if (job->row || !job->left || !sketch_whole(&d->sketch, &l)) return 0;
    if ((!d->version || d->alpha != k->alpha || d->beta != k->beta) && !lay_out(d)) return 0;
    d->head.frame = sketch_frame_of(k, &l);
    d->head.pieces = k->pieces;
    d->head.only_value = job->only_value;
    return 1;
}

void drawing_free(struct drawing *d)
{
    sketch_free(&d->sketch);
    memory_release(d->data);
}

#endif
