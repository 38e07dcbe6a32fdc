/* data-raw/lattice.c: the fast construction of generating vectors.
 *
 * Compiled and called by lattice.R, which explains the figure of merit and its computation by cyclic correlations.
 */
#include <math.h>
#include <stdlib.h>
#include <R.h>

struct complex { double re, im; };

/* --- Fourier transforms of length 2^p ----------------------------------------------------------
 *
 * forward() leaves the result in the order of its recursion, which backward() expects: products of transforms do not
 * depend on the order. */

static struct complex *root[64];        /* root[p]: exp(-2 pi i k/2^p), k < 2^(p - 2) */

static void make_roots(int p)
{
    for (; p >= 2 && !root[p]; p -= 2) {
        size_t count = (size_t)1 << (p - 2);
        root[p] = malloc(count * sizeof *root[p]);
        for (size_t k = 0; k < count; k++) {
            double angle = ldexp(-2.0 * M_PI * (double)k, -p);
            root[p][k] = (struct complex){ cos(angle), sin(angle) };
        }
    }
}

static struct complex times(struct complex a, struct complex b)
{
    return (struct complex){ a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re };
}

static struct complex conjugate(struct complex a)
{
    return (struct complex){ a.re, -a.im };
}

static struct complex plus(struct complex a, struct complex b, double sign)
{
    return (struct complex){ a.re + sign * b.re, a.im + sign * b.im };
}

static struct complex times_i(struct complex a)
{
    return (struct complex){ -a.im, a.re };
}

static void pair(struct complex *a)
{
    struct complex sum = plus(a[0], a[1], 1.0);
    a[1] = plus(a[0], a[1], -1.0);
    a[0] = sum;
}

static void forward(struct complex *a, int p)
{
    if (p == 1) pair(a);
    if (p < 2) return;
    size_t n = (size_t)1 << (p - 2);
    for (size_t k = 0; k < n; k++) {
        struct complex w = root[p][k], w2 = times(w, w);
        struct complex even = plus(a[k], a[k + 2 * n], 1.0), odd = plus(a[k + n], a[k + 3 * n], 1.0);
        struct complex apart = plus(a[k], a[k + 2 * n], -1.0), turned = times_i(plus(a[k + n], a[k + 3 * n], -1.0));
        a[k] = plus(even, odd, 1.0);
        a[k + n] = times(plus(apart, turned, -1.0), w);
        a[k + 2 * n] = times(plus(even, odd, -1.0), w2);
        a[k + 3 * n] = times(plus(apart, turned, 1.0), times(w2, w));
    }
    for (int q = 0; q < 4; q++) forward(a + (size_t)q * n, p - 2);
}

/* The inverse of forward(), times 2^p. */
static void backward(struct complex *a, int p)
{
    if (p == 1) pair(a);
    if (p < 2) return;
    size_t n = (size_t)1 << (p - 2);
    for (int q = 0; q < 4; q++) backward(a + (size_t)q * n, p - 2);
    for (size_t k = 0; k < n; k++) {
        struct complex w = conjugate(root[p][k]), w2 = times(w, w);
        struct complex one = times(a[k + n], w), two = times(a[k + 2 * n], w2);
        struct complex three = times(a[k + 3 * n], times(w2, w));
        struct complex even = plus(a[k], two, 1.0), odd = plus(one, three, 1.0);
        struct complex apart = plus(a[k], two, -1.0), turned = times_i(plus(one, three, -1.0));
        a[k] = plus(even, odd, 1.0);
        a[k + n] = plus(apart, turned, 1.0);
        a[k + 2 * n] = plus(even, odd, -1.0);
        a[k + 3 * n] = plus(apart, turned, -1.0);
    }
}

/* --- blocks --------------------------------------------------------------------------------------
 *
 * Block b holds, for the numbers 5^i modulo 2^b, the products over the components chosen before and the values of
 * omega. */

struct block { int p; size_t n; double *omega, *product; struct complex *transform; };

static double omega_of(double x)
{
    return 2.0 * M_PI * M_PI * (x * x - x + 1.0 / 6.0);
}

static struct block block_of(int b)
{
    struct block block = { .p = b > 2 ? b - 2 : 0 };
    unsigned long mask = (1ul << b) - 1, power = 1;
    block.n = (size_t)1 << block.p;
    block.omega = malloc(block.n * sizeof *block.omega);
    block.product = malloc(block.n * sizeof *block.product);
    block.transform = malloc(block.n * sizeof *block.transform);
    for (size_t i = 0; i < block.n; i++, power = power * 5 & mask) {
        block.omega[i] = omega_of(ldexp((double)power, -b));
        block.product[i] = b > 1 ? 2.0 : 1.0;
        block.transform[i] = (struct complex){ block.omega[i], 0.0 };
    }
    make_roots(block.p);
    forward(block.transform, block.p);
    return block;
}

static void block_free(struct block *b)
{
    free(b->omega);
    free(b->product);
    free(b->transform);
}

/* Sets work[l].re to the sum over i of product[i] omega[i + l], for all l. */
static void correlate(const struct block *b, struct complex *work)
{
    for (size_t i = 0; i < b->n; i++) work[i] = (struct complex){ b->product[i], 0.0 };
    forward(work, b->p);
    for (size_t i = 0; i < b->n; i++) work[i] = times(conjugate(work[i]), b->transform[i]);
    backward(work, b->p);
    for (size_t i = 0; i < b->n; i++) work[i].re /= (double)b->n;
}

/* Sets worst[l] to the largest ratio of the merit of candidate 5^l to the best one over all m.  at_zero: the product of
 * the components chosen before at k = 0; weight: that of the next component. */
static void worst_ratios(const struct block *block, int first, int last, double at_zero, double weight, double *sums,
                         double *worst, struct complex *work)
{
    double plain = at_zero;
    size_t before = 1;
    sums[0] = worst[0] = 0.0;
    for (int b = 1; b <= last; before = block[b++].n) {
        correlate(&block[b], work);
        for (size_t l = 0; l < block[b].n; l++) {
            plain += block[b].product[l];
            if (l >= before) {
                sums[l] = sums[l - before];
                worst[l] = worst[l - before];
            }
        }
        double least = INFINITY, fixed = plain + at_zero * weight * omega_of(0.0), n = ldexp(1.0, b);
        for (size_t l = 0; l < block[b].n; l++) {
            sums[l] += weight * work[l].re;
            work[l].re = (fixed + sums[l]) / n - 1.0;
            least = fmin(least, work[l].re);
        }
        for (size_t l = 0; b >= first && l < block[b].n; l++) worst[l] = fmax(worst[l], work[l].re / least);
    }
}

/* Returns the number l of the candidate 5^l modulo 2^last that equals `component`. */
static size_t number_of(double component, int last)
{
    unsigned long mask = (1ul << last) - 1, power = 1;
    size_t l = 0;
    for (; power != (unsigned long)component; l++) power = power * 5 & mask;
    return l;
}

/* Constructs the components of z that are 0 for `axes` weights, embedded for 2^first to 2^last points; ratio: the
 * largest ratio of the merit of each component to the best one. */
void construct(const int *axes, const double *weight, const int *first, const int *last, double *z, double *ratio)
{
    struct block block[64];
    for (int b = 1; b <= *last; b++) block[b] = block_of(b);
    size_t n = block[*last].n;
    double *sums = malloc(n * sizeof *sums), *worst = malloc(n * sizeof *worst), at_zero = 1.0;
    struct complex *work = malloc(n * sizeof *work);
    for (int axis = 0; axis < *axes; axis++) {
        size_t pick = 0;
        if (z[axis] == 0.0) {
            worst_ratios(block, *first, *last, at_zero, weight[axis], sums, worst, work);
            for (size_t l = 0; l < n; l++) if (worst[l] < worst[pick]) pick = l;
            unsigned long component = 1;
            for (size_t l = 0; l < pick; l++) component = component * 5 & ((1ul << *last) - 1);
            z[axis] = (double)component;
            ratio[axis] = worst[pick];
            Rprintf("axis %d: %.0f, at most %.3f times the best\n", axis + 1, z[axis], ratio[axis]);
        } else pick = number_of(z[axis], *last);
        R_CheckUserInterrupt();
        at_zero *= 1.0 + weight[axis] * omega_of(0.0);
        for (int b = 1; b <= *last; b++)
            for (size_t i = 0; i < block[b].n; i++)
                block[b].product[i] *= 1.0 + weight[axis] * block[b].omega[(i + pick) & (block[b].n - 1)];
    }
    for (int b = 1; b <= *last; b++) block_free(&block[b]);
    free(sums);
    free(worst);
    free(work);
}
