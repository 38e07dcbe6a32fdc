/* The integrand of Nolan's representation: its derivation and its terms are in nolan_integrand.c, the integrals in
 * nolan.c. */
#ifndef NOLAN_H
#define NOLAN_H

#include "reference.h"

struct nolan {
    int one;                        /* alpha = 1 */
    int rising;                     /* g increases in theta: alpha <= 1 */
    int small[2];                   /* g < 1 left and right of the centre */
    int complement;                 /* the integrand of the tail is 1 - exp(-g), instead of exp(-g) */
    slong prec;
    arb_t a, b, a1;                 /* alpha, beta, alpha - 1 */
    arb_t w, kappa, kappa1, e;      /* length of the range, kappa, kappa', the exponent alpha/(alpha - 1) */
    arb_t lead;                     /* the terms of log g that do not depend on z */
    arb_t density;                  /* the factor of the integral of g exp(-g) */
    arb_t centre, unit;             /* z = centre + unit s */
    double log2_density, log2_tail; /* scaling of both integrals, which are computed together */
};

void nolan_init(struct nolan *n);
void nolan_clear(struct nolan *n);
/* Sets everything that depends on the point; for alpha != 1, x > zeta, and for alpha = 1, beta > 0. */
void set_constants(struct nolan *n, const struct point *p, slong prec);
/* phi and psi at z */
void distances(acb_t phi, acb_t psi, const acb_t z, const struct nolan *n, slong prec);
/* log g, phi and psi at s */
void log_g(acb_t l, acb_t phi, acb_t psi, const acb_t s, const struct nolan *n, int analytic, slong prec);
/* The integrand of the density, plus i times that of the tail.  Both are real on the real axis. */
int nolan_integrand(acb_ptr out, const acb_t s, void *context, slong order, slong prec);
/* The limit of g at the end of the range where it is smallest: 0, unless the distribution is one-sided there. */
void least_g(arb_t g, const struct nolan *n);

#endif
