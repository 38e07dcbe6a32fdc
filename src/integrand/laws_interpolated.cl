/* Stable laws within an integrand whose values the interpolants cover.  A program of this text builds in a fraction of
 * the time of one of laws.cl.  If a kernel needs another value, it sets a flag; the host then discards the results and
 * builds the program of laws.cl (quadrature/integrand_programs.h). */
#include "interpolated_kernel.h"

/* The kernels only read the tables otherwise, and therefore declare them const. */
static double value_outside(__global const double *tables, const struct law_head *head, double x, struct user_law l,
                            int what, int give_log)
{
    *(__global int *) (tables + head->flag) = 1;
    return NAN;
}
