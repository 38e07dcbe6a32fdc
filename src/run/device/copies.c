#include <math.h>
#include <string.h>
#include "copies.h"
#include "../../base/memory.h"
#include "../../base/parallel.h"
#include "../../interpolant/build.h"
#include "../../interpolant/tensor_approximation.h"
#include "../../opencl/entries.h"
#include "../columns.h"

#ifdef STABLECL_OPENCL

/* Smallest number of elements for which an interpolant is built.  Building takes 1 or 2 ms on the host, like the
 * node sets of a law, but evaluation by node sets takes some tens of times as long on the device.  An
 * interpolant is built for jobs that take a tenth of a millisecond or more. */
#define BUILD_INTERPOLANT 100000

/* Returns the interpolant of a law if n elements justify building one, or if it exists. */
static struct interpolant *interpolant_for(struct interpolant_copy *a, const struct user_law *l, size_t n)
{
    struct interpolant *known = cache_find(&a->interpolants, l->alpha, l->beta);

    if (known || n < BUILD_INTERPOLANT) return known;
    if (!shape_pool_reserve(&a->shape_pool, threads_limit())) return NULL;
    return cache_build(&a->interpolants, &a->shape_pool, l->alpha, l->beta);
}

/* Allocates memory for a new version of the input, for a shape; returns 0 if memory is short. */
static int resize_input(struct kernel_input *m, double alpha, double beta, size_t size)
{
    unsigned char *more = memory_resize(m->data, size + 1);

    if (!more) return 0;
    m->data = more;
    m->size = size;
    m->alpha = alpha;
    m->beta = beta;
    m->version++;
    return 1;
}

static int is_for_shape(const struct kernel_input *m, double alpha, double beta)
{
    return m->version && m->alpha == alpha && m->beta == beta;
}

/* Likewise with the quantile interpolant. */
static struct interpolant *quantile_interpolant_for(struct interpolant_copy *a, const struct user_law *l, size_t n)
{
    struct interpolant *c = interpolant_for(a, l, n);

    if (!c || c->quantile_interpolant || n < BUILD_INTERPOLANT) return c && c->quantile_interpolant ? c : NULL;
    if (shape_pool_reserve(&a->shape_pool, threads_limit()))
        c->quantile_interpolant = quantile_interpolant_new(&a->shape_pool, c);
    if (!c->quantile_interpolant) return NULL;
    c->bytes += c->quantile_interpolant->bytes;
    return c;
}

/* Renews the input of the kernel, if it is that of another shape or kind; returns 0 if memory is short. */
static int set_input(struct interpolant_copy *a, const struct interpolant *c, int quantiles)
{
    size_t size = quantiles ? packed_quantiles_size(&a->head) : packed_size(&a->head);

    if (is_for_shape(&a->input, c->alpha, c->beta) && a->has_quantiles == quantiles) return 1;
    if (!resize_input(&a->input, c->alpha, c->beta, size)) return 0;
    (quantiles ? packed_quantiles_write : packed_write)(c, &a->head, a->input.data);
    a->has_quantiles = quantiles;
    return 1;
}

int interpolant_copy_update(struct interpolant_copy *a, const struct element_job *job)
{
    if (!is_interpolable(job)) return 0;
    int quantiles = job->quantity == JOB_QUANTILES;
    size_t n = elements_expected(job);
    struct user_law law = first_law(&job->laws);
    const struct interpolant *c = quantiles ? quantile_interpolant_for(a, &law, n) : interpolant_for(a, &law, n);

    if (!c) return 0;
    a->head = quantiles ? packed_quantiles_of(c, &law) : packed_of(c, &law);
    return set_input(a, c, quantiles) && a->head.pieces > 0;
}

void interpolant_copy_free(struct interpolant_copy *a)
{
    cache_clear(&a->interpolants);
    shape_pool_free(&a->shape_pool);
    memory_release(a->input.data);
}

const struct interpolant *encoded_copy_update(struct encoded_copy *a, struct interpolant_copy *from,
                                              const struct element_job *job)
{
    struct user_law l = first_law(&job->laws);
    int is_density = job->quantity == JOB_LOGLIK || job->out[OUT_PDF];
    enum encoded what = job->quantity == JOB_QUANTILES ? ENCODED_QUANTILE : is_density ? ENCODED_DENSITY : ENCODED_TAIL;
    const struct interpolant *c = what == ENCODED_QUANTILE ? quantile_interpolant_for(from, &l, BUILD_INTERPOLANT)
                                                           : interpolant_for(from, &l, BUILD_INTERPOLANT);

    if (!c || (is_for_shape(&a->input, c->alpha, c->beta) && a->what == what)) return a->encoding.pieces > 0 ? c : NULL;
    a->input.alpha = NAN;
    a->what = what;
    if (!encoding_set(&a->encoding, c, what) || a->encoding.pieces == 0) return NULL;
    size_t size = (size_t)a->encoding.pieces * ENCODED_FLOATS * sizeof(float);
    if (!resize_input(&a->input, c->alpha, c->beta, size)) return NULL;
    if (encoding_write(&a->encoding, c, what, (float *)a->input.data)) return c;
    encoding_free(&a->encoding);
    return NULL;
}

void encoded_copy_free(struct encoded_copy *a)
{
    encoding_free(&a->encoding);
    memory_release(a->input.data);
}

/* Writes pairs of coefficients, then the base intervals, then whether each piece has an approximation (shared.h). */
static void pack_pieces(const struct approximation *k, double *pairs, int *base)
{
    int *exists = base + 2 * k->bases;
    for (int i = 0; i < k->pieces; i++) {
        exists[i] = k->entry[i].count >= 0;
        for (int p = 0; exists[i] && p < APPROXIMATION_POLYNOMIALS; p++)
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

/* Writes the current approximation to the input; returns 0 if memory is short. */
static int pack_approximation(struct approximation_copy *d)
{
    const struct approximation *k = &d->approximation;
    size_t doubles = (size_t)(APPROXIMATION_POLYNOMIALS * APPROXIMATION_TERMS) * (size_t)k->pieces;
    size_t size = doubles * sizeof(double) + (size_t)(2 * k->bases + k->pieces) * sizeof(int);

    if (!resize_input(&d->input, k->alpha, k->beta, size)) return 0;
    double *pairs = (double *)d->input.data;
    pack_pieces(k, pairs, (int *)(pairs + doubles));
    return 1;
}

int approximation_copy_update(struct approximation_copy *d, const struct element_job *job)
{
    struct user_law l = first_law(&job->laws);
    const struct approximation *k = &d->approximation;

    if ((!job->out[0] && !job->deferred) || !approximation_with_all_pieces(&d->approximation, &l)) return 0;
    if (!is_for_shape(&d->input, k->alpha, k->beta) && !pack_approximation(d)) return 0;
    d->head.frame = approximation_frame_of(k, &l);
    d->head.pieces = k->pieces;
    d->head.only_value = job->only_value;
    return 1;
}

void approximation_copy_free(struct approximation_copy *d)
{
    approximation_free(&d->approximation);
    memory_release(d->input.data);
}

/* Copies `size` bytes to position *end and advances it; returns the position. */
static size_t put(struct tables_copy *p, size_t *end, const void *from, size_t size)
{
    size_t begin = *end;
    memcpy(p->input.data + begin, from, size);
    *end += size;
    return begin;
}

/* Base intervals and pieces are structs of two and of three ints. */
int tables_copy_update(struct tables_copy *p)
{
    const struct tables *t = tables_get();
    double powers[TABLE_U * TABLE_U];
    size_t end = 0, one = sizeof(int);

    if (p->input.data || !t) return p->input.data != NULL;
    const struct table_part *low = &t->part[TABLE_PART_LOW], *high = &t->part[TABLE_PART_HIGH];
    size_t size = sizeof powers + (size_t)t->bases * sizeof *t->base + (size_t)t->pieces * sizeof *t->piece
                + (low->values + high->values) * one + t->counts;
    if (!tables_decode_all() || !resize_input(&p->input, 0.0, 0.0, size)) return 0;
    chebyshev_powers(TABLE_U, powers);
    put(p, &end, powers, sizeof powers);
    p->at.base = (int)(put(p, &end, t->base, (size_t)t->bases * sizeof *t->base) / one);
    p->at.piece = (int)(put(p, &end, t->piece, (size_t)t->pieces * sizeof *t->piece) / one);
    p->at.low = (int)(put(p, &end, low->value, low->values * one) / one);
    p->at.high = (int)(put(p, &end, high->value, high->values * one) / one);
    p->at.count = (int)put(p, &end, t->count, t->counts);
    return 1;
}

void tables_copy_free(struct tables_copy *p)
{
    memory_release(p->input.data);
}

#endif
