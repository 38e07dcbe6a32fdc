/* Computes Gauss-Legendre rules by Newton's method, all of them once for a process: they take 0.14 ms, longer than many
 * an integral that requires a few of them. */
#include <math.h>
#include "../../base/parallel.h"
#include "product_rules.h"

#define HALF LEGENDRE_HALF
#define FINE LEGENDRE_FINE
#define NEWTON 8                        /* largest number of steps; fewer if a step is at most NEWTON_ENDS */
#define NEWTON_ENDS 0x1p-45

/* fine: the finest rule; even[j][i], odd[j][i]: w_j (2m + 1) P_m at its node j for m = 2i and m = 2i + 1, by which the
 * sum or the difference of the values at nodes j and FINE - 1 - j is multiplied in the coefficient of degree m. */
static struct {
    int is_ready;
    struct legendre_rule rule[HALF + 1], fine;
    double even[HALF][HALF], odd[HALF][HALF];
} rules;

/* Returns P_n(t); *before is P_(n-1)(t). */
static double legendre(int n, double t, double *before)
{
    double p = 1.0, last = 0.0;
    for (int k = 1; k <= n; k++) {
        double next = ((2.0 * k - 1.0) * t * p - (k - 1.0) * last) / k;
        last = p;
        p = next;
    }
    *before = last;
    return p;
}

/* Computes the rule with n nodes.  Newton's method starts from Tricomi's approximation for the nodes on one side; those
 * on the other side mirror them.  The weight 2/((1 - t^2) P_n'(t)^2) is stationary at a node t, where
 * d/dt (1 - t^2) P_n'(t)^2 = 0, so that the rounding error of t hardly matters if P_n' is that at the rounded t, with
 * its term P_n(t), which is 0 only at the exact node. */
static void set_rule(int n, struct legendre_rule *r)
{
    r->n = n;
    for (int j = 0; j < (n + 1) / 2; j++) {
        double t = cos(3.14159265358979323846 * (j + 0.75) / (n + 0.5)), p, step = 1.0, before;
        for (int steps = 0; steps < NEWTON && fabs(step) > NEWTON_ENDS; steps++) {
            p = legendre(n, t, &before);
            step = p * (t * t - 1.0) / (n * (t * p - before));
            t -= step;
        }
        p = legendre(n, t, &before);
        double within = (1.0 - t) * (1.0 + t), slope = n * (before - t * p) / within;
        r->node[j] = 0.5 - 0.5 * t;
        r->node[n - 1 - j] = 0.5 + 0.5 * t;
        r->weight[j] = r->weight[n - 1 - j] = 1.0 / (within * slope * slope);
    }
}

static void set_coefficient_table(void)
{
    for (int j = 0; j < HALF; j++) {
        double t = 2.0 * rules.fine.node[j] - 1.0, p = 1.0, last = 0.0;
        for (int m = 0; m < FINE; m++) {
            double (*row)[HALF] = m % 2 ? rules.odd : rules.even;
            row[j][m / 2] = rules.fine.weight[j] * (2.0 * m + 1.0) * p;
            double next = ((2.0 * m + 1.0) * t * p - m * last) / (m + 1.0);
            last = p;
            p = next;
        }
    }
}

/* Computes all rules and the table of coefficients at the first call in a process. */
static void init_rules(void)
{
    parallel_lock();
    if (!rules.is_ready) {
        for (int n = 1; n <= HALF; n++) set_rule(n, &rules.rule[n]);
        set_rule(FINE, &rules.fine);
        set_coefficient_table();
        rules.is_ready = 1;
    }
    parallel_unlock();
}

const struct legendre_rule *legendre_rule(int n)
{
    init_rules();
    return n == FINE ? &rules.fine : &rules.rule[n];
}

WIDE void coefficients(const double *value, double *restrict even, double *restrict odd)
{
    for (int i = 0; i < HALF; i++) even[i] = odd[i] = 0.0;
    for (int j = 0; j < HALF; j++) {
        double both = value[j] + value[FINE - 1 - j], apart = value[j] - value[FINE - 1 - j];
        for (int i = 0; i < HALF; i++) even[i] += rules.even[j][i] * both;
        for (int i = 0; i < HALF; i++) odd[i] += rules.odd[j][i] * apart;
    }
}

void legendre_coefficients(const double *value, double *even, double *odd)
{
    init_rules();
    coefficients(value, even, odd);
}
