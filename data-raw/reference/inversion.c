/* The inversion along a path (contour.c): integrals over both legs, and bounds of what is left out. */
#include "path.h"

#define FAINTEST 2e6                /* log2 of values too small to be of use */

/* Bounds of the scaled integrals over 0 < r < exp(v): with |sin W| <= W = lead r^alpha and A <= M,
 * density: lead exp(M) r^(1 + alpha), tail: lead exp(M) r^alpha/alpha. */
static void bound_start(arb_t density, arb_t tail, const struct path *h)
{
    arb_t v, r, p, M, t;
    slong prec = h->prec;
    arb_init(v); arb_init(r); arb_init(p); arb_init(M); arb_init(t);
    arb_set_d(v, h->lowest);
    arb_exp(r, v, prec);
    arb_mul(p, v, h->a, prec);
    arb_exp(p, p, prec);
    if (h->near_one) {                          /* |x| r + C r^alpha + |beta T| (r^alpha + r), or |beta T| r |log r| */
        arb_abs(M, h->xx);
        arb_mul(M, M, r, prec);
        arb_addmul(M, h->C, p, prec);
        if (h->alpha == 1) arb_mul(t, r, v, prec);
        else arb_add(t, r, p, prec);
        arb_mul(t, t, h->bT, prec);
        arb_abs(t, t);
        arb_add(M, M, t, prec);
        arb_abs(M, M);
    } else {                                    /* |u| r + |power| r^alpha */
        arb_abs(M, h->uu);
        arb_mul(M, M, r, prec);
        arb_abs(t, h->power);
        arb_addmul(M, t, p, prec);
    }
    arb_exp(M, M, prec);
    arb_mul(M, M, h->lead, prec);
    arb_mul(M, M, p, prec);
    arb_div(tail, M, h->a, prec);
    arb_mul(density, M, r, prec);
    arb_clear(v); arb_clear(r); arb_clear(p); arb_clear(M); arb_clear(t);
}

/* Bounds of the integrals beyond the end T of the path:
 * REAL_POINT: int_T^inf exp(-t^alpha) dt <= (2/alpha) T^(1 - alpha) exp(-T^alpha) if T^alpha >= 2/alpha;
 * INFINITE_LEG: int_R^inf exp(-ur) dr = exp(-uR)/u;
 * RAY: int_S^inf exp(|u| (R - s/sqrt(2))) ds = sqrt(2)/|u| exp(|u| (R - S/sqrt(2)));
 * those of the tail are smaller by the factor 1/T, 1/R and sqrt(2)/S. */
static void bound_end(arb_t density, arb_t tail, const struct path *h)
{
    arb_t T, t, root;
    slong prec = h->prec;
    arb_init(T); arb_init(t); arb_init(root);
    arb_set_d(T, h->end == INFINITE_LEG ? h->R : h->T);
    if (h->end == REAL_POINT) {
        arb_log(t, T, prec);
        arb_mul(t, t, h->a, prec);
        arb_exp(t, t, prec);
        arb_neg(density, t);
        arb_exp(density, density, prec);
        arb_mul(density, density, T, prec);
        arb_div(density, density, t, prec);
        arb_mul_2exp_si(density, density, 1);
        arb_div(density, density, h->a, prec);
        arb_mul(t, t, h->a, prec);
        if (arf_cmp_si(arb_midref(t), 2) <= 0) arb_indeterminate(density);
    } else {
        arb_sqrt_ui(root, 2, prec);
        if (h->end == INFINITE_LEG) arb_one(root);
        arb_div(T, T, root, prec);
        arb_abs(t, h->uu);
        arb_set_d(density, h->end == RAY ? h->R : 0);
        arb_sub(density, density, T, prec);
        arb_mul(density, density, t, prec);
        arb_exp(density, density, prec);
        arb_div(density, density, t, prec);
        arb_mul(density, density, root, prec);
    }
    arb_div(tail, density, T, prec);
    arb_clear(T); arb_clear(t); arb_clear(root);
}

static void set_leg_two(struct path *h)
{
    arb_t t;
    arb_init(t);
    acb_zero(h->from);
    arb_set_d(acb_imagref(h->from), -h->R);
    if (h->end == RAY) {
        arb_sqrt_ui(t, 2, h->prec);
        arb_mul_2exp_si(t, t, -1);
        arb_set_d(acb_realref(h->step), h->T);
        arb_mul(acb_realref(h->step), acb_realref(h->step), t, h->prec);
        arb_set(acb_imagref(h->step), acb_realref(h->step));
    } else {
        arb_set_d(acb_realref(h->step), h->T);
        arb_set_d(acb_imagref(h->step), h->R);
    }
    arb_clear(t);
}

static void unscale(arb_t x, double bits)
{
    fmpz_t e;
    fmpz_init(e);
    fmpz_set_d(e, -bits);
    arb_mul_2exp_fmpz(x, x, e);
    fmpz_clear(e);
}

/* density and tail: pi times the density and the upper tail, without what the bounds cover */
static void both_legs(arb_t density, arb_t tail, struct path *h, slong goal)
{
    acb_t a, b, sum;
    arb_t log_R;
    acb_init(a); acb_init(b); acb_init(sum); arb_init(log_R);
    arb_zero(density); arb_zero(tail);
    arb_set_d(log_R, h->R);
    arb_log(log_R, log_R, h->prec);
    if (!arb_is_zero(h->lead) && arf_cmp_d(arb_midref(log_R), h->lowest) > 0) {
        acb_set_d(a, h->lowest);
        acb_set_arb(b, log_R);
        integrate(sum, integrand_one, h, a, b, goal, -goal, h->prec);
        arb_set(density, acb_realref(sum));
        arb_set(tail, acb_imagref(sum));
    }
    if (h->end != INFINITE_LEG) {
        set_leg_two(h);
        acb_zero(a);
        acb_one(b);
        for (h->tail = 0; h->tail < 2; h->tail++) {
            integrate(sum, integrand_two, h, a, b, goal, -goal, h->prec);
            if (h->tail) arb_add(tail, tail, acb_imagref(sum), h->prec);
            else arb_add(density, density, acb_realref(sum), h->prec);
        }
    }
    unscale(density, h->log2_density);
    unscale(tail, h->log2_tail);
    acb_clear(a); acb_clear(b); acb_clear(sum); arb_clear(log_R);
}

/* The upper tail at p, with the path of *h */
static void invert(struct value *v, struct path *h, slong goal)
{
    arb_t density, tail, pi;
    arb_init(density); arb_init(tail); arb_init(pi);
    both_legs(v->pdf, v->sf, h, goal);
    if (!arb_is_zero(h->lead)) {
        bound_start(density, tail, h);
        add_error(v->pdf, density);
        add_error(v->sf, tail);
    }
    bound_end(density, tail, h);
    add_error(v->pdf, density);
    add_error(v->sf, tail);
    arb_const_pi(pi, h->prec);
    arb_div(v->pdf, v->pdf, pi, h->prec);
    arb_div(v->sf, v->sf, pi, h->prec);
    arb_sub_si(v->cdf, v->sf, 1, h->prec);
    arb_neg(v->cdf, v->cdf);
    arb_clear(density); arb_clear(tail); arb_clear(pi);
}

int contour(struct value *v, const struct point *p, const struct value *near, slong goal)
{
    struct point q;
    struct path h;
    int mirrored = arf_cmpabs(arb_midref(near->cdf), arb_midref(near->sf)) < 0;
    double log2_tail = log2_of(mirrored ? near->cdf : near->sf), log2_pdf = log2_of(near->pdf);
    slong bits = 0, prec = goal + 80, extra = 10;
    if (!(fmin(log2_tail, log2_pdf) > -FAINTEST)) return 0;
    point_init(&q);
    path_init(&h);
    if (mirrored) point_mirror(&q, p);
    else point_set(&q, p->alpha, p->beta, p->x);
    for (int i = 0; i < 5 && bits < goal; i++, prec += prec / 3, extra += 12) {
        path_set(&h, &q, prec);
        choose_path(&h, log2_pdf * M_LN2, log2_tail * M_LN2, goal + extra);
        if (!(h.cancelled < 20000)) break;
        /* Further bits for what is cancelled, and for xt where it is large. */
        if (i == 0) prec += (slong) (h.cancelled / M_LN2 + fmax(0, log2_of(h.near_one ? h.xx : h.uu) + log2(h.R)));
        path_set(&h, &q, prec);
        h.log2_density = -floor(log2_pdf);
        h.log2_tail = -floor(log2_tail);
        invert(v, &h, goal + extra);
        bits = accurate_bits(v->pdf);
        if (accurate_bits(v->sf) < bits) bits = accurate_bits(v->sf);
    }
    if (mirrored) value_mirror(v);
    path_clear(&h);
    point_clear(&q);
    return bits >= goal;
}
