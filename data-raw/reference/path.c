/* The choice of a path: the one on which the integrands exceed the result least and oscillate least.  It is made in
 * doubles and decides on the cost of the inversion only. */
#include <complex.h>
#include "path.h"

#define NODES 100                   /* places on each leg that are examined */
#define ROUNDS 5                    /* refinements of R */
#define FLAT 4                      /* least ratio of T and R */
#define TURN 0.3                    /* weight of an oscillation against a factor e of cancellation */

struct shape {
    double alpha, x, u, bT, S, C, defect, lead, power;
    int near_one;
    double log_pdf, log_tail, floor;
};

static double rounded(const arb_t x) { return arf_get_d(arb_midref(x), ARF_RND_NEAR); }

static void shape_of(struct shape *s, const struct path *h)
{
    s->alpha = h->alpha;
    s->x = rounded(h->xx);
    s->u = rounded(h->uu);
    s->bT = rounded(h->bT);
    s->S = rounded(h->S);
    s->C = rounded(h->C);
    s->defect = rounded(h->defect);
    s->lead = rounded(h->lead);
    s->power = rounded(h->power);
    s->near_one = h->near_one;
}

/* exp(d z) - 1, or z for d = 0 */
static double complex power_less_one(double complex z, double d)
{
    double complex w = d * z;
    double a = creal(w), b = cimag(w), half = sin(b / 2);
    return d == 0 ? z : expm1(a) * cos(b) - 2 * half * half + I * exp(a) * sin(b);
}

/* A and W of leg 1 at r = exp(v) */
static double leg_one(double v, const struct shape *s, double *W)
{
    double r = exp(v), p = exp(s->alpha * v), change = creal(power_less_one(v, s->alpha - 1));
    *W = s->lead * p;
    if (!s->near_one) return -s->u * r - s->power * p;
    if (s->alpha == 1) return (-s->bT * v - s->x) * r;
    return -s->x * r - s->C * p + s->bT * r * (s->S * change - s->defect);
}

static double complex leg_two(double complex t, const struct shape *s)
{
    double complex log_t = clog(t), p = cexp(s->alpha * log_t);
    if (!s->near_one) return -I * s->u * t - p * (1 - I * s->bT);
    return -I * s->x * t - p * (1 + I * s->bT * power_less_one(log_t, 1 - s->alpha));
}

/* Raises *top to the logarithm of an integrand relative to its result; adds to *turns where it is not negligible. */
static void look(double log_density, double log_tail, double turn, const struct shape *s, double *top, double *turns)
{
    double excess = fmax(log_density - s->log_pdf, log_tail - s->log_tail);
    if (!(excess <= HUGE_VAL)) excess = HUGE_VAL;
    if (excess > *top) *top = excess;
    if (excess > s->floor) *turns += fabs(turn) / M_PI;
}

static double cost_of_leg_one(double lowest, double log_R, const struct shape *s, double *turns)
{
    double top = 0, before = 0;
    for (int k = 0; k <= NODES && s->lead != 0 && log_R > lowest; k++) {
        double W, v = lowest + (log_R - lowest) * k / NODES, A = leg_one(v, s, &W);
        double size = A + log(fmin(1, W) + 1e-320);
        look(size + v, size, W - before, s, &top, turns);
        before = W;
    }
    return top;
}

static double cost_of_leg_two(double complex from, double complex to, const struct shape *s, double *turns)
{
    double top = 0, before = NAN;
    for (int k = 0; k <= NODES; k++) {
        double part = exp(-30.0 * (NODES - k) / NODES);
        double complex t = from + part * (to - from), E = leg_two(t, s);
        double size = creal(E) + log(cabs(to - from) * part);
        look(size, size - log(cabs(t)), before == before ? cimag(E) - before : 0, s, &top, turns);
        before = cimag(E);
    }
    return top;
}

/* The end of leg 2.  A line to the real axis must be flat, because Re E decreases horizontally from a saddle. */
static double complex end_of(const struct path *h, double R)
{
    return h->end == RAY ? -I * R + h->T * cexp(I * M_PI / 4) : fmax(h->T, FLAT * R);
}

static double cost_of(double log_R, const struct path *h, const struct shape *s, double *cancelled)
{
    double R = exp(log_R), turns = 0;
    double one = cost_of_leg_one(h->lowest, log_R, s, &turns);
    double two = cost_of_leg_two(-I * R, end_of(h, R), s, &turns);
    *cancelled = fmax(one, two);
    return *cancelled + TURN * turns + 0.01 * log1p(fabs(s->near_one ? s->x : s->u) * R);
}

static void choose_R(struct path *h, const struct shape *s)
{
    double lo = -log(1 + fabs(s->x) + (s->near_one ? 0 : fabs(s->u))) - 5, hi = log(h->T) + 5, best = HUGE_VAL;
    double log_R = lo, step, cancelled;
    for (int round = 0; round < ROUNDS; round++) {
        int nodes = round ? 20 : 150;
        step = (hi - lo) / nodes;
        for (int k = 0; k <= nodes; k++) {
            double cost = cost_of(lo + k * step, h, s, &cancelled);
            if (cost < best) {
                best = cost;
                log_R = lo + k * step;
                h->cancelled = cancelled;
            }
        }
        lo = log_R - step;
        hi = log_R + step;
    }
    h->R = exp(log_R);
}

void choose_path(struct path *h, double log_pdf, double log_tail, slong goal)
{
    struct shape s;
    double need = goal * M_LN2 + 20, decay = need - fmin(log_pdf, log_tail), turns = 0;
    shape_of(&s, h);
    s.log_pdf = log_pdf;
    s.log_tail = log_tail;
    s.floor = -need;
    /* Leg 1 begins where the integral from 0 is negligible: lead r^alpha/alpha and lead r^(1 + alpha). */
    h->lowest = fmin((log_tail - need + log(h->alpha)) / h->alpha, (log_pdf - need) / (1 + h->alpha));
    h->lowest = fmin(h->lowest, -20 - log(1 + fabs(s.x) + fabs(s.u)));
    h->end = h->alpha > 0.5 || s.u == 0 ? REAL_POINT : s.u > 0 ? INFINITE_LEG : RAY;
    decay += 20 + 2 * log(decay) + 2 / h->alpha;
    if (h->end == REAL_POINT) h->T = pow(decay, 1 / h->alpha);
    else h->T = decay * M_SQRT2 / fabs(s.u);
    if (h->end == INFINITE_LEG) {
        h->R = (decay + fmax(0, -log(s.u))) / s.u;
        h->cancelled = cost_of_leg_one(h->lowest, log(h->R), &s, &turns);
    } else choose_R(h, &s);
    if (h->end == RAY) h->T += h->R * M_SQRT2;
    if (h->end == REAL_POINT) h->T = fmax(h->T, FLAT * h->R);
}
