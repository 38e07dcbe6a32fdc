#include <math.h>
#include "gaussian.h"
#include "../stable/law.h"

/* Returns the weighted sum of (z - centre)^power, where power is 1 or 2. */
static double moment(const struct sample *s, double centre, int power)
{
    struct double_double sum = { 0.0, 0.0 };
    for (size_t i = 0; i < s->n; i++) {
        double away = s->z[i] - centre;
        sum = total_take(sum, (s->weight ? s->weight[i] : 1.0) * (power == 2 ? away * away : away));
    }
    return sum.hi + sum.lo;
}

/* With variance v = 2 gamma^2, the log-likelihood is  -total/2 log(2 pi v) - sum (z - delta)^2 / (2 v). */
void gaussian_fit(const struct sample *s, const struct problem *p, struct estimate *e)
{
    int known[PARAMETERS] = { 0, 0, !p->is_fixed[GAMMA], !p->is_fixed[DELTA] };
    double theta[PARAMETERS] = { 2.0, 0.0, p->fixed[GAMMA], p->fixed[DELTA] }, squares, variance;

    if (p->is_fixed[BETA]) theta[BETA] = p->fixed[BETA];
    if (!p->is_fixed[DELTA]) {
        theta[DELTA] = moment(s, 0.0, 1) / s->total;
        theta[DELTA] += moment(s, theta[DELTA], 1) / s->total;
    }
    squares = moment(s, theta[DELTA], 2);
    if (!p->is_fixed[GAMMA]) theta[GAMMA] = sqrt(squares / s->total / 2.0);
    estimate_begin(e, p, theta);
    e->end = END_GAUSSIAN;
    if (p->is_fixed[ALPHA] && p->fixed[ALPHA] != 2.0) return;
    variance = 2.0 * theta[GAMMA] * theta[GAMMA];
    e->loglik = -0.5 * s->total * log(2.0 * PI * variance) - 0.5 * squares / variance;
    e->cov[GAMMA][GAMMA] = variance / (4.0 * s->total);
    e->cov[DELTA][DELTA] = variance / s->total;
    e->cov[GAMMA][DELTA] = e->cov[DELTA][GAMMA] = 0.0;
    estimate_forget(e, known);
}
