/* Values on which two methods agree. */
#include "reference.h"

static slong least_agreement(const struct value *v, const struct value *w)
{
    slong bits = agreed_bits(v->pdf, w->pdf), c = agreed_bits(v->cdf, w->cdf), s = agreed_bits(v->sf, w->sf);
    if (c < bits) bits = c;
    return s < bits ? s : bits;
}

/* Exact values outside the support */
static void zero(struct value *v, const struct point *p)
{
    arb_zero(v->pdf);
    arb_set_si(v->cdf, p->beta < 0);
    arb_set_si(v->sf, p->beta > 0);
}

int agreed_value(struct value *v, const struct point *p, slong goal, slong *bits)
{
    struct value w;
    int first, second;
    *bits = WORD_MAX / 4;
    if (outside_support(p)) {
        zero(v, p);
        return 1;
    }
    *bits = 0;
    value_init(&w);
    first = nolan(v, p, goal);
    second = closed(first ? &w : v, p, goal);
    if (!first || !second) {
        if (first || second) second = contour(&w, p, v, goal);
        first = second;
    }
    if (first && second) *bits = least_agreement(v, &w);
    value_clear(&w);
    return *bits >= goal;
}

slong check_methods(const struct point *p, slong goal, int *methods)
{
    struct value v[METHODS];
    int done[METHODS], last = -1;
    slong bits = WORD_MAX / 4;
    for (int k = 0; k < METHODS; k++) value_init(v + k);
    done[NOLAN] = nolan(v + NOLAN, p, goal);
    done[CLOSED] = closed(v + CLOSED, p, goal);
    done[CONTOUR] = (done[NOLAN] || done[CLOSED]) && contour(v + CONTOUR, p, v + (done[NOLAN] ? NOLAN : CLOSED), goal);
    *methods = 0;
    for (int k = 0; k < METHODS; k++) if (done[k]) {
        slong agreed = last < 0 ? bits : least_agreement(v + last, v + k);
        if (agreed < bits) bits = agreed;
        last = k;
        ++*methods;
    }
    for (int k = 0; k < METHODS; k++) value_clear(v + k);
    return *methods < 2 ? 0 : bits;
}
