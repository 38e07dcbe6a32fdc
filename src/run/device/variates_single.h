/* Random numbers in single precision: what the host adds to random_single.cl. */
#ifndef STABLECL_RUN_DEVICE_VARIATES_SINGLE_H
#define STABLECL_RUN_DEVICE_VARIATES_SINGLE_H

#include "single_shared.h"
#include "../job.h"
#include "../../stable/random.h"

struct variates {
    struct single_sample sample;        /* n and first are set for each chunk */
    struct draw_frame frame;
};

/* Sets *v from a job; returns ST_UNSUPPORTED if devices do not compute it in single precision. */
int variates_set(struct variates *v, const struct element_job *, struct status *);

/* Converts the words of `count` elements to the values of the user's distribution. */
void variates_scale(const struct variates *v, size_t count, const uint32 *word, double *y);

#endif
