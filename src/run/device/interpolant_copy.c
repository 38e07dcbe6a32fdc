#include "../../opencl/headers.h"
#ifdef STABLECL_OPENCL
#include "interpolant_copy.h"
#include "../../base/memory.h"
#include "../../interpolant/pack.h"
#include "../interpolable.h"
#include "../../base/threads.h"

/* A chart takes 1 or 2 ms of the host, as the panels of a law do, but an element of these costs
 * some tens of times as much on the device.  It is laid for jobs that take a tenth of a
 * millisecond or more. */
#define LAY_CHART 100000

/* The chart of a law, if it is worth one for n elements. */
static const struct chart *chart_for(struct atlas *a, const struct user_law *l, size_t n)
{
    const struct chart *known = charts_find(&a->charts, l->alpha, l->beta);

    if (known || n < LAY_CHART) return known;
    return crew_hire(&a->crew, threads_limit()) ? charts_lay(&a->charts, &a->crew, l->alpha, l->beta) : NULL;
}

/* 0 if memory is short. */
static int lay_out(struct atlas *a, const struct chart *c, const struct sheet *head)
{
    size_t size = sheet_size(head);
    unsigned char *more = memory_resize(a->data, size + 1);

    if (!more) return 0;
    a->data = more;
    a->size = size;
    sheet_write(c, head, a->data);
    a->alpha = c->alpha;
    a->beta = c->beta;
    a->version++;
    return 1;
}

int atlas_serves(struct atlas *a, const struct eval_job *job)
{
    struct user_law law = first_law(&job->laws);
    const struct chart *c = !job->error && is_chartable(&job->laws, job->n) ? chart_for(a, &law, job->n) : NULL;

    if (!c) return 0;
    a->head = sheet_of(c, &law);
    if ((!a->version || a->alpha != law.alpha || a->beta != law.beta) && !lay_out(a, c, &a->head)) return 0;
    return a->head.pieces > 0;
}

void atlas_free(struct atlas *a)
{
    charts_clear(&a->charts);
    crew_free(&a->crew);
    memory_release(a->data);
}

#endif
