/* The path of the inversion: the exponents on it (contour.c), its choice (path.c), and the integrals (inversion.c). */
#ifndef PATH_H
#define PATH_H

#include "reference.h"

enum path_end { REAL_POINT, INFINITE_LEG, RAY };    /* what follows leg 1: see contour.c */

struct path {
    double alpha, beta;
    int near_one;                           /* the first form of E */
    arb_t a, b, xx, uu, one_less, bT;       /* alpha, beta, x, u, 1 - alpha, beta T */
    arb_t S, C, defect, lead, power;        /* sine, cosine, 1 - S, (1 + beta) S, C - beta T S */
    slong prec;
    enum path_end end;
    double R, T;                            /* the end of leg 1; the point T, or the length of the ray */
    double lowest;                          /* log r at which leg 1 begins */
    double cancelled;                       /* logarithm of the largest integrand relative to the result */
    acb_t from, step;                       /* leg 2: from + step s, 0 < s < 1 */
    int tail;                               /* leg 2: the integrand of the tail instead of that of the density */
    double log2_density, log2_tail;         /* scaling of the integrands */
};

void path_init(struct path *h);
void path_clear(struct path *h);
void path_set(struct path *h, const struct point *p, slong prec);
int integrand_one(acb_ptr out, const acb_t v, void *context, slong order, slong prec);
int integrand_two(acb_ptr out, const acb_t s, void *context, slong order, slong prec);

/* Chooses end, R, T and `lowest` for values whose logarithms are about log_pdf and log_tail. */
void choose_path(struct path *h, double log_pdf, double log_tail, slong goal);

#endif
