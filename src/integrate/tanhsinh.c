/* integrate/tanhsinh.c: double exponential quadrature (Takahasi and Mori 1974, doi:10.2977/prims/1195192451), for
 * integrands that are analytic inside the range, whatever they do at its ends.
 *
 *     u = (pi/2) sinh t,    finite range:  x = a + (b - a)/(1 + exp(-2u)),
 *     half-line:            x = a + exp(u) or b - exp(u),    whole line:  x = sinh u,
 *
 * and the trapezoidal rule in t.  A node is kept as its distance from the nearer end, so that a singularity at an end
 * that is 0 is resolved to the last; at another end as far as numbers reach.  Each level halves the step; the error
 * is that of the level before, |S_k - S_(k-1)|, of which about the square is left.
 *
 * Values that are not finite count as 0 where t is far out, |t| > 2.5 (within 1e-8 of an end of a finite range);
 * elsewhere they end the integral.  `breaks` have no meaning here.
 */
#include <float.h>
#ifdef _OPENMP
#  include <omp.h>
#endif
#include "limits.h"
#include "../backend/threads.h"

#define T_MOST      6.5                 /* exp(-pi sinh 6.5) is below the least number */
#define FIRST       3                   /* step 2^-3 */
#define LEVELS      12
#define FAR_OUT     2.5

struct range { double a, b; };

static struct range ends_of(const struct integral_job *j, size_t i)
{
    struct range r;
    range_of(j, i, 0, &r.a, &r.b);
    return r;
}

/* x at t and dx/dt; 0 if x is an end, or the weight nothing. */
static int node(const struct range *r, double t, double *x, double *weight)
{
    double u = HALF_PI * sinh(t), du = HALF_PI * cosh(t);
    if (isfinite(r->a) && isfinite(r->b)) {
        double length = r->b - r->a, e = exp(-2.0 * fabs(u)), away = length * (e / (1.0 + e));
        *x = t < 0.0 ? r->a + away : r->b - away;
        *weight = 2.0 * du * away / (1.0 + e);
    } else if (isfinite(r->a) || isfinite(r->b)) {
        double e = exp(u);
        *x = isfinite(r->a) ? r->a + e : r->b - e;
        *weight = du * e;
    } else {
        *x = sinh(u);
        *weight = du * cosh(u);
    }
    return *weight > 0.0 && isfinite(*weight) && isfinite(*x) && *x != r->a && *x != r->b;
}

/* Sums over the nodes of one level. */
struct level_sum { double value, size, evaluations; int spoilt, failed; };

static void take(struct level_sum *s, const double *f, const double *weight, const double *t, int count)
{
    for (int k = 0; k < count; k++) {
        double term = f[k] * weight[k];
        if (isfinite(term)) {
            s->value += term;
            s->size += fabs(term);
        } else if (fabs(t[k]) <= FAR_OUT)
            s->spoilt = 1;
    }
    s->evaluations += count;
}

static struct level_sum level(const struct integral_job *j, const struct sampler *smp, int thread, size_t i, int k)
{
    struct range r = ends_of(j, i);
    struct level_sum s = { 0.0, 0.0, 0.0, 0, 0 };
    double step = ldexp(1.0, -k), weight[BLOCK], t[BLOCK], *x = smp->input(smp->self, thread, 0);
    long most = (long)(T_MOST / step), stride = k == FIRST ? 1 : 2, at = k == FIRST || most % 2 ? -most : 1 - most;

    while (at <= most) {
        int count = 0;
        for (; at <= most && count < BLOCK; at += stride) {
            t[count] = (double)at * step;
            count += node(&r, t[count], &x[count], &weight[count]);
        }
        if (!count) continue;
        for (int p = 0; p < j->parameters; p++) {
            double *to = smp->input(smp->self, thread, p + 1), value = j->parameter[(size_t)p * j->n + i];
            for (int q = 0; q < count; q++) to[q] = value;
        }
        const double *f = smp->run(smp->self, thread, count);
        if (!f) {
            s.failed = 1;
            return s;
        }
        take(&s, f, weight, t, count);
    }
    return s;
}

/* Whether the sampler has done its work. */
static int integrate_one(const struct integral_job *j, const struct sampler *smp, int thread, size_t i)
{
    double sum = 0.0, size = 0.0, before = NAN, value = NAN, error = INFINITY;

    if (integral_is_trivial(j, i)) return 1;
    for (int k = FIRST; k <= LEVELS; k++) {
        struct level_sum s = level(j, smp, thread, i, k);
        double step = ldexp(1.0, -k);
        if (s.failed) return 0;
        sum += s.value;
        size += s.size;
        j->evaluations[i] += s.evaluations;
        value = sum * step;
        if (s.spoilt) {
            error = INFINITY;
            break;
        }
        if (k > FIRST) {
            double rounding = 50.0 * DBL_EPSILON * size * step;
            error = fmax(fabs(value - before), rounding);
            if (error <= fmax(fmax(j->abs_tol, j->rel_tol * fabs(value)), 2.0 * rounding)) {
                integral_end(j, i, value, error, INTEGRAL_CONVERGED);
                return 1;
            }
        }
        if (2.0 * j->evaluations[i] > j->max_eval) break;
        before = value;
    }
    int used_up = 2.0 * j->evaluations[i] > j->max_eval;
    integral_end(j, i, value, error,
                 !isfinite(error) ? INTEGRAL_NOT_FINITE : used_up ? INTEGRAL_MAX_EVAL : INTEGRAL_STUCK);
    return 1;
}

#define SLAB 4096

int integrate_tanhsinh(const struct integral_job *j, const struct sampler *smp, poll_function poll,
                       struct status *st)
{
    for (size_t first = 0; first < j->n; first += SLAB) {
        long count = (long)(j->n - first < SLAB ? j->n - first : SLAB);
        int threads = threads_for((double)count * 500.0 * EVALUATION_TIME), failed = 0;
        if (threads > smp->threads) threads = smp->threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(dynamic, 8) if (threads > 1) reduction(|:failed)
#endif
        for (long k = 0; k < count; k++) {
            size_t i = first + (size_t)k;
            int thread = 0;
#ifdef _OPENMP
            thread = omp_get_thread_num();
#endif
            if (j->status[i] == INTEGRAL_NOT_DONE) failed |= !integrate_one(j, smp, thread, i);
        }
        if (failed || poll()) return fail(st, ST_INTERRUPTED, "interrupted");
    }
    return ST_OK;
}
