#include "../../opencl/headers.h"
#ifdef STABLECL_OPENCL
#include "interpolant_copy.h"
#include "../../base/memory.h"
#include "../../interpolant/pack.h"
#include "../interpolable.h"
#include "../../base/threads.h"

/* Smallest number of elements for which an interpolant is built.  Building takes 1 or 2 ms on the host, like the
 * node sets of a law, but evaluation by node sets takes some tens of times as long on the device.  An
 * interpolant is built for jobs that take a tenth of a millisecond or more. */
#define BUILD_INTERPOLANT 100000

/* Returns the interpolant of a law if n elements justify building one, or if it exists. */
static const struct interpolant *interpolant_for(struct interpolant_copy *a, const struct user_law *l, size_t n)
{
    const struct interpolant *known = cache_find(&a->interpolants, l->alpha, l->beta);

    if (known || n < BUILD_INTERPOLANT) return known;
    return shape_pool_reserve(&a->shape_pool, threads_limit()) ? cache_build(&a->interpolants, &a->shape_pool,
                                                                             l->alpha, l->beta) : NULL;
}

/* Writes the interpolant to `data`; returns 0 if memory is short. */
static int pack(struct interpolant_copy *a, const struct interpolant *c, const struct packed *head)
{
    size_t size = packed_size(head);
    unsigned char *more = memory_resize(a->data, size + 1);

    if (!more) return 0;
    a->data = more;
    a->size = size;
    packed_write(c, head, a->data);
    a->alpha = c->alpha;
    a->beta = c->beta;
    a->version++;
    return 1;
}

int interpolant_copy_serves(struct interpolant_copy *a, const struct eval_job *job)
{
    struct user_law law = first_law(&job->laws);
    const struct interpolant *c = !job->error && is_interpolable(&job->laws, job->n) ? interpolant_for(a, &law,
                                                                                                       job->n) : NULL;

    if (!c) return 0;
    a->head = packed_of(c, &law);
    if ((!a->version || a->alpha != law.alpha || a->beta != law.beta) && !pack(a, c, &a->head)) return 0;
    return a->head.pieces > 0;
}

void interpolant_copy_free(struct interpolant_copy *a)
{
    cache_clear(&a->interpolants);
    shape_pool_free(&a->shape_pool);
    memory_release(a->data);
}

#endif
