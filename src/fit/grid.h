/* A grid of points in the coordinates of a fit, and the log-likelihoods there (contraction.c). */
#ifndef STABLECL_FIT_GRID_H
#define STABLECL_FIT_GRID_H

#include "matched_laws.h"

/* The points y = centre + L o, where the offsets o along the axes are multiples of a step.  L is lower triangular. */
struct grid {
    struct evaluator *e;
    const struct problem *p;
    struct coordinates c;
    const struct matched_laws *plane;   /* NULL: the grid is over all coordinates */
    int moves[PARAMETERS];              /* coordinates along which the grid extends */
    double y[PARAMETERS];               /* its centre */
    double outer[PARAMETERS][PARAMETERS], from[PARAMETERS];   /* the sum of s s', and where it was computed */
    double axis[PARAMETERS][PARAMETERS];/* columns of L, of length 0 if the coordinate does not move */
    int axes[PARAMETERS], count;        /* numbers and number of the others */
    double information[PARAMETERS][PARAMETERS];               /* H */
    int is_informed;                    /* TRUE if H is known */
    int points, rounds;
    double point[MAX_AT_ONCE][PARAMETERS], offset[MAX_AT_ONCE][PARAMETERS], value[MAX_AT_ONCE];
};

/* Sets y to the point with these offsets, moved to the bounds if it is outside.  Returns TRUE if it was. */
int grid_set_point(const struct grid *, const double *offset, double *y);

/* Computes the log-likelihoods of all points: 2 * reach + 1 along each axis, the centre first. */
int grid_compute(struct grid *, double step, int reach, struct status *);

/* Returns the number of the best point, the first one of several. */
int grid_best(const struct grid *);

/* Fits a quadratic function c + g' o - o' H o/2 to the values of a grid of reach 1.  Returns NONE if it has no maximum,
 * or one outside the bounds; WITHIN if it has one within the grid, and sets its offsets; BEYOND if it has one beyond,
 * and sets offsets in this direction. */
enum maximum { NONE, WITHIN, BEYOND };
enum maximum grid_maximum(const struct grid *, double step, double H[PARAMETERS][PARAMETERS], double *offset);

/* Computes the scores at the centre, with respect to the coordinates of the grid. */
int grid_set_scores(struct grid *, struct answer *, struct status *);

/* Sets the axes from the sum of the outer products of the scores. */
void grid_set_axes(struct grid *);

/* TRUE if the centre is far from the point at which the axes were computed. */
int grid_is_far(const struct grid *);

/* Returns the longest step, up to the one given, for which a grid fits between the bounds. */
double grid_fitting_step(const struct grid *, double step);

/* Moves the centre away from bounds by the length of a step along an axis. */
void grid_shift_inside(struct grid *, double step);

/* TRUE if coordinate j of y is at a bound. */
int grid_is_at_bound(const struct grid *, const double *y, int j);

/* TRUE if point i differs from the centre along an axis on which it is not at a bound. */
int grid_has_moved(const struct grid *, int i);

#endif
