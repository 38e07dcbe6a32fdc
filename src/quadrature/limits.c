#include "limits.h"
#include "../base/parallel.h"

double range_of(const struct integral_job *j, size_t i, int k, double *low, double *high)
{
    double from = j->lower[k].at[i % j->lower[k].length], to = j->upper[k].at[i % j->upper[k].length];
    *low = from < to ? from : to;
    *high = from < to ? to : from;
    return from <= to ? 1.0 : -1.0;
}

struct parts parts_of(const struct integral_job *j, size_t i)
{
    double low, high;
    range_of(j, i, 0, &low, &high);
    return parts_between(low, high, j->breaks, j->break_count);
}

void integral_end(const struct integral_job *j, size_t i, double value, double error, int status)
{
    double low, high;
    for (int k = 0; k < j->dim; k++) value *= range_of(j, i, k, &low, &high);
    j->value[i] = value;
    j->error[i] = error;
    ATOMIC_WRITE(&j->status[i], status);
}

int integral_is_trivial(const struct integral_job *j, size_t i)
{
    double low, high;
    int missing = 0, empty = 0;
    for (int k = 0; k < j->dim; k++) {
        range_of(j, i, k, &low, &high);
        missing |= isnan(low) || isnan(high);
        empty |= low == high;
    }
    for (int k = 0; k < j->parameters; k++) missing |= isnan(j->parameter[(size_t)k * j->n + i]);
    if (missing) integral_end(j, i, NAN, NAN, INTEGRAL_NOT_FINITE);
    else if (empty) integral_end(j, i, 0.0, 0.0, INTEGRAL_CONVERGED);
    return missing || empty;
}
