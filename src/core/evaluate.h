/* core/evaluate.h: density and both tails of one law at one place.
 *
 * Every quantity is a sum of positive terms, or a closed form, or a series
 * whose remainder is bounded; the smaller tail is the one that is computed.
 */
#ifndef STABLECL_EVALUATE_H
#define STABLECL_EVALUATE_H

#include "closed.h"
#include "panel.h"
#include "position.h"
#include "tail.h"

/* 1 if v holds the answer, 0 if a panel is needed. */
FN int value_without_panel(const struct law *law, const struct position *p, struct stable_value *v)
{
    const struct side *s = position_side(law, p);
    double pdf, sf, a = law->alpha, slope;
    v->log_scale = 0.0;
    if (s->L <= 0.0) {                                   /* off the support */
        v->pdf = v->tail = 0.0;
        v->upper = !p->left;
        return 1;
    }
    if (p->at_zeta || (p->y < 1e-280 && a > 0.01)) {
        shift_value(law, v);
        return 1;
    }
    if (a == 0.5 && fabs(law->beta) == 1.0) {
        levy_value(p->y, v);
        if (p->left) v->upper = !v->upper;
        return 1;
    }
    if (a == 1.0 || (a > 1.0 && s->h == 0.0)) return 0;
    if (a > 1.0) {                                       /* the light tail must be gone */
        struct bump b = { law, s, p->near_one, p->log_G, -1.0 };
        double corner = bump_corner(&b);
        if (corner < 0.0 && exp(fmin(bump_w(&b, 0.5 * corner, &slope), 100.0)) < 45.0 - 2.0 * corner) return 0;
    }
    if (!tail_sums(law, s, law->log_sec - a * log(p->y), &pdf, &sf)) return 0;
    v->tail = sf / PI;
    v->pdf = a / (PI * p->y) * pdf;
    v->upper = !p->left;
    return 1;
}

/* exp(-G0) with the leading factor of Laplace's method: the light tail where
 * G0 is so large that its rounding hides the next term. */
FN int value_laplace(const struct law *law, const struct position *p, struct stable_value *v)
{
    const struct side *s = position_side(law, p);
    struct bump b = { law, s, p->near_one, p->log_G, -law->sign };
    double slope, w, G0, root;
    if (s->h_eps != 0.0) return 0;
    w = bump_w(&b, -30.0, &slope);
    if (w < 29.0) return 0;                              /* exp(29) = 4e12 */
    G0 = exp(w);
    root = sqrt(0.5 * PI / (law->alpha * G0));
    v->log_scale = -G0;
    v->tail = root / PI;
    v->pdf = p->front * root * (G0 < 1e300 ? G0 : 1e300);
    v->upper = law->alpha > 1.0;
    if (p->left) v->upper = !v->upper;
    return 1;
}

/* The sums of a panel as density and smaller tail. */
FN void value_from_sums(const struct law *law, const struct position *p, const struct panel *panel,
                        struct stable_value *v)
{
    const struct side *s = position_side(law, p);
    double pdf, tail, scale;
    panel_sum(panel, p->log_G, &pdf, &tail, &scale);
    if (scale > -1.0 || (!panel->upper && s->rest > 0.0)) {
        pdf *= exp(scale);
        tail *= exp(scale);
        scale = 0.0;
    }
    v->pdf = pdf * p->front;
    v->tail = tail / PI;
    v->log_scale = scale;
    v->upper = panel->upper;
    if (!panel->upper && s->rest > 0.0) {
        double cdf = (s->rest + tail) / PI, sf = (s->L - tail) / PI;
        v->upper = sf < cdf;
        v->tail = sf < cdf ? sf : cdf;
    }
    if (p->left) v->upper = !v->upper;
}

FN void law_value(const struct law *law, struct panel *work, struct abscissa x, struct stable_value *v)
{
    struct position p;
    position_set(&p, law, x);
    if (value_without_panel(law, &p, v) || value_laplace(law, &p, v)) return;
    struct bump b = { law, position_side(law, &p), p.near_one, p.log_G, -law->sign };
    panel_lay(work, &b);
    value_from_sums(law, &p, work, v);
}

#endif
