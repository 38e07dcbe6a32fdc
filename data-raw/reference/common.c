/* Points, values, and helpers that all methods share. */
#include "reference.h"

const char *const method_names[METHODS] = {"Nolan's integral", "inversion along a contour", "closed form"};

void point_init(struct point *p) { arb_init(p->x); }
void point_clear(struct point *p) { arb_clear(p->x); }

void point_set(struct point *p, double alpha, double beta, const arb_t x)
{
    p->alpha = alpha;
    p->beta = beta;
    arb_set(p->x, x);
}

void point_mirror(struct point *p, const struct point *from)
{
    p->alpha = from->alpha;
    p->beta = -from->beta;
    arb_neg(p->x, from->x);
}

void value_init(struct value *v)
{
    arb_init(v->pdf);
    arb_init(v->cdf);
    arb_init(v->sf);
}

void value_clear(struct value *v)
{
    arb_clear(v->pdf);
    arb_clear(v->cdf);
    arb_clear(v->sf);
}

void value_mirror(struct value *v) { arb_swap(v->cdf, v->sf); }

void tangent(arb_t T, double alpha, slong prec)
{
    if (alpha == 2) arb_zero(T);
    else if (alpha == 0.5 || alpha == 1.5) arb_set_si(T, alpha == 0.5 ? 1 : -1);
    else {
        arb_set_d(T, alpha);
        arb_mul_2exp_si(T, T, -1);
        arb_tan_pi(T, T, prec);
    }
}

void shifted(arb_t u, const struct point *p, slong prec)
{
    arb_t b;
    if (p->alpha == 1) {
        arb_set(u, p->x);
        return;
    }
    arb_init(b);
    arb_set_d(b, p->beta);
    tangent(u, p->alpha, prec);
    arb_mul(u, u, b, prec);
    arb_add(u, u, p->x, prec);
    arb_clear(b);
}

/* zeta is rational only for alpha = 1/2, 3/2 and 2, where it is exact (the tangent of a rational multiple of pi is
 * rational only if it is 0 or +-1: Niven 1956, corollary 3.12), and for beta = 0.  Otherwise x = zeta is impossible. */
int side(const struct point *p)
{
    arb_t u;
    int sign = 0;
    arb_init(u);
    for (slong prec = 256; prec <= 1 << 15; prec *= 2) {
        shifted(u, p, prec);
        if (!arb_contains_zero(u)) {
            sign = arb_is_positive(u) ? 1 : -1;
            break;
        }
        if (arb_is_zero(u)) break;
    }
    arb_clear(u);
    return sign;
}

int outside_support(const struct point *p)
{
    return p->alpha < 1 && fabs(p->beta) == 1 && side(p) * p->beta <= 0;
}

double log2_of(const arb_struct *x)
{
    double bits;
    arf_t m;
    fmpz_t e;
    if (arf_is_zero(arb_midref(x))) return -HUGE_VAL;
    if (!arf_is_finite(arb_midref(x))) return HUGE_VAL;
    arf_init(m);
    fmpz_init(e);
    arf_frexp(m, e, arb_midref(x));
    bits = fmpz_get_d(e) + log2(fabs(arf_get_d(m, ARF_RND_NEAR)));
    arf_clear(m);
    fmpz_clear(e);
    return bits;
}

static void set_unknown(acb_t z)
{
    arf_nan(arb_midref(acb_realref(z)));
    arf_nan(arb_midref(acb_imagref(z)));
}

void scale(acb_t z, double bits)
{
    fmpz_t e;
    if (!isfinite(bits)) {
        set_unknown(z);
        return;
    }
    fmpz_init(e);
    fmpz_set_d(e, bits);
    acb_mul_2exp_fmpz(z, z, e);
    fmpz_clear(e);
}

void add_error(arb_t x, const arb_t bound)
{
    arb_t b;
    arb_init(b);
    arb_set(b, bound);
    arb_add_error(x, b);
    arb_clear(b);
}

slong accurate_bits(const arb_t x)
{
    if (!arb_is_finite(x)) return 0;
    if (arb_is_exact(x)) return WORD_MAX / 4;
    return arb_rel_accuracy_bits(x);
}

slong agreed_bits(const arb_t a, const arb_t b)
{
    slong x = accurate_bits(a), y = accurate_bits(b);
    if (!arb_is_finite(a) || !arb_is_finite(b) || !arb_overlaps(a, b)) return 0;
    return x < y ? x : y;
}

void integrate(acb_t sum, acb_calc_func_t f, void *context, const acb_t a, const acb_t b, slong goal,
               double log2_absolute, slong prec)
{
    acb_calc_integrate_opt_t options;
    mag_t tolerance;
    fmpz_t e;
    if (!isfinite(log2_absolute)) {
        set_unknown(sum);
        return;
    }
    acb_calc_integrate_opt_init(options);
    options->eval_limit = 2000000;
    options->depth_limit = 4 * prec;
    mag_init(tolerance);
    fmpz_init(e);
    fmpz_set_d(e, floor(log2_absolute));
    mag_set_ui_2exp_si(tolerance, 1, 0);
    mag_mul_2exp_fmpz(tolerance, tolerance, e);
    acb_calc_integrate(sum, f, context, a, b, goal, tolerance, options, prec);
    mag_clear(tolerance);
    fmpz_clear(e);
}
