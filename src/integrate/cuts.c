#include <float.h>
#include "cuts.h"
#include "limits.h"

#define AGAIN  3
#define MARGIN 0.9                      /* for what is accepted beyond its share */

/* A value that is not finite, at a limit, or at infinity, is that of the middle; elsewhere it counts as 0 on a
 * half-line beyond the last value of 0, and spoils the rest. */
struct cut_sum cut_interval(const struct part *p, double low, double high, const double *f, int *carry)
{
    struct cut_sum s = { 0.0, 0.0, 0.0, 0.0, 1 };
    double g[3], h = high - low;
    for (int q = 0; q < 3; q++) {
        double t = cut_point(low, high, q);
        g[q] = p->side == 0 ? f[q] : f[q] / (t * t);
    }
    if (low == p->low && (!isfinite(g[0]) || (p->side != 0 && low == 0.0))) g[0] = g[1];
    if (high == p->high && !isfinite(g[2])) g[2] = g[1];
    for (int q = 2; q >= 0; q--) {
        if (isfinite(g[q])) *carry = p->side != 0 && g[q] == 0.0;
        else {
            g[q] = 0.0;
            s.finite &= *carry;
        }
    }
    s.value = h / 6.0 * (g[0] + 4.0 * g[1] + g[2]);
    s.size = h / 6.0 * (fabs(g[0]) + 4.0 * fabs(g[1]) + fabs(g[2]));
    s.error = fmax(fabs(s.value - 0.5 * h * (g[0] + g[2])), 50.0 * DBL_EPSILON * s.size);
    if (!isfinite(s.value)) s.finite = 0;
    return s;
}

int cut_expands(const struct cuts *c, size_t integral, uint32 part, uint32 step, double tolerance,
                const struct cut_sum *s)
{
    struct philox_block counter = { { step, part, (uint32)integral, (uint32)((uint64)integral >> 32) } };
    if (c->expansion == EXPAND_COIN) return (int)(philox4x32_10(counter, c->key).word[0] & 1u);
    if (c->expansion == EXPAND_SLOPE) return s->slope >= 0.0;
    if (c->expansion == EXPAND_LOG) return s->error <= 0.25 * tolerance;
    return 1;
}

double cut_tolerance(const struct cuts *c, double value, double size)
{
    double wanted = fmax(c->job->abs_tol, c->job->rel_tol * fabs(value));
    return MARGIN * fmax(wanted, 100.0 * DBL_EPSILON * size);
}

int cut_end(const struct cuts *c, size_t integral, const struct cut_sum *s, double tolerance, int used_up, int again)
{
    double wanted = cut_tolerance(c, s->value, s->size);
    if (s->finite && s->size == 0.0 && c->cells < CUT_CELLS_ZERO)
        integral_end(c->job, integral, 0.0, 0.0, CUT_ZERO);
    else if (!s->finite) integral_end(c->job, integral, NAN, NAN, INTEGRAL_NOT_FINITE);
    else if (s->error <= wanted / MARGIN) integral_end(c->job, integral, s->value, s->error, INTEGRAL_CONVERGED);
    else if (!used_up && wanted < tolerance && again < AGAIN) return 1;
    else integral_end(c->job, integral, s->value, s->error, used_up ? INTEGRAL_MAX_EVAL : INTEGRAL_STUCK);
    return 0;
}
