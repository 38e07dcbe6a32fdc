/* Fourier integrals on the CPU (quadrature/double_exponential/fourier.h), one integral for each thread at a time. */
#include "fourier.h"
#include "../integrals.h"

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
static int integrate_one(const struct integral_job *j, const struct sampler *smp, int thread, size_t i)
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
    return integrate_each(j, smp, integrate_one, 1000.0, poll, st);
}
