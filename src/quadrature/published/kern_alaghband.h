/* Block-cutting and its relatives (quadrature/published/continuity.h) in threads. */
#ifndef STABLECL_QUADRATURE_PUBLISHED_KERN_ALAGHBAND_H
#define STABLECL_QUADRATURE_PUBLISHED_KERN_ALAGHBAND_H

#include "continuity.h"
#include "../quadrature.h"

struct cuts {
    const struct integral_job *job;
    const struct sampler *sampler;
    struct cut_rule rule;
    enum cut_variant variant;
};

/* Results of an integral.  1 if it is to be done again with the tolerance that belongs to its value. */
int cut_end(const struct cuts *, size_t integral, const struct cut_sum *, double tolerance, int used_up, int again);

/* The range in `cells` intervals; 0 if the sampler fails. */
int cut_look(const struct cuts *, int thread, size_t integral, const struct part *, struct cut_sum *);

int cut_side(const struct cuts *, poll_function, struct status *);
int cut_queue(const struct cuts *, poll_function, struct status *);

#endif
