/* Stable laws within an integrand.
 *
 * A law whose shape is the same for all points is evaluated by its packed interpolant, whose head and buffer are stored
 * with the tables.  Values outside the range of the interpolant, and laws whose shape differs from point to point, are
 * computed as if each point had its own law.  This code takes long to compile, so only programs that contain laws
 * include this file.
 *
 * what: one of WANT_PDF, WANT_CDF and WANT_SF.
 */
#include "../special/called.h"
#include "../interpolant/packed_kernel.h"
#include "../stable/streamed_sum.h"

static double wanted(const struct point_values *y, int what)
{
    return what == WANT_PDF ? y->pdf : what == WANT_CDF ? y->cdf : y->sf;
}

/* Computes one value without an interpolant.  Not inlined: it is called from several places and, if the law has an
 * interpolant, needed at few points. */
APART double law_single(double x, struct user_law l, double mode, int what, int give_log)
{
    struct point_values y;
    point_single(&l, mode, x, what, give_log, &y);
    return wanted(&y, what);
}

APART double op_stable(double x, double alpha, double beta, double gamma, double delta, int pm, int what, int give_log)
{
    struct user_law l = { alpha, beta, gamma, delta, pm };
    return law_single(x, l, 0.0, what, give_log);
}

/* Computes a value of a law whose packed interpolant has its head at index `at` of the tables. */
APART double op_interpolated(__global const double *tables, int at, double x, double alpha, double beta, double gamma,
                         double delta, int pm, int what, int give_log)
{
    struct law_head head = *(__global const struct law_head *) (tables + at);
    struct user_law l = { alpha, beta, gamma, delta, pm };
    struct point_values y;

    if (head.packed.pieces > 0 && user_is_proper(&l)) {
        if (isnan(head.packed.gamma)) packed_frame(&head.packed, &l);
        if (read_packed(&head.packed, tables + head.start, x, what, give_log, &y)) return wanted(&y, what);
    }
    return law_single(x, l, head.mode, what, give_log);
}
