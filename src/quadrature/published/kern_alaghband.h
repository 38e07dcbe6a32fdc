/* Functions shared by the methods of Kern and Alaghband (quadrature/published/continuity.h) on the CPU. */
#ifndef STABLECL_QUADRATURE_PUBLISHED_KERN_ALAGHBAND_H
#define STABLECL_QUADRATURE_PUBLISHED_KERN_ALAGHBAND_H

#include "continuity.h"
#include "../limits.h"

struct cuts {
    const struct integral_job *job;
    const struct sampler *sampler;
    struct cut_rule rule;
    enum cut_variant variant;
};

/* Stores the results of an integral and returns 0.  Returns 1 if the integral must be repeated with the tolerance for
 * its value. */
static inline int cut_end(const struct cuts *c, size_t integral, const struct cut_sum *s, double tolerance, int used_up,
                          int again)
{
    int status = cut_status(&c->rule, s, tolerance, used_up, again), is_finite = status != INTEGRAL_NOT_FINITE;
    if (status == CUT_AGAIN) return 1;
    integral_end(c->job, integral, is_finite ? s->value : NAN, is_finite ? s->error : NAN, status);
    return 0;
}

/* Computes the sums of a part in rule.cells intervals.  Returns 0 if the sampler fails. */
int cut_evaluate(const struct cuts *, int thread, size_t integral, const struct part *, struct cut_sum *);

/* SCAQ and PSCAQ, and CAQ.  Each returns ST_OK or a failure code. */
int cut_scaq(const struct cuts *, poll_function, struct status *);
int cut_caq(const struct cuts *, poll_function, struct status *);

#endif
