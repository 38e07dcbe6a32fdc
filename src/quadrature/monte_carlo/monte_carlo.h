/* quadrature/monte_carlo/monte_carlo.h: integrals by samples: what the methods share.
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

#define CARLO_STRIP 16                  /* twice that divides the room of a bench */
#define CARLO_ROOM 4096                 /* points of a block, at most */
#define CARLO_RANGE 0x1p200             /* for values whose squares are taken */
#define CARLO_PARTS 8                   /* shares of a round that learns the grid */
#define CARLO_PEAKS (CARLO_PARTS + 1)   /* peaks that a search follows, at most */
#define LATTICE_SHIFTS 16               /* copies of a lattice */
#define LATTICE_SHARES 4096             /* shares of the points of lattices in one job, at most */
#define PRODUCT_SHARES 4096             /* shares of a product in one job, at most */

enum { STOP_INTERRUPT = 1, STOP_MEMORY };      /* an interrupt, or the sampler has failed; no memory */

/* For each thread: `room` points and what becomes of them. */
struct bench {
    int room;
    double *y[AXES_MAX], *x, *weight, *value;
    unsigned char *bin[AXES_MAX];
};

/* Sums over values v of a share, with the weights w: of v, |v|, v^2 and v^2/w; the largest |v| and its place. */
struct tally {
    double sum, size, square, even, largest, at[AXES_MAX];
};

/* A largest value of |f|, and |f| along the lines through it. */
struct peak { double at[AXES_MAX], height, line[AXES_MAX][SWEEP_LINE]; };

/* Arrays that are too large for the stack of a thread: a thread of OpenMP may have as little as 64 kB. */
struct carlo_space {
    struct peak peak[CARLO_PEAKS];
    double line[AXES_MAX][SWEEP_LINE];  /* the lines of all peaks together */
    double node[AXES_MAX][WARP_ROOM];   /* the grid before a trial of another one */
    double sweep_from[CARLO_PEAKS * (AXES_MAX + 1)], sweep_found[CARLO_PEAKS * SWEEP_DOUBLES(AXES_MAX)];
    uint32 shift[LATTICE_PARTS][LATTICE_SHIFTS][AXES_MAX];
    struct lattice_sums lattice[LATTICE_SHARES];
    struct product_rule rule[PRODUCT_PARTS * AXES_MAX];
    struct product_sums product[PRODUCT_SHARES];
};

struct carlo {
    const struct integral_job *job;
    const struct sampler *sampler;
    struct bench *bench;                /* of all threads */
    poll_function poll;                 /* NULL: it is not this thread that asks */
    int *stop;                          /* not 0: why the work is to stop; of all threads, atomic */
    size_t integral;
    int thread;                         /* the only one at work, or -1 */
    int dim;
    double low[AXES_MAX], width[AXES_MAX], volume;     /* volume: with the sign of limits turned round */
    int warped, periodic;               /* whether the grid is in use; how the integrand is made periodic */
    double scale;                       /* of values, a power of 2 that keeps squares in range */
    double carried;                     /* the share of the points that carry the values, in the grid's last round */
    int not_finite;                     /* a value is; threads set it, atomic */
    uint32 rounds;                      /* iterations and shifts so far */
    double node[AXES_MAX][WARP_ROOM];
    double histogram[AXES_MAX][WARP_BINS], part[CARLO_PARTS][AXES_MAX][WARP_BINS];
    struct carlo_space *space;
    struct cubes *cubes;
};

static inline void carlo_see(struct carlo *c, double value)
{
    if (!isfinite(value)) ATOMIC_WRITE(&c->not_finite, 1);
}

/* --- points.c ------------------------------------------------------------------------ */

/* NULL when memory is short. */
struct bench *benches_new(int threads, int room, int dim);
void benches_free(struct bench *, int threads);

/* value[0 .. count - 1] at the points y of a bench, times their weights and the scale; 0: the work is to stop. */
int points_values(struct carlo *, int thread, struct bench *, int count);

/* The points from + step i, i = 0, ..., count - 1, of the lattice with 2^m points. */
void points_lattice(const struct carlo *, struct bench *, const uint32 *shift, int m, uint32 from, uint32 step,
                    int count);

/* A shift; each call has another one. */
void points_shift(struct carlo *, uint32 *shift);

/* --- monte_carlo.c -------------------------------------------------------------------------- */

/* Threads for so many evaluations, and the number of this one among them. */
int carlo_threads(const struct carlo *, double points);
int carlo_thread(const struct carlo *);

/* The integral for a device, as far as it is known here; 0: there is none for it. */
#define BOX_INPUTS 64
int carlo_box(const struct carlo *, struct box_job *, double *parameter);

/* Whether a device has done a job with so many points; if not it is the threads', or the work is to stop. */
int carlo_on_device(struct carlo *, struct box_job *, double points);

/* Sums over lattices' points on a device, where one is of use, in job->share, for which the caller has room for
 * LATTICE_SHARES; where the shares of a part begin is set here.  0: it is the threads', or the work is to stop. */
int carlo_lattice_on_device(struct carlo *, struct lattice_job *);

/* A power of 2 for the scale that brings the largest value near another one. */
void carlo_rescale(struct carlo *, double largest, double near);

/* Is the work to stop?  Asks for interrupts. */
int carlo_stopped(struct carlo *);

/* May `points` more be evaluated? */
int carlo_afford(const struct carlo *, double points);

/* The tolerance for a mean and a mean size of scaled values, in their units. */
double carlo_tolerance(const struct carlo *, double mean, double size);

/* Ends the integral; mean and error in scaled units. */
void carlo_finish(const struct carlo *, double mean, double error, int status);

/* --- the steps --------------------------------------------------------------------------- */

void grid_reset(struct carlo *);
void grid_refine(struct carlo *, int sharply);
void grid_from_lines(struct carlo *, double (*line)[SWEEP_LINE]);   /* from |f| along each axis, each of any scale */

/* A first grid from the peaks that are found from the largest values of shares, and the evaluations that it takes at
 * most; 0: the work is to stop. */
int peaks_search(struct carlo *, const struct tally *);
double peaks_cost(const struct carlo *);

/* Learns the grid and whether to use it; 0: the work is to stop. */
int carlo_adapt(struct carlo *);

/* Rounds of 2^m points that sharpen the grid; 0: the work is to stop. */
int carlo_sharpen(struct carlo *, int rounds, int m);

struct cubes *cubes_new(void);                                  /* NULL when memory is short */
void cubes_free(struct cubes *);
void carlo_vegas(struct carlo *);
void carlo_lattice(struct carlo *);
void carlo_product(struct carlo *);

#endif
