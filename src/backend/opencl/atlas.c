#include <stdlib.h>
#include "headers.h"
#ifdef STABLECL_OPENCL
#include "atlas.h"
#include "../chartable.h"
#include "../threads.h"

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

static int pieces_of(const struct chart_side *s)
{
    int last = s->binades - 1;
    return last < 0 ? 0 : s->start[last] + (1 << s->shift[last]);
}

/* The side's pieces, from number `from` on, as the kernel looks for them. */
static void lay_side_out(const struct atlas *a, const struct chart_side *s, int left, int from)
{
    const struct device_chart *h = &a->head;
    double *pairs = (double *)a->data;
    int *binade = (int *)(pairs + 2 * CHART_TERMS * h->pieces), *upper = binade + 2 * (h->binades[0] + h->binades[1]);

    for (int i = 0; i < pieces_of(s); i++) {
        for (int k = 0; k < CHART_TERMS; k++) {
            size_t pair = (size_t)(k / 2) * (size_t)h->pieces + (size_t)(from + i);
            pairs[2 * pair + k % 2] = s->pdf[(size_t)i * CHART_TERMS + k];
            pairs[2 * (pair + (size_t)CHART_PAIRS * h->pieces) + k % 2] = s->tail[(size_t)i * CHART_TERMS + k];
        }
        upper[from + i] = s->upper[i];
    }
    binade += left ? 2 * h->binades[0] : 0;
    for (int i = 0; i < s->binades; i++) {
        binade[2 * i] = from + s->start[i];
        binade[2 * i + 1] = s->shift[i];
    }
}

/* 0 if memory is short. */
static int lay_out(struct atlas *a, const struct chart *c)
{
    int right = pieces_of(&c->side[0]), pieces = right + pieces_of(&c->side[1]);
    int binades = c->side[0].binades + c->side[1].binades;
    size_t size = (size_t)pieces * (2 * CHART_TERMS * sizeof(double) + sizeof(int)) + (size_t)binades * 2 * sizeof(int);
    unsigned char *more = realloc(a->data, size + 1);

    if (!more) return 0;
    a->data = more;
    a->size = size;
    a->head.s = c->s;
    a->head.pieces = pieces;
    for (int k = 0; k < 2; k++) {
        a->head.first[k] = c->side[k].first;
        a->head.binades[k] = c->side[k].binades;
    }
    lay_side_out(a, &c->side[0], 0, 0);
    lay_side_out(a, &c->side[1], 1, right);
    a->alpha = c->alpha;
    a->beta = c->beta;
    a->version++;
    return 1;
}

/* What kernels need to know of the law, beside its shape. */
static void set_frame(struct device_chart *h, const struct chart *c, const struct user_law *l)
{
    struct frame f = user_frame(l, 0.0);
    h->centre = c->centre[f.shifted];
    h->gamma = f.gamma;
    h->over_gamma = 1.0 / f.gamma;
    h->log_gamma = f.log_gamma;
    h->delta = l->delta;
    h->shift = f.shift;
    h->plain = f.gamma == 1.0 && l->delta == 0.0 && f.shift == 0.0;
}

int atlas_serves(struct atlas *a, const struct eval_job *job)
{
    struct user_law law = first_law(&job->laws);
    const struct chart *c = !job->error && is_chartable(&job->laws, job->n) ? chart_for(a, &law, job->n) : NULL;

    if (!c) return 0;
    if ((!a->version || a->alpha != law.alpha || a->beta != law.beta) && !lay_out(a, c)) return 0;
    if (a->head.pieces == 0) return 0;
    set_frame(&a->head, c, &law);
    return 1;
}

void atlas_free(struct atlas *a)
{
    charts_clear(&a->charts);
    crew_free(&a->crew);
    free(a->data);
}

#endif
