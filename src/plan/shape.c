/* plan/shape.c: the exact path: a law, and the panels laid for it so far. */
#include <stdlib.h>
#include "shape.h"
#include "panels.h"
#include "../core/centre.h"
#include "../core/evaluate.h"

/* Where log G is so large that its own rounding shifts a bump by more than
 * 1e-13 of its width, a panel serves one place only. */
#define LOG_G_CELLS 2000.0

/* At alpha = 1 the law differs from Cauchy's by beta log|x| at most. */
#define CAUCHY_BETA 1e-30

struct shape {
    double alpha, beta;
    struct law law;
    double quantum;
    struct tail tail[2];            /* right, left; set when first asked for */
    int tail_set[2];
    struct panels *panels;
    struct panel work;
    double room[3][PANEL_MAX + LANES];
};

struct shape *shape_new(void)
{
    struct shape *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->panels = panels_new();
    if (!s->panels) {
        free(s);
        return NULL;
    }
    s->work.dg = s->room[0];
    s->work.pdf = s->room[1];
    s->work.tail = s->room[2];
    return s;
}

void shape_free(struct shape *s)
{
    if (!s) return;
    panels_free(s->panels);
    free(s);
}

void shape_set(struct shape *s, double alpha, double beta)
{
    if (alpha == s->alpha && beta == s->beta) return;
    s->alpha = alpha;
    s->beta = beta;
    panels_clear(s->panels);
    s->tail_set[0] = s->tail_set[1] = 0;
    if (alpha < 2.0 && !(alpha == 1.0 && fabs(beta) < CAUCHY_BETA)) law_set(&s->law, alpha, beta);
    else s->law.zeta.hi = s->law.zeta.lo = 0.0;
    s->quantum = alpha < 0.5 ? QUANTUM * alpha / (1.0 - alpha) : QUANTUM;
}

struct abscissa shape_zeta(const struct shape *s)
{
    struct abscissa z = { s->law.zeta.hi, s->law.zeta.lo, 0 };
    return z;
}

/* Set the series at infinity of the side where it is worth a try. */
static int tail_may_serve(struct shape *s, const struct position *p)
{
    if (s->alpha == 1.0 || p->near_one || position_log_z(&s->law, p) > 1.0) return 0;
    if (!s->tail_set[p->left]) tail_set(&s->tail[p->left], &s->law, position_side(&s->law, p));
    s->tail_set[p->left] = 1;
    return 1;
}

static const struct panel *panel_for(struct shape *s, const struct position *p)
{
    struct bump b = { &s->law, position_side(&s->law, p), p->near_one, p->log_G, -s->law.sign, 0.0 };
    if (fabs(p->log_G) < LOG_G_CELLS) {
        double cell = rint(p->log_G / s->quantum);
        long long key = (long long) cell * 4 + 2 * p->left + p->near_one;
        const struct panel *found = panels_find(s->panels, key);
        if (found) return found;
        b.log_G = cell * s->quantum;
        b.half_cell = 0.5 * s->quantum;
        panel_lay(&s->work, &b);
        found = panels_keep(s->panels, key, &s->work);
        return found ? found : &s->work;
    }
    panel_lay(&s->work, &b);
    return &s->work;
}

void shape_eval(struct shape *s, struct abscissa x, struct stable_value *v)
{
    struct position p;
    v->error = 30.0 * EPSILON;
    if (s->alpha == 2.0) {
        gaussian_value(x.hi, v);
        return;
    }
    if (s->alpha == 1.0 && fabs(s->beta) < CAUCHY_BETA) {
        cauchy_value(x.hi, v);
        return;
    }
    if (value_far_one(&s->law, x.hi, v)) return;
    position_set(&p, &s->law, x);
    if (value_closed(&s->law, &p, v) || value_laplace(&s->law, &p, v)) return;
    if (tail_may_serve(s, &p) && value_tail(&s->law, &p, &s->tail[p.left], v)) return;
    value_from_sums(&s->law, &p, panel_for(s, &p), v);
}

double shape_slope(struct shape *s, struct abscissa x)
{
    struct position p;
    position_set(&p, &s->law, x);
    if (s->alpha >= CENTRE_ALPHA && fabs(centre_u(&s->law, p.y)) < CENTRE_REACH)
        return centre_slope(&s->law, p.left ? -p.y : p.y);
    double d = p.dlog_front + p.dlog_G * panel_slope(panel_for(s, &p), p.log_G);
    return p.left ? -d : d;
}

double shape_alpha(const struct shape *s) { return s->alpha; }
double shape_beta(const struct shape *s)  { return s->beta; }

double shape_mass(const struct shape *s, int left)
{
    return (left ? s->law.left.L : s->law.right.L) / PI;
}
