/* Declarations shared by the methods that integrate by samples.
 *
 * If there are many integrals, each is computed by one thread; if there are few, all threads compute one together.  The
 * samples of an integral are divided into shares, whose number does not depend on the threads.  Each share has its own
 * sums, which are added in a fixed order.
 */
#ifndef STABLECL_QUADRATURE_MONTE_CARLO_MONTE_CARLO_H
#define STABLECL_QUADRATURE_MONTE_CARLO_MONTE_CARLO_H

#include <math.h>
#include "../quadrature.h"
#include "../../base/parallel.h"
#include "subcubes.h"
#include "lattice_points.h"
#include "../tensor/product_rules.h"

#define MC_STRIP 16                  /* points of a strip; the capacity of a workspace is a multiple of two strips */
#define BLOCK_POINTS_MAX 4096        /* largest number of points of a block */
#define MC_RANGE 0x1p200             /* largest value whose square is taken; the smallest is its reciprocal */
#define MC_PARTS 8                   /* shares of a round that refines the importance map */
#define MC_PEAKS (MC_PARTS + 1)   /* largest number of peaks that a search follows */
#define LATTICE_SHIFTS 16               /* shifted copies of a lattice */
#define LATTICE_START 9                 /* first level; the integral may converge from the next one on */
#define LATTICE_ZEROS 16                /* level below which an integral whose values are all 0 does not converge */
#define LATTICE_GAIN 4.0                /* largest factor by which a doubling reduces the error estimate */
#define LATTICE_SHARE 4096              /* points of a share that a thread computes */
#define LATTICE_PIECE 256               /* shares whose sums are stored at a time */
#define LATTICE_SHARES 4096             /* largest number of shares of a lattice job */
#define PRODUCT_SHARES 4096             /* largest number of shares of a product job */

struct lattice_job;

/* The workspace of one thread: `capacity` points y of the unit cube, their coordinates x along one axis after the map,
 * weights, weighted values, and the bin of each point along each axis.  f: the values of all components, until the
 * sampler runs again. */
struct workspace {
    int capacity;
    double *y[AXES_MAX], *x, *weight, *value;
    const double *f;
    unsigned char *bin[AXES_MAX];
};

/* Sums over the points of a share, and the point where |v| is largest; not set if all values are 0. */
struct accumulator { struct lattice_sums sums; double at[AXES_MAX]; };

/* A point where |f| is largest, the value there, and |f| along the line through the point in the direction of each
 * axis. */
struct peak { double at[AXES_MAX], height, (*line)[LINE_POINTS]; };

/* Arrays that are too large for the stack of a thread, which may be as small as 64 kB with OpenMP. */
struct mc_space {
    struct peak peak[MC_PEAKS];
    uint32 shift[LATTICE_PARTS][LATTICE_SHIFTS][AXES_MAX];
    uint32 sent[LATTICE_PARTS][LATTICE_SHIFTS][AXES_MAX];   /* the shifts of the parts of a job for a device */
    struct lattice_sums lattice[LATTICE_SHARES];
    uint32 trial_shift[LATTICE_SHIFTS][AXES_MAX];           /* the chosen trial of lattice_choose(), in double */
    double trial_sum[LATTICE_SHIFTS], trial_size;
    struct product_lines lines;
    struct product_rule rule[PRODUCT_PARTS * PRODUCT_AXES];
    struct product_sums product[PRODUCT_SHARES];
    /* an element for each axis, in `axes` */
    double (*peak_line)[LINE_POINTS];   /* the lines of all peaks, peak by peak */
    double (*line)[LINE_POINTS];        /* sum of the lines of all peaks */
    double (*node)[MAP_DOUBLES];           /* the importance map before the trial of another one */
    double *line_search_from, *line_search_found;
    double *axes;
};

struct monte_carlo {
    const struct integral_job *job;
    const struct sampler *sampler;
    struct workspace *workspace;        /* one for each thread */
    struct stop_flag *stop;             /* shared by all threads */
    size_t integral;
    int component;                      /* number of the component of the integrand */
    int thread, is_alone;               /* whether one thread computes this integral, and its number; else 0 */
    int dim;
    double low[AXES_MAX], width[AXES_MAX], volume;  /* volume: with the sign of reversed limits */
    int mapped, periodic;               /* whether the map is in use; how the integrand is made periodic */
    double scale;                       /* factor of the values, a power of 2 that keeps their squares in range */
    enum { NOT_COMPARED, IS_COMPARED, CANNOT_USE } single;  /* state of devices in single precision */
    double rounding;                    /* error of the mean due to single precision, in scaled units */
    double largest;                     /* the largest value in the last round of the map; negative: no round */
    double effective_share;             /* that of the points in the last round of the map (Kish); 0: none */
    int not_finite;                     /* a value is not finite; set by any thread, atomic */
    uint32 rounds;                      /* iterations and shifts so far; part of the counter of random numbers */
    double (*node)[MAP_DOUBLES];           /* the importance map of each axis */
    double (*histogram)[MAP_BINS];      /* of each axis */
    double (*part)[MAP_BINS];           /* the histograms of all shares, share by share */
    struct mc_space *space;
    struct strata *strata;
};

/* Returns the index of the integral among those of a call in R, which is part of the counter of random numbers. */
static inline uint32 mc_index(const struct monte_carlo *c)
{
    return (uint32)(c->job->first + c->integral);
}

/* Sets not_finite if a value is not finite. */
static inline void mc_check_finite(struct monte_carlo *c, double value)
{
    if (!isfinite(value)) ATOMIC_WRITE(&c->not_finite, 1);
}

/* --- points.c ------------------------------------------------------------------------ */

/* Allocates the workspaces of all threads; NULL if memory is short. */
struct workspace *workspaces_new(int threads, int capacity, int dim);
void workspaces_free(struct workspace *, int threads);

/* Computes value[0 .. count - 1] at the points y of a workspace: the integrand times the weight and the scale.  Changes
 * y if the integrand is made periodic.  Returns 0 if the computation must stop. */
int points_values(struct monte_carlo *, int thread, struct workspace *, int count);

/* Computes value[0 .. count - 1] again, for another component at the same points. */
void points_apply_weights(const struct monte_carlo *, struct workspace *, int component, double scale, int count);

/* Sets y to the points number from + step i, i = 0, ..., count - 1, of the lattice with 2^m points. */
void points_lattice(const struct monte_carlo *, struct workspace *, const uint32 *shift, int m, uint32 from,
                    uint32 step,
                    int count);

/* Sets `shift` to a random shift, which is independent of those of earlier calls. */
void points_shift(struct monte_carlo *, uint32 *shift);

/* --- monte_carlo.c -------------------------------------------------------------------------- */

/* Begins integral i, with points that are even and an integrand that is not made periodic. */
void mc_begin(struct monte_carlo *, size_t i);

/* Runs a loop over n shares, which have this number of points in all, in threads.  A body runs on the thread number
 * c->thread + thread of the sampler. */
void mc_for(const struct monte_carlo *, size_t n, double points, loop_body *, void *context);

/* TRUE if devices evaluate the integrand in single precision, and do nothing else. */
int mc_is_single(const struct monte_carlo *);

/* Records that single precision cannot be used for this integral, which is a failure if the device was requested. */
void mc_refuse_single(struct monte_carlo *);

/* Sets the error due to single precision from estimates of its effect on the mean, whose own mean is the best one, and
 * from the mean `size` of |f| (lattice.c).  Returns 0 if single precision cannot be used. */
int mc_compare_precisions(struct monte_carlo *, const double *apart, int count, double size);

/* Marks the precisions as not compared, because other points follow. */
static inline void mc_compare_again(struct monte_carlo *c)
{
    if (c->single == IS_COMPARED) c->single = NOT_COMPARED;
}

/* Fills in what all jobs of this integral have in common, except the use.  `parameter` has BOX_INPUTS elements.
 * Returns 0 if no device can be used. */
int mc_box(const struct monte_carlo *, struct box_job *, double *parameter);

/* Offers a job with this number of points to the device.  Returns 1 if the device has done it; 0 if the threads must do
 * it, or the computation must stop. */
int mc_on_device(struct monte_carlo *, struct box_job *, double points);

/* Computes sums over the points of lattices on a device, if it is useful.  The sums are stored in job->share, which has
 * LATTICE_SHARES elements; the function itself sets where the shares of each part begin.  to_come: the points of later
 * jobs that depend on this one, which decide whether a device is useful.  Returns 0 if the threads must do it, or the
 * computation must stop. */
int mc_lattice_on_device(struct monte_carlo *, struct lattice_job *, double to_come);

/* Multiplies the scale by the power of 2 that brings `largest` close to `near`. */
void mc_rescale(struct monte_carlo *, double largest, double near);

/* TRUE if `points` more evaluations are allowed. */
int mc_may_evaluate(const struct monte_carlo *, double points);

/* Returns the tolerance for the mean of the scaled values, in scaled units; size: the mean of their absolute values. */
double mc_tolerance(const struct monte_carlo *, double mean, double size);

/* Stores the results of the integral; mean and error are in scaled units. */
void mc_finish(const struct monte_carlo *, double mean, double error, int status);

/* --- the steps --------------------------------------------------------------------------- */

/* Returns the number of axes whose values adapt the importance map: one if all axes share its map (m-Cubes1D). */
int grid_axes(const struct monte_carlo *);

/* Returns the effective share of the points for a constant integrand under the importance map: 1 for the identity. */
double grid_evenness(const struct monte_carlo *);

/* Sets the importance map to the identity. */
void grid_reset(struct monte_carlo *);

/* Refines the importance map by the histogram of the last round, in which the values were as uneven as those of
 * `effective` equal ones. */
void grid_refine(struct monte_carlo *, int sharply, double effective);

/* Sets the importance map from |f| along each axis, on any scale. */
void grid_from_lines(struct monte_carlo *, double (*line)[LINE_POINTS]);

/* Searches for peaks from the largest values of the shares, and sets the first importance map from them.  Returns 0 if
 * the computation must stop. */
int peaks_search(struct monte_carlo *, const struct accumulator *);

/* Returns the largest number of evaluations of peaks_search(). */
double peaks_cost(const struct monte_carlo *);

/* Adapts the importance map and decides whether to use it.  Returns 0 if the computation must stop. */
int mc_adapt(struct monte_carlo *);

/* Refines the importance map sharply, in rounds of 2^m points.  Returns 0 if the computation must stop. */
int mc_refine_map(struct monte_carlo *, int rounds, int m);

void mc_vegas(struct monte_carlo *);
void mc_lattice(struct monte_carlo *);

/* Computes the components of an integral that are not done by lattices. */
void mc_lattice_components(struct monte_carlo *, size_t integral);

/* For lattices: chooses between two substitutions the one with the smaller error in a trial.  Returns 0 if the
 * computation must stop. */
int lattice_choose(struct monte_carlo *);

/* Returns the mean over `count` lattices, or their error. */
double lattice_mean(const double *means, int count);
double lattice_error(const double *means, int count);
void mc_product(struct monte_carlo *);

/* --- strata (strata.c) --------------------------------------------------------------------- */

/* The strata of an integral, and the allocation of the subcubes of an iteration to them (subcubes.h).  Subcubes are
 * computed in shares of 2^share_bits. */
struct strata {
    size_t count, capacity, shares, share_capacity;
    int dim, cuts[STRATA_AXES];         /* dim: the number of axes that are divided */
    int even;                           /* subcubes are allocated evenly, because spreads are unknown */
    int share_bits;
    struct strata_plan plan;
    float *spread;                      /* s_h^0.75 for each stratum, averaged over iterations (strata.c) */
    uint32 *order;                      /* numbers of the strata, by rank */
    float *observed;                    /* s_h^0.75 of this iteration, by rank; first only of strata within a share */
    unsigned short *key;                /* workspace of strata_allocate() */
    struct strata_sums *share;
};

struct strata *strata_new(void);        /* NULL if memory is short */
void strata_free(struct strata *);

/* Chooses the strata for this number of axes, subcubes and iteration.  A new stratum takes the spread of the previous
 * stratum that contains its centre.  samples: the mean number of samples in a stratum, or 0.  Returns 0 if memory is
 * short. */
int strata_cut(struct strata *, int axes, double subcubes, int samples, uint32 round);

/* Allocates this number of subcubes, or slightly fewer, at least one to each stratum, and memory for their shares.
 * Returns 0 if memory is short. */
int strata_allocate(struct strata *, double subcubes);

/* Computes the shares of an iteration of this number of points (subcubes.c).  Returns 0 if the computation must
 * stop. */
int strata_sample(struct monte_carlo *, double points);

/* Updates the spreads of the strata by the shares of an iteration. */
void strata_update_spread(struct strata *);

#endif
