/* Derivatives of the log density with respect to alpha, beta and x.
 *
 * The density is an analytic function of each of them inside the parameter space.  Its derivative is that of the
 * polynomial through its values at NODES points next to the point, divided by the density.  alpha and beta are doubles:
 * the nodes are rounded, and the weights are computed for the rounded ones.  At alpha = 2 and beta = +-1 all nodes lie
 * on one side.  Each density is a value on which two methods agree (agree.c), in ball arithmetic, so that the radius of
 * the result contains the errors of all densities, multiplied by the weights.  The error of the polynomial is of order
 * (step/R)^(NODES - 1) with the distance R of the nearest singularity; it is judged by a second polynomial with a
 * fourth of the step, and the step is reduced until both agree.
 */
#include "reference.h"

#define NODES 7
#define TRIALS 4                        /* step lengths */

enum variable { ALPHA, BETA, X };

/* The point whose coordinate `which` is t */
static void node(struct point *q, const double at[3], enum variable which, double t)
{
    q->alpha = which == ALPHA ? t : at[ALPHA];
    q->beta = which == BETA ? t : at[BETA];
    arb_set_d(q->x, which == X ? t : at[X]);
}

/* Returns a distance below which the density is smooth: next to zeta that from it, divided by its slope in alpha. */
static double reach(const double at[3], enum variable which)
{
    double alpha = at[ALPHA], beta = at[BETA], least = fabs(at[X]) + 1;
    double steep = alpha == 1 ? 0 : tan(M_PI / 2 * alpha);
    double slope = which == ALPHA ? M_PI / 2 * fabs(beta) * (1 + steep * steep) : fabs(steep);
    if (alpha < 1) {
        double gap = fabs(at[X] + beta * steep);
        if (gap > 0 && gap < least) least = gap;
    }
    if (which == X) return least;
    return least < fabs(at[X]) + 1 && least < slope ? fmin(alpha, least / slope) : fmin(1, alpha);
}

/* Fills the nodes; returns 0 if two of them are the same double. */
static int place_nodes(double t[NODES], const double at[3], enum variable which, double step)
{
    double first = at[which] - (NODES - 1) / 2 * step;
    double least = which == BETA ? -1 : which == ALPHA ? 0 : -HUGE_VAL;
    double most = which == BETA ? 1 : which == ALPHA ? 2 : HUGE_VAL;
    if (first < least) first = least;
    if (first + (NODES - 1) * step > most) first = most - (NODES - 1) * step;
    for (int k = 0; k < NODES; k++) {
        t[k] = k == NODES - 1 && first + k * step > most - step / 2 ? most : first + k * step;
        if (k > 0 && !(t[k] > t[k - 1])) return 0;
    }
    return 1;
}

/* weight = l_k'(at) for the Lagrange polynomial l_k of the nodes */
static void lagrange_slope(arb_t weight, const double t[NODES], int k, double at, slong prec)
{
    arb_t term, a, b;
    arb_init(term); arb_init(a); arb_init(b);
    arb_zero(weight);
    for (int i = 0; i < NODES; i++) {
        if (i == k) continue;
        arb_one(term);
        for (int j = 0; j < NODES; j++) {
            if (j == k) continue;
            if (j != i) {
                arb_set_d(a, at);
                arb_set_d(b, t[j]);
                arb_sub(a, a, b, prec);
                arb_mul(term, term, a, prec);
            }
            arb_set_d(a, t[k]);
            arb_set_d(b, t[j]);
            arb_sub(a, a, b, prec);
            arb_div(term, term, a, prec);
        }
        arb_add(weight, weight, term, prec);
    }
    arb_clear(term); arb_clear(a); arb_clear(b);
}

/* slope = derivative of the polynomial through the densities, divided by `density`.  Returns 0 if two methods do not
 * agree on one of them. */
static int slope_by_nodes(arb_t slope, const double at[3], enum variable which, double step, const arb_t density,
                          slong goal)
{
    double t[NODES];
    struct point q;
    struct value v;
    slong bits, prec = goal + 400;
    arb_t weight;
    int good = place_nodes(t, at, which, step);
    point_init(&q);
    value_init(&v);
    arb_init(weight);
    arb_zero(slope);
    for (int k = 0; k < NODES && good; k++) {
        node(&q, at, which, t[k]);
        good = agreed_value(&v, &q, goal, &bits);
        lagrange_slope(weight, t, k, at[which], prec);
        arb_addmul(slope, weight, v.pdf, prec);
    }
    arb_div(slope, slope, density, prec);
    point_clear(&q);
    value_clear(&v);
    arb_clear(weight);
    return good && arb_is_finite(slope);
}

/* Returns 1 if the difference, with both radii, is below 10^-digits, relative to scores above 1. */
static int is_settled(const arb_t wide, const arb_t close, slong digits)
{
    arb_t gap, allowed;
    int settled;
    arb_init(gap); arb_init(allowed);
    arb_sub(gap, wide, close, 400);
    arb_abs(gap, gap);
    arb_set_si(allowed, 10);
    arb_pow_ui(allowed, allowed, (ulong) digits, 400);
    arb_inv(allowed, allowed, 400);
    if (log2_of(close) > 0) arb_mul(allowed, allowed, close, 400);
    arb_abs(allowed, allowed);
    settled = arb_lt(gap, allowed);
    arb_clear(gap); arb_clear(allowed);
    return settled;
}

/* slope = derivative of the log density; returns 0 if no two step lengths agree. */
static int slope_of(arb_t slope, const double at[3], enum variable which, const arb_t density, slong digits)
{
    double step = 0x1p-16 * reach(at, which);
    arb_t wide;
    int good = 0;
    arb_init(wide);
    for (int k = 0; k < TRIALS && !good; k++, step *= 0x1p-6) {
        slong goal = (slong) (digits * BITS_PER_DIGIT + 40 - 1.5 * log2(step / (1 + fabs(at[which]))));
        if (slope_by_nodes(wide, at, which, step, density, goal) &&
            slope_by_nodes(slope, at, which, step / 4, density, goal)) good = is_settled(wide, slope, digits);
    }
    arb_clear(wide);
    return good;
}

int scores(arb_t slope[3], const double at[3], slong digits)
{
    struct point p;
    struct value v;
    slong bits;
    int good;
    point_init(&p);
    value_init(&v);
    node(&p, at, X, at[X]);
    good = agreed_value(&v, &p, (slong) (digits * BITS_PER_DIGIT) + 60, &bits) && !arb_contains_zero(v.pdf);
    for (int k = ALPHA; k <= X && good; k++) good = slope_of(slope[k], at, (enum variable) k, v.pdf, digits);
    point_clear(&p);
    value_clear(&v);
    return good;
}

/* Returns 1 and reports it if the derivative at a point differs from its exact value, or cannot be computed. */
static int is_wrong(double alpha, double beta, double x, enum variable which, const arb_t exact, slong digits)
{
    const double at[3] = { alpha, beta, x };
    arb_t slope[3];
    int wrong;
    for (int k = ALPHA; k <= X; k++) arb_init(slope[k]);
    wrong = !scores(slope, at, digits) || !is_settled(slope[which], exact, digits);
    if (wrong) printf("%.17g %.17g %.17g: wrong derivative %d\n", alpha, beta, x, which);
    for (int k = ALPHA; k <= X; k++) arb_clear(slope[k]);
    return wrong;
}

/* d_alpha = -digamma(1 + 1/alpha)/alpha^2 at x = 0, beta = 0, because f = Gamma(1 + 1/alpha)/pi there. */
static int is_wrong_at_centre(double alpha, slong digits)
{
    arb_t exact, a;
    int wrong;
    arb_init(exact); arb_init(a);
    arb_set_d(a, alpha);
    arb_inv(exact, a, 400);
    arb_add_si(exact, exact, 1, 400);
    arb_digamma(exact, exact, 400);
    arb_sqr(a, a, 400);
    arb_div(exact, exact, a, 400);
    arb_neg(exact, exact);
    wrong = is_wrong(alpha, 0, 0, ALPHA, exact, digits);
    arb_clear(exact); arb_clear(a);
    return wrong;
}

int check_scores(slong digits)
{
    static const double alpha[] = { 0.5, 0.9, 1, 1.25, 2 };
    int failures = 0;
    arb_t exact;
    arb_init(exact);
    for (size_t k = 0; k < sizeof alpha / sizeof *alpha; k++) failures += is_wrong_at_centre(alpha[k], digits);
    arb_set_si(exact, -3);                                  /* normal: -x/2 */
    failures += is_wrong(2, 0.5, 6, X, exact, digits);
    arb_zero(exact);                                        /* normal: any beta */
    failures += is_wrong(2, 0.5, 6, BETA, exact, digits);
    arb_set_si(exact, -3);                                  /* Cauchy: -2x/(1 + x^2) */
    arb_div_si(exact, exact, 5, 400);
    failures += is_wrong(1, 0, 3, X, exact, digits);
    arb_set_si(exact, -1);                                  /* Levy: 1/(2 u^2) - 3/(2u), u = x + 1 = 1 */
    failures += is_wrong(0.5, 1, 0, X, exact, digits);
    arb_clear(exact);
    return failures;
}
