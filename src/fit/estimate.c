#include <math.h>
#include <string.h>
#include "estimate.h"

static void set_bounds(struct estimate *e, const struct problem *p)
{
    double alpha = e->theta[ALPHA], beta = e->theta[BETA];
    if (!p->is_fixed[ALPHA] && alpha >= 2.0) e->active[ALPHA] = BOUND_UPPER;
    if (!p->is_fixed[ALPHA] && alpha <= p->alpha_min) e->active[ALPHA] = BOUND_LOWER;
    if (!p->is_fixed[BETA] && fabs(beta) >= 1.0 && alpha < 2.0)
        e->active[BETA] = beta > 0.0 ? BOUND_UPPER : BOUND_LOWER;
}

void estimate_begin(struct estimate *e, const struct problem *p, const double *theta)
{
    static const int none[PARAMETERS];
    memset(e, 0, sizeof *e);
    memcpy(e->theta, theta, sizeof e->theta);
    e->loglik = -INFINITY;
    set_bounds(e, p);
    estimate_forget(e, none);
    for (int j = 0; j < PARAMETERS; j++) e->gradient[j] = NAN;
}

void estimate_forget(struct estimate *e, const int *in)
{
    for (int i = 0; i < PARAMETERS; i++)
        for (int j = 0; j < PARAMETERS; j++)
            if (!in[i] || !in[j]) e->cov[i][j] = NAN;
}
