/* plan/shape.c: stand-in (Cauchy scaled by nothing) until the numeric core lands. */
#include <stdlib.h>
#include "shape.h"

struct shape { double alpha, beta; };

struct shape *shape_new(void) { return calloc(1, sizeof(struct shape)); }
void shape_free(struct shape *s) { free(s); }
void shape_set(struct shape *s, double alpha, double beta) { s->alpha = alpha; s->beta = beta; }
struct abscissa shape_zeta(const struct shape *s)
{
    struct abscissa z = { s->alpha == 1 ? 0 : -s->beta * tan(1.5707963267948966 * s->alpha), 0, 0 };
    return z;
}
void shape_eval(struct shape *s, struct abscissa x, struct stable_value *v)
{
    double t = x.hi;
    (void)s;
    v->pdf = 1 / (3.141592653589793 * (1 + t * t));
    v->tail = atan2(1, fabs(t)) / 3.141592653589793;
    v->log_scale = 0; v->error = 0; v->upper = t > 0;
}
struct abscissa shape_quantile(struct shape *s, double p, int lower, int log_p, int shifted)
{
    struct abscissa q = { 0, 0, shifted };
    (void)s;
    if (log_p) p = exp(p);
    q.hi = tan(3.141592653589793 * (p - 0.5)) * (lower ? 1 : -1);
    return q;
}
double shape_mode(struct shape *s) { (void)s; return 0; }
