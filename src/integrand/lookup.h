/* Interpolation in tables, by the rules of R's approxfun() and splinefun(). */
#ifndef STABLECL_INTEGRAND_LOOKUP_H
#define STABLECL_INTEGRAND_LOOKUP_H

#include "operations.h"

enum table_kind { TABLE_LINEAR, TABLE_CONSTANT, TABLE_SPLINE, TABLE_INDEX, TABLE_KINDS };

/* Columns of length n; the nodes x increase.  TABLE_INDEX has only y, and its value at v is y[trunc(v)], counted from
 * 1; NaN outside 1, ..., n. */
struct table {
    enum table_kind kind;
    int n;
    GLOBAL const double *x, *y, *b, *c, *d;     /* nodes, values, and the coefficients of a cubic spline */
    double left, right;         /* values below and above the nodes; splines are extrapolated instead */
    double share;               /* TABLE_CONSTANT: weight of the right neighbour */
    int periodic, natural;      /* kinds of splines */
};

/* Tables in one buffer of doubles: a head for each table, then the columns.  A head holds kind, n, left, right, share,
 * periodic, natural, and the indices at which x, y, b, c and d begin. */
#define TABLE_HEAD 12

FN struct table table_in(GLOBAL const double *all, int number)
{
    GLOBAL const double *head = all + number * TABLE_HEAD;
    struct table t = {
        (enum table_kind)(int)head[0], (int)head[1], all + (int)head[7], all + (int)head[8], all + (int)head[9],
        all + (int)head[10], all + (int)head[11], head[2], head[3], head[4], (int)head[5], (int)head[6]
    };
    return t;
}

/* Returns the index of the last node that is at most v; -1 if v is below the first node.  Before the binary search, it
 * tries the index that v would have between equally spaced nodes. */
FN int node_below(const struct table *t, double v)
{
    int low = 0, high = t->n - 1;
    if (!(v >= t->x[0])) return -1;
    if (v >= t->x[high]) return high;
    double place = (v - t->x[0]) / (t->x[high] - t->x[0]) * high;
    int guess = place >= 0.0 && place < high ? (int)place : high;       /* `place` may be NaN if nodes are not finite */
    if (guess < high && t->x[guess] <= v && v < t->x[guess + 1]) return guess;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (t->x[middle] <= v) low = middle;
        else high = middle;
    }
    return low;
}

FN double table_spline(const struct table *t, double v)
{
    int last = t->n - 1;
    if (t->periodic && last > 0) v = t->x[0] + op_remainder(v - t->x[0], t->x[last] - t->x[0]);
    int i = node_below(t, v), before = i < 0;
    if (before) i = 0;
    double h = v - t->x[i], d = before && t->natural ? 0.0 : t->d[i];
    return t->y[i] + h * (t->b[i] + h * (t->c[i] + h * d));
}

FN double table_between(const struct table *t, double v)
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

FN double lookup(const struct table *t, double v)
{
    if (isnan(v)) return v;
    if (t->kind == TABLE_INDEX) return v >= 1.0 && v < t->n + 1.0 ? t->y[(int)v - 1] : NAN;
    return t->kind == TABLE_SPLINE ? table_spline(t, v) : table_between(t, v);
}

#endif
