/* Double exponential quadrature on the CPU, one integral for each thread at a time, or few integrals by all threads or
 * a device: over ranges (tanh_sinh.h), where `breaks` are ignored, and of Fourier integrals (fourier.h). */
#include "tanh_sinh.h"
#include "fourier.h"
#include "../integrals.h"

/* --- tanh-sinh ------------------------------------------------------------------------ */

struct weighted { double t, weight; };

/* Adds the sums over the nodes of a level to *s.  Returns 0 if the computation must stop. */
static int level_sums(const struct evaluator *e, size_t i, int level, struct tanhsinh_sums *s)
{
    struct tanhsinh_nodes nodes = tanhsinh_nodes(level);
    struct weighted *node = e->node;
    double a, b;

    range_of(e->job, i, 0, &a, &b);
    for (int at = 0; at < nodes.count;) {
        int count = 0;
        for (; at < nodes.count && count < e->capacity; at++) {
            node[count].t = (nodes.first + at * nodes.stride) * nodes.step;
            count += tanhsinh_node(a, b, node[count].t, &e->x[count], &node[count].weight);
        }
        if (!count) continue;
        const double *f = evaluator_values(e, i, count);
        if (!f) return 0;
        for (int q = 0; q < count; q++) tanhsinh_add_value(s, f[q], node[q].weight, node[q].t);
    }
    return 1;
}

static int tanhsinh_one(const struct evaluator *e, size_t i)
{
    const struct integral_job *j = e->job;
    struct tanhsinh s = tanhsinh_begin();
    int status = INTEGRAL_NOT_DONE;

    if (integral_is_trivial(j, i)) return 1;
    for (int level = TANHSINH_FIRST; status == INTEGRAL_NOT_DONE; level++) {
        struct tanhsinh_sums more = tanhsinh_sums_empty();
        if (!level_sums(e, i, level, &more)) return 0;
        status = tanhsinh_add_level(&s, level, &more, j->rel_tol, j->abs_tol, j->max_eval);
    }
    j->evaluations[i] += s.evaluations;
    integral_end(j, i, s.value, s.error, status);
    return 1;
}

int integrate_tanhsinh(const struct integral_job *j, const struct sampler *smp, poll_function poll,
                       struct status *st)
{
    return integrate_each(j, smp, tanhsinh_one, sizeof(struct weighted), 500.0, poll, st);
}

/* --- Fourier integrals ------------------------------------------------------------------- */

/* Adds the sums over the nodes of a transform to *s.  Returns 0 if the computation must stop. */
static int transform_sums(const struct evaluator *e, size_t i, const struct fourier_integral *f, int transform,
                          const struct fourier_level *l, struct fourier_sums *s)
{
    struct fourier_node *node = e->node;

    for (int k = 0; k < l->count;) {
        int count = 0;
        for (; k < l->count && count < e->capacity; k++) {
            node[count] = fourier_node(f, transform, l, l->first + k);
            e->x[count] = node[count].x;
            count += node[count].weight != 0.0;
        }
        if (!count) continue;
        const double *value = evaluator_values(e, i, count);
        if (!value) return 0;
        for (int q = 0; q < count; q++) fourier_add_value(s, value[q], &node[q], l->m / f->p);
    }
    return 1;
}

static int fourier_one(const struct evaluator *e, size_t i)
{
    const struct integral_job *j = e->job;
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
            struct fourier_sums sums = fourier_sums_empty();
            if (!transform_sums(e, i, &f, k, &l, &sums)) return 0;
            fourier_add_sums(&s, level, &sums);
        }
        status = fourier_end_level(&s, level, f.count, j->rel_tol, j->abs_tol, j->max_eval);
    }
    j->evaluations[i] += s.evaluations;
    integral_end(j, i, s.value, s.error, status);
    return 1;
}

int integrate_fourier(const struct integral_job *j, const struct sampler *smp, poll_function poll, struct status *st)
{
    return integrate_each(j, smp, fourier_one, sizeof(struct fourier_node), 1000.0, poll, st);
}
