#include <math.h>
#include <string.h>
#include "dispatch.h"
#include "integrals.h"
#include "../base/parallel.h"
#include "../base/memory.h"

/* Relative difference that rounding on a device explains; largest ratio of the effect of an integrand's own rounding
 * errors to that of a change of its inputs by a few units in the last place; and the size relative to the largest value
 * below which values count as 0. */
#define RELATIVE      1e-5
#define AMPLIFICATION 1e3
#define NEGLIGIBLE   1e-12

/* In single precision, the factor of the effect of that change, and the size of values that count as 0. */
#define AMPLIFICATION_SINGLE 0x1p30
#define NEGLIGIBLE_SINGLE   1e-6

#define PERTURBATION (8.0 * ROUNDING)   /* relative change of the inputs */

/* Returns the position of point q along axis k, in [0, 1).  Positions are multiples of the square root of a prime
 * modulo 1, which spreads the points of each axis, and of each pair of axes, evenly. */
static double share_of(int q, int k)
{
    static const short prime[AXES_MAX] = {
        5, 2, 3, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107,
        109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191, 193, 197, 199, 211, 223, 227, 229,
        233, 239, 241, 251, 257, 263, 269, 271, 277, 281, 283, 293, 307, 311, 313, 317, 331, 337, 347, 349, 353, 359,
        367, 373, 379, 383, 389, 397, 401, 409, 419, 421, 431, 433, 439, 443, 449, 457, 461, 463, 467, 479, 487, 491,
        499, 503, 509, 521, 523, 541
    };
    double t = (q + 1) * 0.5 * sqrt(prime[k]) + 0.11 * (k + 1);
    return t - floor(t);
}

/* Returns the coordinate of point q on the first axis, whose range breaks and infinite limits split into parts. */
static double in_parts(const struct integral_job *j, size_t i, int q)
{
    struct parts count_them = parts_of(j, i), parts = count_them;
    struct part p = { 0 };
    int count = 0;
    while (parts_next(&count_them, &p)) count++;
    for (int k = 0; k <= q % count; k++) parts_next(&parts, &p);
    double share = share_of(q / count, 0);
    return part_x(p, p.low + (p.high - p.low) * share);
}

/* Sets the inputs of point q, with the ranges and parameters of an integral that depends on q. */
static void set_point(const struct reference *r, int q, double *x)
{
    const struct integral_job *j = r->job;
    size_t i = (size_t)q * 7919u % j->n;
    double low, high;

    for (int k = 0; k < j->dim; k++) {
        range_of(j, i, k, &low, &high);
        x[k] = low + (high - low) * share_of(q, k);
    }
    if (j->dim == 1 && low < high) x[0] = in_parts(j, i, q);
    for (int k = 0; k < j->parameters; k++) x[j->dim + k] = column_value(r->parameter[k], i);
}

/* Computes the values at the points with inputs multiplied by 1 + perturbation, the sums of all components as
 * integrand() of generator.c does.  Returns 0 if they take too long. */
static int values_at(struct interpreter_pool *c, const struct integrand_reference *r, double perturbation,
                     double *value)
{
    struct sampler s = interpreters_sampler(c);

    for (int k = 0; k < r->inputs; k++) {
        double *to = s.input(s.self, 0, k);
        for (int q = 0; q < REFERENCE_POINTS; q++) to[q] = r->x[q * r->inputs + k] * (1.0 + perturbation);
    }
    const double *f = s.run(s.self, 0, REFERENCE_POINTS);
    if (f) memcpy(value, f, REFERENCE_POINTS * sizeof *value);
    for (int k = 1; f && k < s.components; k++)
        for (int q = 0; q < REFERENCE_POINTS; q++) value[q] += f[k * BLOCK + q];
    return f != NULL;
}

static void set_tolerances(struct integrand_reference *r, const double *perturbed)
{
    double largest = 0.0;
    for (int q = 0; q < REFERENCE_POINTS; q++)
        if (isfinite(r->value[q])) largest = fmax(largest, fabs(r->value[q]));
    for (int q = 0; q < REFERENCE_POINTS; q++) {
        double near = RELATIVE * fabs(r->value[q]), change = fabs(perturbed[q] - r->value[q]);
        r->tolerance[q] = near + AMPLIFICATION * change + NEGLIGIBLE * largest;
        r->tolerance_single[q] = near + AMPLIFICATION_SINGLE * change + NEGLIGIBLE_SINGLE * largest;
    }
}

static int never_interrupted(void)
{
    return 0;
}

static int measure(struct reference *r, struct interpreter_pool *c)
{
    struct integrand_reference *s = &r->shared;
    double perturbed[REFERENCE_POINTS], begin = threads_clock();

    interpreters_until(c, begin + REFERENCE_SECONDS);
    if (!values_at(c, s, PERTURBATION, perturbed)) return 0;
    begin = threads_clock();            /* the first run includes the first access to fresh memory */
    if (!values_at(c, s, 0.0, s->value)) return 0;
    s->seconds = (threads_clock() - begin) / BLOCK;
    set_tolerances(s, perturbed);
    return 1;
}

static int compute(struct integrand_reference *shared, struct status *st)
{
    struct reference *r = (struct reference *)(void *)shared;
    struct interpreter_pool *interpreter_pool = NULL;
    size_t inputs = (size_t)shared->inputs;

    if (shared->is_computed) return ST_OK;
    shared->x = memory_allocate((inputs + 3) * REFERENCE_POINTS * sizeof *shared->x);
    if (!shared->x) return fail(st, ST_MEMORY, "no memory for values of the integrand");
    shared->value = shared->x + inputs * REFERENCE_POINTS;
    shared->tolerance = shared->value + REFERENCE_POINTS;
    shared->tolerance_single = shared->tolerance + REFERENCE_POINTS;
    for (int q = 0; q < REFERENCE_POINTS; q++) set_point(r, q, shared->x + (size_t)q * inputs);
    if (!interpreters_open(r->program, r->pool, 1, never_interrupted, &interpreter_pool, st)) {
        if (!measure(r, interpreter_pool)) shared->seconds = INFINITY;
        shared->is_computed = 1;
    }
    interpreters_close(interpreter_pool);
    return st->code;
}

void reference_begin(struct reference *r, const struct integral_job *j, const struct column *parameter,
                     const struct program *p, double *pool)
{
    memset(r, 0, sizeof *r);
    r->shared.compute = compute;
    r->shared.inputs = j->dim + j->parameters;
    r->job = j;
    r->parameter = parameter;
    r->program = p;
    r->pool = pool;
}

void reference_free(struct reference *r)
{
    memory_release(r->shared.x);
}
