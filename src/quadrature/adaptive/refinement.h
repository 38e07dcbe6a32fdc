/* The parts of globally adaptive quadrature on the CPU (refinement.c, and lockstep.c for several components): stored
 * subregions (region_store.c), the choice of those to be bisected (region_choice.c), and their values
 * (region_values.c).
 *
 * An integrand with several components has a store for each.  These stores are in lockstep: their subregions are the
 * same, so that the same points serve all components. */
#ifndef STABLECL_QUADRATURE_ADAPTIVE_REFINEMENT_H
#define STABLECL_QUADRATURE_ADAPTIVE_REFINEMENT_H

#include "subregion.h"

struct refinement;

/* The state of the attempts to complete an integral; all 0 before the first one. */
struct attempts {
    double due;                         /* evaluations of the integral from which on the next one follows */
    double checked, before;             /* its evaluations and error at the last check of how errors fall, and */
    double fall;                        /* the logarithm by which its error had then fallen since the check before */
    struct totals best;                 /* the best result */
};

/* Loops over many subregions process blocks of this length, on several threads if the store belongs to all of them.
 * Sums over blocks are added in order. */
#define REGION_BLOCK ((size_t)4096)

/* Results of a loop for a block.  sums: over its subregions; count: a number of subregions, or of errors from `error`
 * on; begin: where those counted begin.  Of the errors, `lows` are not above the middle of a range (region_choice.c)
 * and add up to `low`; `last` is the largest of these and `first` the smallest of the others. */
struct region_block {
    struct region_sums sums;
    size_t count, begin, lows;
    double *error, low, last, first;
};

static inline size_t region_blocks(size_t count)
{
    return (count + REGION_BLOCK - 1) / REGION_BLOCK;
}

/* The subregions of several integrals, those of each integral stored consecutively, in this round (`at`) and in the
 * next one (`next`). */
struct region_store {
    struct refinement *refinement;
    const struct integral_job *job;
    const struct subdivision *rule;
    const struct sampler *sampler;
    int thread;                         /* number of the thread that works on it, or ALL_THREADS */
    char *at, *next;
    double *work;                       /* errors of an integral's subregions, to be ordered */
    size_t *fresh;                      /* indices of the new subregions in `next` */
    unsigned char *times;               /* for each subregion of `at`: 0 if it is kept, 1 if it is to be bisected, 2 if
                                           its halves are, too */
    struct region_block *block;
    double tolerance;                   /* tolerance of the integral for which these were chosen */
    int component;                      /* number of the component of the integrand */
    size_t count, next_count, capacity;
    int points;                         /* points of each new subregion, which are all of one kind */
};

#define PARTS_MAX     4                 /* parts of a singular subregion in a round, at most; of others: 2 */

/* A store for each thread, and the one on which all threads work. */
struct refinement {
    struct region_store *member, all;
    int members, first_intervals;
    int accepts_zero;                   /* integrals of which all values are 0 are not examined again (bisection.h) */
    struct stop_flag stop_flag;
    double handover_evaluations;        /* evaluations after which an integral is handed over */
    double *workspace;                  /* for each thread: coordinates, parameters and values of a chunk, */
    size_t stride;                      /* in arrays of this length */
    size_t *remaining;                       /* numbers of the integrals of a slab */
    struct attempts *attempts;          /* to complete them; NULL if the rule cannot (subregion.h) */
};

static inline struct subregion *subregion_at(const struct region_store *f, char *base, size_t k)
{
    return (struct subregion *)(void *)(base + k * f->rule->bytes);
}

/* --- region_store.c ------------------------------------------------------------------ */

/* Allocates memory for `count` subregions in a round.  Returns 0 or a status code. */
int store_reserve(struct region_store *, size_t count);

/* Begins the next round. */
void store_exchange(struct region_store *);

void store_release(struct region_store *);

/* Adds subregion p to the next round at index *at, unchanged or as its halves, and increases *at; if `again`, the
 * halves are bisected as well. */
void store_keep(const struct region_store *, const struct subregion *p, size_t *at);
void store_halve(const struct region_store *, const struct subregion *p, int again, size_t *at);

/* Returns the end, at most `to`, of the subregions of one integral in `at` or `next` (base) that begin with number
 * `from`, of those listed in `index` unless it is NULL. */
size_t store_end(const struct region_store *, char *base, const size_t *index, size_t from, size_t to);

/* Returns the number of threads for a loop over `count` subregions. */
int store_threads(const struct region_store *, size_t count);

/* Runs the body of a loop over `count` subregions, a block at a time. */
void store_loop(const struct region_store *, size_t count, loop_body *, void *context);

/* Sets where the subregions counted in each block of a loop over `count` begin, the first ones at `begin`.  Returns the
 * end of the last ones. */
size_t blocks_begin(const struct region_store *, size_t count, size_t begin);

/* Returns the sums over subregions from, ..., to - 1 of an integral. */
struct region_sums store_sums(const struct region_store *, size_t from, size_t to);

/* --- region_choice.c ----------------------------------------------------------------- */

/* Chooses at most `allowed` of the subregions from, ..., to - 1 of an integral with these sums, which are to be
 * bisected, and sets `times` and `tolerance` of the store.  Returns their number. */
int bisections_choose(struct region_store *, size_t from, size_t to, const struct region_sums *, double tolerance,
                      int allowed);

/* Adds subregions from, ..., to - 1 to the next round: the halves of those chosen, and the others. */
void bisections_apply(struct region_store *, size_t from, size_t to);

/* --- region_values.c ----------------------------------------------------------------- */

/* Lists the new subregions and counts their evaluations.  Returns their number. */
size_t values_list(struct region_store *);

/* Returns the number of subregions in a chunk. */
size_t values_chunk(const struct region_store *);

/* Evaluates new subregions number from, ..., to - 1 of `stores` stores in lockstep by the sampler. */
void values_evaluate(struct region_store *const *, int stores, int thread, size_t from, size_t to);

/* Returns the device that evaluates subregions; NULL if there is none. */
struct box_device *values_device(const struct refinement *);

/* Evaluates the first of the `count` new subregions of stores in lockstep on a device.  Returns their number; 0 if the
 * threads must evaluate all. */
size_t values_on_device(struct region_store *const *, int stores, size_t count);

/* Raises the errors of new halves according to their difference from the whole. */
void values_compare(struct region_store *, size_t count);

/* --- refinement.c -------------------------------------------------------------------- */

/* Allocates what all threads share, besides stores and attempts.  Returns 0 or a status code; refinement_close() may be
 * called in any case. */
int refinement_open(struct refinement *, struct status *);
void refinement_close(struct refinement *);

/* Evaluates the new subregions of `stores` stores in lockstep. */
void refinement_evaluate(struct region_store *const *, int stores);

/* Decides about the integral with subregions from, ..., to - 1 after a round: returns REFINEMENT_BISECTS if it has
 * chosen subregions to be bisected, or INTEGRAL_NOT_DONE if the integral is to be handed over; otherwise ends the
 * integral. */
int refinement_decide(struct region_store *, size_t from, size_t to);

/* --- lockstep.c ---------------------------------------------------------------------- */

/* integrate_adaptive() for integrands with several components. */
int lockstep_integrate(const struct integral_job *, const struct subdivision *, const struct sampler *, poll_function,
                       struct status *);

#endif
