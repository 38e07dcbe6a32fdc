/* Values of a distribution whose shape is the same for all points, from its packed interpolant, whose head and buffer
 * are stored with the tables.
 *
 * The including file defines value_outside(), which computes the values that the interpolant does not cover.
 *
 * what: one of WANT_PDF, WANT_CDF and WANT_SF.
 */
#ifndef STABLECL_INTEGRAND_INTERPOLATED_KERNEL_H
#define STABLECL_INTEGRAND_INTERPOLATED_KERNEL_H

#include "../interpolant/packed_kernel.h"

static double selected_value(const struct point_values *y, int what)
{
    return what == WANT_PDF ? y->pdf : what == WANT_CDF ? y->cdf : y->sf;
}

static double value_outside(__global const double *tables, const struct law_head *head, double x, struct user_law l,
                            int what, int give_log);

/* Computes a value of a law whose packed interpolant has its head at index `at` of the tables. */
NOINLINE double op_interpolated(__global const double *tables, int at, double x, double alpha, double beta,
                                double gamma, double delta, int pm, int what, int give_log)
{
    struct law_head head = *(__global const struct law_head *) (tables + at);
    struct user_law l = { alpha, beta, gamma, delta, pm };
    struct point_values y;

    if (head.packed.pieces > 0 && user_is_proper(&l)) {
        if (isnan(head.packed.gamma)) packed_frame(&head.packed, &l);
        if (packed_values(&head.packed, tables + head.start, x, what, give_log, &y)) return selected_value(&y, what);
    }
    return value_outside(tables, &head, x, l, what, give_log);
}

#endif
