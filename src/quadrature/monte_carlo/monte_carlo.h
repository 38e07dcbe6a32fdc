/* Integrals by samples: what the methods share.
 *
 * An integral is worked off by one thread where there are many, and by all where there are few.  Its samples fall into
 * shares whose number does not depend on threads; each has its own sums, which are added in order.
 */
#ifndef STABLECL_QUADRATURE_MONTE_CARLO_MONTE_CARLO_H
#define STABLECL_QUADRATURE_MONTE_CARLO_MONTE_CARLO_H

#include <math.h>
#include "../quadrature.h"
#include "../../base/atomic.h"
#include "subcubes.h"
#include "lattice_points.h"
#include "../tensor/product_points.h"
#include "line_search.h"

#define MC_STRIP 16                  /* twice that divides the room of a bench */
#define MC_ROOM 4096                 /* points of a block, at most */
#define MC_RANGE 0x1p200             /* for values whose squares are taken */
#define MC_PARTS 8                   /* shares of a round that learns the grid */
#define MC_PEAKS (MC_PARTS + 1)   /* peaks that a search follows, at most */
#define LATTICE_SHIFTS 16               /* copies of a lattice */
#define LATTICE_SHARES 4096             /* shares of the points of lattices in one job, at most */
#define PRODUCT_SHARES 4096             /* shares of a product in one job, at most */

struct lattice_job;

enum { STOP_INTERRUPT = 1, STOP_MEMORY };  /* an interrupt, or the sampler has failed; no memory */

/* For each thread: `room` points and what becomes of them. */
struct workspace {
    int room;
    double *y[AXES_MAX], *x, *weight, *value;
    unsigned char *bin[AXES_MAX];
};

/* Sums over values v of a share, with the weights w: of v, |v|, v^2 and v^2/w; the largest |v| and its place. */
struct accumulator {
    double sum, size, square, even, largest, at[AXES_MAX];
};

/* A largest value of |f|, and |f| along the lines through it. */
struct peak { double at[AXES_MAX], height, line[AXES_MAX][LINE_POINTS]; };

/* Arrays that are too large for the stack of a thread: a thread of OpenMP may have as little as 64 kB. */
struct mc_space {
    struct peak peak[MC_PEAKS];
    double line[AXES_MAX][LINE_POINTS];  /* the lines of all peaks together */
    double node[AXES_MAX][MAP_ROOM];    /* the grid before a trial of another one */
    double line_search_from[MC_PEAKS * (AXES_MAX + 1)], line_search_found[MC_PEAKS * LINE_SEARCH_DOUBLES(AXES_MAX)];
    uint32 shift[LATTICE_PARTS][LATTICE_SHIFTS][AXES_MAX];
    struct lattice_sums lattice[LATTICE_SHARES];
    struct product_rule rule[PRODUCT_PARTS * AXES_MAX];
    struct product_sums product[PRODUCT_SHARES];
};

struct monte_carlo {
    const struct integral_job *job;
    const struct sampler *sampler;
    struct workspace *workspace;        /* of all threads */
    poll_function poll;                 /* NULL: it is not this thread that asks */
    int *stop;                          /* not 0: why the work is to stop; of all threads, atomic */
    size_t integral;
    int thread;                         /* the only one at work, or -1 */
    int dim;
    double low[AXES_MAX], width[AXES_MAX], volume;  /* volume: with the sign of limits turned round */
    int mapped, periodic;               /* whether the grid is in use; how the integrand is made periodic */
    double scale;                       /* of values, a power of 2 that keeps squares in range */
    double carried;                     /* the share of the points that carry the values, in the grid's last round */
    int not_finite;                     /* a value is; threads set it, atomic */
    uint32 rounds;                      /* iterations and shifts so far */
    double node[AXES_MAX][MAP_ROOM];
    double histogram[AXES_MAX][MAP_BINS], part[MC_PARTS][AXES_MAX][MAP_BINS];
    struct mc_space *space;
    struct strata *strata;
};

static inline void mc_see(struct monte_carlo *c, double value)
{
    if (!isfinite(value)) ATOMIC_WRITE(&c->not_finite, 1);
}

/* --- points.c ------------------------------------------------------------------------ */

/* NULL when memory is short. */
struct workspace *workspaces_new(int threads, int room, int dim);
void workspaces_free(struct workspace *, int threads);

/* value[0 .. count - 1] at the points y of a bench, times their weights and the scale; 0: the work is to stop. */
int points_values(struct monte_carlo *, int thread, struct workspace *, int count);

/* The points from + step i, i = 0, ..., count - 1, of the lattice with 2^m points. */
void points_lattice(const struct monte_carlo *, struct workspace *, const uint32 *shift, int m, uint32 from,
                    uint32 step,
                    int count);

/* A shift; each call has another one. */
void points_shift(struct monte_carlo *, uint32 *shift);

/* --- monte_carlo.c -------------------------------------------------------------------------- */

/* Threads for so many evaluations, and the number of this one among them. */
int mc_threads(const struct monte_carlo *, double points);
int mc_thread(const struct monte_carlo *);

/* The integral for a device, as far as it is known here; 0: there is none for it. */
#define BOX_INPUTS 64
int mc_box(const struct monte_carlo *, struct box_job *, double *parameter);

/* Whether a device has done a job with so many points; if not it is the threads', or the work is to stop. */
int mc_on_device(struct monte_carlo *, struct box_job *, double points);

/* Sums over lattices' points on a device, where one is of use, in job->share, for which the caller has room for
 * LATTICE_SHARES; where the shares of a part begin is set here.  0: it is the threads', or the work is to stop. */
int mc_lattice_on_device(struct monte_carlo *, struct lattice_job *);

/* A power of 2 for the scale that brings the largest value near another one. */
void mc_rescale(struct monte_carlo *, double largest, double near);

/* Is the work to stop?  Asks for interrupts. */
int mc_stopped(struct monte_carlo *);

/* May `points` more be evaluated? */
int mc_afford(const struct monte_carlo *, double points);

/* The tolerance for a mean and a mean size of scaled values, in their units. */
double mc_tolerance(const struct monte_carlo *, double mean, double size);

/* Ends the integral; mean and error in scaled units. */
void mc_finish(const struct monte_carlo *, double mean, double error, int status);

/* --- the steps --------------------------------------------------------------------------- */

void grid_reset(struct monte_carlo *);
void grid_refine(struct monte_carlo *, int sharply);
/* from |f| along each axis, each of any scale */
void grid_from_lines(struct monte_carlo *, double (*line)[LINE_POINTS]);

/* A first grid from the peaks that are found from the largest values of shares, and the evaluations that it takes at
 * most; 0: the work is to stop. */
int peaks_search(struct monte_carlo *, const struct accumulator *);
double peaks_cost(const struct monte_carlo *);

/* Learns the grid and whether to use it; 0: the work is to stop. */
int mc_adapt(struct monte_carlo *);

/* Rounds of 2^m points that sharpen the grid; 0: the work is to stop. */
int mc_refine_map(struct monte_carlo *, int rounds, int m);

struct strata *strata_new(void);        /* NULL when memory is short */
void strata_free(struct strata *);
void mc_vegas(struct monte_carlo *);
void mc_lattice(struct monte_carlo *);
void mc_product(struct monte_carlo *);

#endif
