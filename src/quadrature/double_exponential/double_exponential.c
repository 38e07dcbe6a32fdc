/* Double exponential quadrature on the CPU, one integral for each thread at a time: over ranges (tanh_sinh.h), where
 * `breaks` are ignored, and of Fourier integrals (fourier.h). */
#include "tanh_sinh.h"
#include "fourier.h"
#include "../integrals.h"

/* --- tanh-sinh ------------------------------------------------------------------------ */

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
static int tanhsinh_one(const struct integral_job *j, const struct sampler *smp, int thread, size_t i)
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
    return integrate_each(j, smp, tanhsinh_one, 500.0, poll, st);
}

/* --- Fourier integrals ------------------------------------------------------------------- */

/* Adds the sums over the nodes of a transform to *s.  Returns 0 if the sampler failed. */
static int transform_sums(const struct integral_job *j, const struct sampler *smp, int thread, size_t i,
                          const struct fourier_integral *f, int transform, const struct fourier_level *l,
                          struct fourier_sums *s)
{
    struct fourier_node node[BLOCK];
    double *x = smp->input(smp->self, thread, 0);

    for (int k = 0; k < l->count;) {
        int count = 0;
        for (; k < l->count && count < BLOCK; k++) {
            node[count] = fourier_node(f, transform, l, l->first + k);
            x[count] = node[count].x;
            count += node[count].weight != 0.0;
        }
        if (!count) continue;
        const double *value = each_integral_values(j, smp, thread, i, count);
        if (!value) return 0;
        for (int q = 0; q < count; q++) fourier_take(s, value[q], &node[q], l->m / f->p);
    }
    return 1;
}

/* Computes integral i.  Returns 0 if the sampler failed. */
static int fourier_one(const struct integral_job *j, const struct sampler *smp, int thread, size_t i)
{
    double low, high;
    struct fourier s = fourier_begin();
    int status = INTEGRAL_NOT_DONE;

    if (integral_is_trivial(j, i)) return 1;
    range_of(j, i, 0, &low, &high);
    struct fourier_integral f =
        fourier_transforms(low, high, column_value(j->each, i), j->option.fourier.weight == FOURIER_COSINE);
    for (int level = 0; status == INTEGRAL_NOT_DONE; level++) {
        struct fourier_level l = fourier_level(level);
        fourier_begin_level(&s);
        for (int k = 0; k < f.count; k++) {
            struct fourier_sums sums = fourier_none();
            if (!transform_sums(j, smp, thread, i, &f, k, &l, &sums)) return 0;
            fourier_add_sums(&s, level, &sums);
        }
        status = fourier_next(&s, level, f.count, j->rel_tol, j->abs_tol, j->max_eval);
    }
    j->evaluations[i] += s.evaluations;
    integral_end(j, i, s.value, s.error, status);
    return 1;
}

int integrate_fourier(const struct integral_job *j, const struct sampler *smp, poll_function poll, struct status *st)
{
    return integrate_each(j, smp, fourier_one, 1000.0, poll, st);
}
