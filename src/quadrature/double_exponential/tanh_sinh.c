/* Double exponential quadrature on the CPU (quadrature/double_exponential/tanh_sinh.h), one integral for each thread at
 * a time.  `breaks` are ignored. */
#include "tanh_sinh.h"
#include "../integrals.h"

/* Adds the sums over the nodes of a level to *s.  Returns 0 if the sampler failed. */
static int level_sums(const struct integral_job *j, const struct sampler *smp, int thread, size_t i, int level,
                      struct tanhsinh_sums *s)
{
    struct tanhsinh_nodes nodes = tanhsinh_nodes(level);
    double a, b, weight[BLOCK], t[BLOCK], *x = smp->input(smp->self, thread, 0);

    range_of(j, i, 0, &a, &b);
    for (int at = 0; at < nodes.count;) {
        int count = 0;
        for (; at < nodes.count && count < BLOCK; at++) {
            t[count] = (nodes.first + at * nodes.stride) * nodes.step;
            count += tanhsinh_node(a, b, t[count], &x[count], &weight[count]);
        }
        if (!count) continue;
        const double *f = each_integral_values(j, smp, thread, i, count);
        if (!f) return 0;
        for (int q = 0; q < count; q++) tanhsinh_take(s, f[q], weight[q], t[q]);
    }
    return 1;
}

/* Computes integral i.  Returns 0 if the sampler failed. */
static int integrate_one(const struct integral_job *j, const struct sampler *smp, int thread, size_t i)
{
    struct tanhsinh s = tanhsinh_begin();
    int status = INTEGRAL_NOT_DONE;

    if (integral_is_trivial(j, i)) return 1;
    for (int level = TANHSINH_FIRST; status == INTEGRAL_NOT_DONE; level++) {
        struct tanhsinh_sums more = tanhsinh_none();
        if (!level_sums(j, smp, thread, i, level, &more)) return 0;
        status = tanhsinh_next(&s, level, &more, j->rel_tol, j->abs_tol, j->max_eval);
    }
    j->evaluations[i] += s.evaluations;
    integral_end(j, i, s.value, s.error, status);
    return 1;
}

int integrate_tanhsinh(const struct integral_job *j, const struct sampler *smp, poll_function poll,
                       struct status *st)
{
    return integrate_each(j, smp, integrate_one, 500.0, poll, st);
}
