#include <math.h>
#include <string.h>
#include "maximise.h"

#define FLOOR         1e-8              /* added to the diagonal of the information matrix, per observation */
#define FIRST_DAMPING 0.05              /* after a first poor step */
#define MAX_DAMPING   1e12              /* a larger damping ends the search */
#define MIN_SHARE     1e-3              /* fraction of the predicted increase above which a step is accepted, ... */
#define FAIR_SHARE    0.25              /* ... above which the damping does not increase, ... */
#define GOOD_SHARE    0.5               /* ... and above which it decreases */
#define NEAR_STEP     1.0               /* standard errors below which secant updates are used */
#define MAX_CHANGE    10.0              /* largest factor by which a secant may change the curvature along the step */
#define MIN_CHANGE    1e-3              /* smallest factor; outliers make outer products too large by as much */

/* The longest step in each coordinate. */
static const double longest[PARAMETERS] = { 0.4, 1.0, 2.0, INFINITY };

void scoring_begin(struct scoring *s, const struct coordinates *c, double total, double tolerance, int max_steps)
{
    memset(s, 0, sizeof *s);
    s->c = *c;
    memcpy(s->y, c->base, sizeof s->y);
    memcpy(s->trial, c->base, sizeof s->trial);
    s->here.value = -INFINITY;
    s->tolerance = tolerance;
    s->total = total;
    s->max_steps = max_steps;
}

const double *scoring_next_point(const struct scoring *s)
{
    return s->end == SCORING_RUNNING ? s->trial : NULL;
}

/* Maximises the damped model over the coordinates with in[j] != 0, given the steps of the others.  Returns 0 if the
 * matrix is not positive definite. */
static int solve(struct scoring *s, const int *in, double *step)
{
    double A[PARAMETERS][PARAMETERS], b[PARAMETERS], x[PARAMETERS];
    for (int i = 0; i < PARAMETERS; i++) {
        b[i] = s->here.gradient[i];
        for (int j = 0; j < PARAMETERS; j++) {
            A[i][j] = s->information[i][j];
            if (!in[j]) b[i] -= A[i][j] * step[j];
        }
        A[i][i] *= 1.0 + s->damping;
    }
    if (!matrix_solve(A, in, b, x)) return 0;
    for (int i = 0; i < PARAMETERS; i++)
        if (in[i]) step[i] = x[i];
    return 1;
}

/* Returns the coordinate whose step crosses a bound by most, relative to the step, -1 if none does; *to_bound is the
 * step to this bound. */
static int most_violated_bound(const struct scoring *s, const int *in, const double *step, double *to_bound)
{
    int worst = -1;
    double maximum = 0.0;
    for (int j = 0; j < PARAMETERS; j++) {
        if (!in[j]) continue;
        double bound = step[j] > 0.0 ? s->c.upper[j] - s->y[j] : s->c.lower[j] - s->y[j];
        double beyond = fabs(step[j]) - fabs(bound);
        if (!(beyond > maximum * fabs(step[j]))) continue;
        maximum = beyond / fabs(step[j]);
        worst = j;
        *to_bound = bound;
    }
    return worst;
}

/* Computes a step within the bounds: a coordinate that would cross a bound is set to it, and the model is maximised
 * over the remaining ones.  Returns 0 if a matrix is not positive definite. */
static int bounded_step(struct scoring *s)
{
    int in[PARAMETERS], violated;
    double to_bound = 0.0;
    memcpy(in, s->c.moves, sizeof in);
    memset(s->step, 0, sizeof s->step);
    do {
        if (!solve(s, in, s->step)) return 0;
        violated = most_violated_bound(s, in, s->step, &to_bound);
        if (violated < 0) break;
        s->step[violated] = to_bound;
        in[violated] = 0;
    } while (in[ALPHA] || in[BETA] || in[GAMMA] || in[DELTA]);
    return 1;
}

/* Scales the step to the longest one that is allowed. */
static void shorten(struct scoring *s)
{
    double share = 1.0;
    for (int j = 0; j < PARAMETERS; j++)
        if (fabs(s->step[j]) * share > longest[j]) share = longest[j] / fabs(s->step[j]);
    for (int j = 0; j < PARAMETERS; j++) s->step[j] *= share;
}

/* Returns the increase of the log-likelihood that the model predicts for the step. */
static double predicted_gain(struct scoring *s)
{
    double gain = -0.5 * matrix_form(s->information, s->step, s->step);
    for (int j = 0; j < PARAMETERS; j++) gain += s->here.gradient[j] * s->step[j];
    return gain;
}

/* Increases the damping. */
static void damp(struct scoring *s)
{
    s->damping = s->damping < FIRST_DAMPING ? FIRST_DAMPING : 8.0 * s->damping;
}

static void set_trial(struct scoring *s)
{
    for (int j = 0; j < PARAMETERS; j++) {
        double to = s->y[j] + s->step[j];
        s->trial[j] = to < s->c.lower[j] ? s->c.lower[j] : to > s->c.upper[j] ? s->c.upper[j] : to;
    }
}

/* Plans the next step, or ends the search. */
static void plan(struct scoring *s)
{
    do {
        if (s->damping > MAX_DAMPING) {
            s->end = SCORING_NO_PROGRESS;
            return;
        }
        s->predicted = -1.0;
        if (bounded_step(s)) {
            shorten(s);
            s->predicted = predicted_gain(s);
        }
        if (s->predicted < 0.0) damp(s);
    } while (s->predicted < 0.0);
    if (s->predicted < s->tolerance && s->damping < 1.0) s->end = SCORING_AT_MAXIMUM;
    else if (s->steps >= s->max_steps) s->end = SCORING_TOO_LONG;
    else set_trial(s);
    s->steps++;
}

/* Sets the information matrix to the outer products. */
static void set_information(struct scoring *s)
{
    memcpy(s->information, s->here.outer, sizeof s->information);
    for (int j = 0; j < PARAMETERS; j++) s->information[j][j] += FLOOR * s->total;
}

/* Updates the information matrix A to A - A s s'A/(s'A s) + t t'/(t's), where t is minus the change of the gradient
 * over the step s, unless that changes the curvature along s too much. */
static void bfgs_update(struct scoring *s, const double *t)
{
    double A[PARAMETERS][PARAMETERS], As[PARAMETERS] = { 0.0 }, sAs = 0.0, ts = 0.0;
    memcpy(A, s->information, sizeof A);
    for (int i = 0; i < PARAMETERS; i++) {
        for (int j = 0; j < PARAMETERS; j++) As[i] += A[i][j] * s->step[j];
        sAs += s->step[i] * As[i];
        ts += s->step[i] * t[i];
    }
    if (!(ts > sAs * MIN_CHANGE && ts < sAs * MAX_CHANGE)) return;
    for (int i = 0; i < PARAMETERS; i++)
        for (int j = 0; j < PARAMETERS; j++) s->information[i][j] += t[i] * t[j] / ts - As[i] * As[j] / sAs;
}

/* Updates the information matrix by the change of the gradient over the step. */
static void update_information(struct scoring *s, const struct answer *a)
{
    double t[PARAMETERS];
    for (int j = 0; j < PARAMETERS; j++) t[j] = s->c.moves[j] ? s->here.gradient[j] - a->gradient[j] : 0.0;
    if (a->value > -INFINITY) bfgs_update(s, t);
}

/* Accepts the step.  Outer products do not reflect a peak narrower than the step: after steps were rejected, the
 * updates of the information matrix are kept. */
static void accept_step(struct scoring *s, const struct answer *a)
{
    double length = sqrt(matrix_form(s->information, s->step, s->step));
    int keeps_updates = length < NEAR_STEP || s->is_rejected;
    if (keeps_updates) update_information(s, a);
    memcpy(s->y, s->trial, sizeof s->y);
    s->here = *a;
    s->is_rejected = 0;
    if (!keeps_updates) set_information(s);
}

/* Rejects the step; the gradient at its end improves the information matrix and so shortens the next step. */
static void reject_step(struct scoring *s, const struct answer *a)
{
    update_information(s, a);
    s->is_rejected = 1;
}

/* Returns the increase of the log-likelihood as a fraction of the predicted one; 1 if both are below the error of the
 * log-likelihood. */
static double gain_ratio(const struct scoring *s, double gain)
{
    double slack = TABLES_NOISE * s->total;
    if (s->predicted < slack && gain > -slack) return 1.0;
    return gain / s->predicted;
}

void scoring_update(struct scoring *s, const struct answer *a)
{
    double gain = a->value - s->here.value;

    if (s->here.value == -INFINITY) {   /* the first point */
        s->here = *a;
        set_information(s);
        if (a->value == -INFINITY) s->end = SCORING_OFF_SUPPORT;
        else plan(s);
        return;
    }
    double share = gain_ratio(s, gain);
    if (share > MIN_SHARE) accept_step(s, a);
    else reject_step(s, a);
    if (!(share > FAIR_SHARE)) damp(s);
    else if (share > GOOD_SHARE) s->damping = s->damping > FIRST_DAMPING ? 0.05 * s->damping : 0.0;
    plan(s);
}

double scoring_distance(double information[PARAMETERS][PARAMETERS], const double *a, const double *b)
{
    double d[PARAMETERS];
    for (int j = 0; j < PARAMETERS; j++) d[j] = a[j] - b[j];
    return sqrt(fmax(0.0, matrix_form(information, d, d)));
}

double scoring_errors_to(const struct scoring *s, int j, double value)
{
    double A[PARAMETERS][PARAMETERS], unit[PARAMETERS] = { 0.0 }, column[PARAMETERS];
    memcpy(A, s->information, sizeof A);
    unit[j] = 1.0;
    return matrix_solve(A, s->c.moves, unit, column) ? fabs(value - s->y[j]) / sqrt(column[j]) : 0.0;
}
