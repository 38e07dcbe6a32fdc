#include "lookup.h"

/* The last of the n nodes that is not above v; -1 below the first one.  The guess of equally spaced nodes is tried
 * before the search by halves. */
static int node_below(const struct table *t, double v)
{
    int low = 0, high = t->n - 1;
    if (!(v >= t->x[0])) return -1;
    if (v >= t->x[high]) return high;
    int guess = (int)((v - t->x[0]) / (t->x[high] - t->x[0]) * high);
    if (guess < high && t->x[guess] <= v && v < t->x[guess + 1]) return guess;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (t->x[middle] <= v) low = middle;
        else high = middle;
    }
    return low;
}

static double spline(const struct table *t, double v)
{
    int last = t->n - 1;
    if (t->periodic && last > 0) v = t->x[0] + op_remainder(v - t->x[0], t->x[last] - t->x[0]);
    int i = node_below(t, v), before = i < 0;
    if (before) i = 0;
    double h = v - t->x[i], d = before && t->natural ? 0.0 : t->d[i];
    return t->y[i] + h * (t->b[i] + h * (t->c[i] + h * d));
}

static double between(const struct table *t, double v)
{
    int i = node_below(t, v);
    if (i < 0) return t->left;
    if (v > t->x[t->n - 1]) return t->right;
    if (v == t->x[i]) return t->y[i];
    double share = t->kind == TABLE_CONSTANT ? t->share : (v - t->x[i]) / (t->x[i + 1] - t->x[i]);
    if (share == 0.0) return t->y[i];
    if (share == 1.0) return t->y[i + 1];
    return t->y[i] + share * (t->y[i + 1] - t->y[i]);
}

double lookup(const struct table *t, double v)
{
    if (isnan(v)) return v;
    if (t->kind == TABLE_INDEX) return v >= 1.0 && v < t->n + 1.0 ? t->y[(int)v - 1] : NAN;
    return t->kind == TABLE_SPLINE ? spline(t, v) : between(t, v);
}
