/* Modes: of the standard distributions of elements, for parametrisation S2, and of the user's distributions.
 *
 * One work-item per element searches for the zero of the slope of the log density, which it sums over nodes that it
 * computes itself: a mode takes as long as about 50 densities.  Large chunks are sorted first (order.cl).
 */
#include "../../special/called.h"
#include "arguments_kernel.h"
#include "../../stable/mode_search.h"

/* Computes modes[i] for i < job.modes; the value for invalid parameters is not used. */
__kernel void mode_standard(ARGUMENTS)
{
    int i = ELEMENT_OF((int) get_global_id(0));
    if (i >= job.modes) return;
    struct user_law l = LAW_OF(i);
    modes[i] = user_is_missing(&l) || !user_is_valid(&l) ? 0.0 : mode_streamed(l.alpha, l.beta, 1);
}

__kernel void mode_each(ARGUMENTS)
{
    int i = (int) get_global_id(0), nans;
    if (i >= job.n) return;
    struct user_law l = LAW_OF(i);
    double mode;
    if (!user_mode_is_known(&l, &mode, &nans)) {
        struct standard law;
        standard_set(&law, l.alpha, l.beta);
        nans = user_mode(&l, MODE_OF(i), standard_zeta(&law), &mode);
    }
    if (nans) flags[FLAG_NANS] = 1;
    out[i] = mode;
}
