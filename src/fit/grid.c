#include <math.h>
#include <string.h>
#include "grid.h"

#define MAX_STEPS     2.0               /* by which the centre moves beyond a grid */
#define SINGULAR      1e-10             /* relative size of a pivot that rounding errors explain */
#define ROUNDING      1e-9              /* distance from a bound that rounding errors explain */

/* --- the points of a grid --------------------------------------------------------- */

/* Sets the offsets of point i.  The centre comes first, so that it wins ties; points with the same first offsets are
 * adjacent. */
static void set_offsets(const struct grid *g, int reach, int i, double *offset)
{
    int width = 2 * reach + 1, all = 1;
    for (int k = 0; k < g->count; k++) all *= width;
    int number = i == 0 ? all / 2 : i <= all / 2 ? i - 1 : i;
    memset(offset, 0, PARAMETERS * sizeof *offset);
    for (int k = g->count - 1; k >= 0; k--, number /= width) offset[g->axes[k]] = number % width - reach;
}

/* Moves the shape to the bounds if it is outside them or differs from them by rounding errors.  Returns TRUE if it was
 * outside. */
static int move_inside(const struct coordinates *c, double *y)
{
    int is_outside = 0;
    for (int j = ALPHA; j <= BETA; j++) {
        is_outside |= y[j] < c->lower[j] - ROUNDING || y[j] > c->upper[j] + ROUNDING;
        if (y[j] < c->lower[j] + ROUNDING) y[j] = c->lower[j];
        if (y[j] > c->upper[j] - ROUNDING) y[j] = c->upper[j];
    }
    return is_outside;
}

int grid_set_point(const struct grid *g, const double *offset, double *y)
{
    memcpy(y, g->y, sizeof g->y);
    for (int k = 0; k < g->count; k++)
        for (int j = 0; j < PARAMETERS; j++) y[j] += g->axis[g->axes[k]][j] * offset[g->axes[k]];
    return move_inside(&g->c, y);
}

/* Sets the offsets of a point that was moved to a bound; L is lower triangular. */
static void find_offsets(const struct grid *g, const double *y, double *offset)
{
    memset(offset, 0, PARAMETERS * sizeof *offset);
    for (int k = 0; k < g->count; k++) {
        int j = g->axes[k];
        double rest = y[j] - g->y[j];
        for (int i = 0; i < k; i++) rest -= g->axis[g->axes[i]][j] * offset[g->axes[i]];
        offset[j] = rest / g->axis[j][j];
    }
}

int grid_compute(struct grid *g, double step, int reach, struct status *st)
{
    g->points = 1;
    for (int k = 0; k < g->count; k++) g->points *= 2 * reach + 1;
    for (int i = 0; i < g->points; i++) {
        set_offsets(g, reach, i, g->offset[i]);
        for (int k = 0; k < PARAMETERS; k++) g->offset[i][k] *= step;
        if (grid_set_point(g, g->offset[i], g->point[i])) find_offsets(g, g->point[i], g->offset[i]);
    }
    g->rounds++;
    if (g->plane && match_laws(g->plane, &g->c, g->e, g->points, g->point, st)) return st->code;
    return evaluate_values(g->e, &g->c, g->points, g->point, g->value, st);
}

int grid_best(const struct grid *g)
{
    int best = 0;
    for (int i = 1; i < g->points; i++)
        if (g->value[i] > g->value[best]) best = i;
    return best;
}

/* --- quadratic functions ------------------------------------------------------------ */

#define TERMS 15                        /* of a quadratic function of four variables */

/* Sets the terms 1, o_a and o_a o_b of a point, a >= b; returns their number. */
static int set_terms(const struct grid *g, const double *offset, double step, double *term)
{
    int terms = 0;
    term[terms++] = 1.0;
    for (int a = 0; a < g->count; a++) term[terms++] = offset[g->axes[a]] / step;
    for (int a = 0; a < g->count; a++)
        for (int b = 0; b <= a; b++) term[terms++] = offset[g->axes[a]] * offset[g->axes[b]] / (step * step);
    return terms;
}

/* Solves the normal equations A x = b by Cholesky's method; x replaces b.  Returns FALSE if A is singular. */
static int solve_normal(int n, double A[TERMS][TERMS], double *b)
{
    for (int j = 0; j < n; j++) {
        double whole = A[j][j];
        for (int k = 0; k < j; k++) A[j][j] -= A[j][k] * A[j][k];
        if (!(A[j][j] > SINGULAR * whole)) return 0;
        A[j][j] = sqrt(A[j][j]);
        for (int i = j + 1; i < n; i++) {
            for (int k = 0; k < j; k++) A[i][j] -= A[i][k] * A[j][k];
            A[i][j] /= A[j][j];
        }
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) b[i] -= A[i][k] * b[k];
        b[i] /= A[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) b[i] -= A[k][i] * b[k];
        b[i] /= A[i][i];
    }
    return 1;
}

/* Fits c + g' o - o' H o/2 to the values by least squares.  Returns FALSE if the points do not determine it. */
static int fit_quadratic(const struct grid *g, double step, double *gradient, double H[PARAMETERS][PARAMETERS])
{
    double A[TERMS][TERMS] = { { 0.0 } }, x[TERMS] = { 0.0 }, term[TERMS];
    int terms = 0, at = 1;

    for (int i = 0; i < g->points; i++) {
        terms = set_terms(g, g->offset[i], step, term);
        for (int a = 0; a < terms; a++) {
            x[a] += term[a] * (g->value[i] - g->value[0]);
            for (int b = 0; b <= a; b++) A[a][b] += term[a] * term[b];
        }
    }
    if (!solve_normal(terms, A, x)) return 0;
    memset(gradient, 0, PARAMETERS * sizeof *gradient);
    memset(H, 0, PARAMETERS * sizeof *H);
    for (int a = 0; a < g->count; a++) gradient[g->axes[a]] = x[at++] / step;
    for (int a = 0; a < g->count; a++)
        for (int b = 0; b <= a; b++, at++)
            H[g->axes[a]][g->axes[b]] = H[g->axes[b]][g->axes[a]] = -(a == b ? 2.0 : 1.0) * x[at] / (step * step);
    return 1;
}

enum maximum grid_maximum(const struct grid *g, double step, double H[PARAMETERS][PARAMETERS], double *offset)
{
    double gradient[PARAMETERS], y[PARAMETERS], maximum = 0.0;
    int in[PARAMETERS] = { 0 };
    for (int i = 0; i < g->points; i++)
        if (!isfinite(g->value[i])) return NONE;
    if (!fit_quadratic(g, step, gradient, H)) return NONE;
    for (int k = 0; k < g->count; k++) in[g->axes[k]] = 1;
    if (!matrix_solve(H, in, gradient, offset)) return NONE;
    for (int k = 0; k < PARAMETERS; k++) maximum = fmax(maximum, fabs(offset[k]));
    for (int k = 0; k < PARAMETERS; k++) offset[k] *= fmin(1.0, MAX_STEPS * step / maximum);
    return grid_set_point(g, offset, y) ? NONE : maximum <= step ? WITHIN : BEYOND;
}

/* --- axes ----------------------------------------------------------------------------- */

/* Sets the axes from the sum of the outer products of the scores, with standard deviations limited to the extent of the
 * parameter space. */
void grid_set_axes(struct grid *g)
{
    double A[PARAMETERS][PARAMETERS], cov[PARAMETERS][PARAMETERS], L[PARAMETERS][PARAMETERS], unit[PARAMETERS];
    const double extent[PARAMETERS] = { 0.25 * g->y[ALPHA], 0.5, 0.5, 1.0 / g->c.unit };

    for (int j = 0; j < PARAMETERS; j++) unit[j] = sqrt(fmin(fmax(g->outer[j][j], 1.0), 1e200));
    for (int i = 0; i < PARAMETERS; i++)
        for (int j = 0; j < PARAMETERS; j++) A[i][j] = g->outer[i][j] / unit[i] / unit[j] + (i == j) * 1e-6;
    if (!matrix_invert(A, g->moves, cov)) {                 /* scores overflow for alpha close to 0 */
        memset(cov, 0, sizeof cov);
        for (int j = 0; j < PARAMETERS; j++) cov[j][j] = 1.0;
    }
    for (int j = 0; j < PARAMETERS; j++) unit[j] = fmin(1.0 / unit[j], extent[j] / sqrt(fmax(cov[j][j], 1e-300)));
    for (int i = 0; i < PARAMETERS; i++)
        for (int j = 0; j < PARAMETERS; j++) cov[i][j] *= unit[i] * unit[j];
    g->count = 0;
    g->is_informed = 0;
    memset(g->axis, 0, sizeof g->axis);
    if (!matrix_factor(cov, g->moves, L)) return;
    for (int k = 0; k < PARAMETERS; k++) {
        if (!g->moves[k]) continue;
        g->axes[g->count++] = k;
        for (int j = 0; j < PARAMETERS; j++) g->axis[k][j] = L[j][k];
    }
}

/* Returns the sum of the lengths of the axes along coordinate j. */
static double length_along(const struct grid *g, int j)
{
    double sum = 0.0;
    for (int k = 0; k < PARAMETERS; k++) sum += fabs(g->axis[k][j]);
    return sum;
}

int grid_set_scores(struct grid *g, struct answer *a, struct status *st)
{
    if (g->plane && match_laws(g->plane, &g->c, g->e, 1, &g->y, st)) return st->code;
    if (evaluate_answer(g->e, &g->c, g->y, a, st)) return st->code;
    if (g->plane && match_scores(g->plane, &g->c, g->e, g->y, a, st)) return st->code;
    memcpy(g->outer, a->outer, sizeof g->outer);
    memcpy(g->from, g->y, sizeof g->from);
    return ST_OK;
}

int grid_is_far(const struct grid *g)
{
    for (int j = 0; j < PARAMETERS; j++)
        if (g->moves[j] && fabs(g->y[j] - g->from[j]) > length_along(g, j)) return 1;
    return 0;
}

/* --- bounds ------------------------------------------------------------------------------ */

double grid_fitting_step(const struct grid *g, double step)
{
    for (int j = ALPHA; j <= BETA; j++)
        if (g->moves[j]) step = fmin(step, 0.5 * (g->c.upper[j] - g->c.lower[j]) / length_along(g, j));
    return step;
}

void grid_shift_inside(struct grid *g, double step)
{
    for (int j = ALPHA; j <= BETA; j++) {
        double margin = step * g->axis[j][j];
        double to = fmin(fmax(g->y[j], g->c.lower[j] + margin), g->c.upper[j] - margin);
        if (!g->moves[j] || fabs(to - g->y[j]) <= ROUNDING) continue;
        double offset = (to - g->y[j]) / g->axis[j][j];
        for (int k = 0; k < PARAMETERS; k++) g->y[k] += offset * g->axis[j][k];
    }
}

int grid_is_at_bound(const struct grid *g, const double *y, int j)
{
    return j <= BETA && (y[j] <= g->c.lower[j] || y[j] >= g->c.upper[j]);
}

int grid_has_moved(const struct grid *g, int i)
{
    double offset[PARAMETERS];
    set_offsets(g, 1, i, offset);
    for (int j = 0; j < PARAMETERS; j++)
        if (offset[j] != 0.0 && !grid_is_at_bound(g, g->point[i], j)) return 1;
    return 0;
}

