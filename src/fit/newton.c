#include <float.h>
#include <math.h>
#include <string.h>
#include "maximise.h"

#define EXACT_NOISE   1e-12             /* relative error of the exact log-likelihood */
#define HESSIAN_STEP  0.02              /* standard errors */
#define ONE_SIDED_STEP 1e-3             /* standard errors */
#define MANY          1e5               /* observations above which differences are one-sided */
#define FAR_STEP      0.02              /* standard errors beyond which the Hessian is computed again */
#define LAST_STEP     1e-6              /* standard errors: the point after a smaller step is not evaluated */
#define MAX_ROUNDS    12                /* steps with one Hessian */
#define MAX_SHORTENED  6                /* halvings of a step */
#define MAX_HESSIANS  3

/* Upper bounds of the first approximate standard errors, which limit the steps of differences. */
static const double max_sd[PARAMETERS] = { 0.3, 0.5, 0.5, 10.0 };

enum { HESSIAN, NEWTON };

/* --- the Hessian, column by column ---------------------------------------- */

/* Sets the point to evaluate to the present side of the present column. */
static void set_difference_point(struct newton *t)
{
    double h = (t->one_sided ? ONE_SIDED_STEP : HESSIAN_STEP) * t->sd[t->axis];
    struct sides s = coordinates_sides(&t->c, t->y, t->axis, h);
    memcpy(t->trial, t->y, sizeof t->trial);
    if (t->one_sided) s.below = 0.0;
    t->width = s.above - s.below;
    t->trial[t->axis] += t->side ? s.above : s.below;
}

/* Sets the difference point of the next column, from `axis` on.  Returns 0 if there is none. */
static int next_column(struct newton *t, int axis)
{
    while (axis < PARAMETERS && !t->c.moves[axis]) axis++;
    t->axis = axis;
    t->side = t->one_sided;
    if (axis == PARAMETERS) return 0;
    set_difference_point(t);
    return 1;
}

/* Sets the difference point on the other side, or of the next column.  Returns 0 if there is none. */
static int next_side(struct newton *t)
{
    if (t->side) return next_column(t, t->axis + 1);
    t->side = 1;
    set_difference_point(t);
    return 1;
}

static void begin_hessian(struct newton *t)
{
    t->phase = HESSIAN;
    t->hessians++;
    t->rounds = 0;
    memset(t->information, 0, sizeof t->information);
    memcpy(t->from, t->y, sizeof t->from);
    next_column(t, 0);
}

static void make_symmetric(struct newton *t)
{
    for (int i = 0; i < PARAMETERS; i++)
        for (int j = 0; j < i; j++)
            t->information[i][j] = t->information[j][i] = 0.5 * (t->information[i][j] + t->information[j][i]);
}

/* Adds the term of the present side to the difference quotients in the present column. */
static void add_side(struct newton *t, const struct answer *a)
{
    double sign = t->side ? -1.0 : 1.0;
    for (int j = 0; j < PARAMETERS; j++) {
        if (!t->c.moves[j]) continue;
        double change = a->gradient[j] - (t->one_sided ? t->here.gradient[j] : 0.0);
        t->information[t->axis][j] += sign * change / t->width;
    }
}

/* --- Newton steps ---------------------------------------------------------- */

/* Returns the largest component of a step, in standard errors. */
static double size_of(const struct newton *t, const double *step)
{
    double size = 0.0;
    for (int j = 0; j < PARAMETERS; j++)
        if (t->c.moves[j]) size = fmax(size, fabs(step[j]) / t->sd[j]);
    return size;
}

static int is_inside(const struct newton *t, const double *y)
{
    for (int j = 0; j < PARAMETERS; j++)
        if (t->c.moves[j] && (y[j] <= t->c.lower[j] || y[j] >= t->c.upper[j])) return 0;
    return 1;
}

/* Sets the point to evaluate to y + step, with the step halved until this point is inside the bounds.  Returns 0 after
 * MAX_SHORTENED halvings. */
static int set_newton_point(struct newton *t)
{
    for (; t->shortened <= MAX_SHORTENED; t->shortened++) {
        for (int j = 0; j < PARAMETERS; j++) t->trial[j] = t->y[j] + ldexp(t->step[j], -t->shortened);
        if (is_inside(t, t->trial)) return 1;
    }
    return 0;
}

/* Computes the approximate standard errors from the Hessian; they grow by a factor of 3 at most. */
static void improve_sd(struct newton *t)
{
    for (int j = 0; j < PARAMETERS; j++)
        t->sd[j] = fmin(1.0 / sqrt(fmax(t->information[j][j], DBL_EPSILON)), 3.0 * t->sd[j]);
}

/* Ends the steps with this Hessian: computes a new one if the point has moved far, else ends. */
static void end_rounds(struct newton *t)
{
    double moved[PARAMETERS];
    for (int j = 0; j < PARAMETERS; j++) moved[j] = t->y[j] - t->from[j];
    if (size_of(t, moved) <= FAR_STEP || t->hessians == MAX_HESSIANS) {
        t->is_done = 1;
        return;
    }
    improve_sd(t);
    begin_hessian(t);
}

/* Plans the next Newton step, or ends the steps with this Hessian. */
static void plan(struct newton *t)
{
    t->phase = NEWTON;
    t->shortened = 0;
    if (t->rounds++ == MAX_ROUNDS || !matrix_solve(t->information, t->c.moves, t->here.gradient, t->step)) {
        end_rounds(t);
        return;
    }
    int is_last = size_of(t, t->step) < LAST_STEP;
    if (set_newton_point(t)) {
        if (!is_last) return;
        memcpy(t->y, t->trial, sizeof t->y);
    }
    end_rounds(t);
}

/* Accepts a step unless the log-likelihood decreases by more than its error, else shortens it. */
static void accept_or_halve(struct newton *t, const struct answer *a)
{
    double slack = uses_tables(t->y) ? t->slack : EXACT_NOISE * (1.0 + fabs(t->here.value));
    if (a->value >= t->here.value - slack) {
        memcpy(t->y, t->trial, sizeof t->y);
        t->here = *a;
        plan(t);
        return;
    }
    t->shortened++;
    if (!set_newton_point(t)) end_rounds(t);
}

/* --- interface -------------------------------------------------------------- */

void newton_begin(struct newton *t, const struct coordinates *c, const double *y, const struct answer *here,
                  double total)
{
    memset(t, 0, sizeof *t);
    t->c = *c;
    t->here = *here;
    memcpy(t->y, y, sizeof t->y);
    t->slack = TABLES_NOISE * total;
    t->one_sided = total > MANY || !uses_tables(y);
    for (int j = 0; j < PARAMETERS; j++)
        t->sd[j] = fmin(1.0 / sqrt(fmax(here->outer[j][j], DBL_EPSILON)), max_sd[j]);
    t->is_done = !(c->moves[ALPHA] || c->moves[BETA] || c->moves[GAMMA] || c->moves[DELTA]);
    if (!t->is_done) begin_hessian(t);
}

const double *newton_next_point(const struct newton *t)
{
    return t->is_done ? NULL : t->trial;
}

void newton_update(struct newton *t, const struct answer *a)
{
    if (t->phase == NEWTON) {
        accept_or_halve(t, a);
        return;
    }
    add_side(t, a);
    if (next_side(t)) return;
    make_symmetric(t);
    plan(t);
}

int newton_ahead(const struct newton *t, double y[MAX_AHEAD][PARAMETERS])
{
    struct newton next = *t;
    int count = 0;
    if (t->is_done || t->phase == NEWTON) return 0;
    do memcpy(y[count++], next.trial, sizeof next.trial);
    while (next_side(&next));
    return count;
}
