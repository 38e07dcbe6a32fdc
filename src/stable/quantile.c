/* Quantiles of the current shape. */
#include "shape.h"
#include "quantile_search.h"

struct abscissa shape_quantile(struct shape *s, double p, int lower, int log_p, int shifted)
{
    struct quantile q;
    struct abscissa x;
    struct stable_value v;
    quantile_start(&q, shape_law(s), p, lower, log_p);
    while (quantile_asks(&q, &x)) {
        shape_eval(s, x, &v);
        quantile_answer(&q, &v);
    }
    return quantile_result(&q, shape_law(s), shifted);
}
