#include <string.h>
#include "method.h"
#include "adaptive/genz_malik.h"
#include "published/continuity.h"

static int is_parallel_variant(const struct integral_job *j)
{
    return j->option[2] == CUT_PBCAQ;
}

const struct quadrature_method quadrature_methods[QUADRATURE_METHODS] = {
    { "gk",        1, 0,               1, integrate_gk,             NO_SAMPLING,    FOR_GK,       NULL },
    { "tanhsinh",  1, 0,               0, integrate_tanhsinh,       NO_SAMPLING,    FOR_TANHSINH, NULL },
    { "cubature",  0, GENZ_MALIK_AXES, 0, integrate_cubature,       NO_SAMPLING,    FOR_CUBATURE, NULL },
    { "simpson",   1, 0,               1, integrate_simpson,        NO_SAMPLING,    FOR_SIMPSON,  NULL },
    { "forward",   1, AXES_MAX,        1, integrate_forward,        NO_SAMPLING,    FOR_FORWARD,  NULL },
    { "blockcut",  1, 0,               1, integrate_kern_alaghband, NO_SAMPLING,    FOR_BCAQ,     is_parallel_variant },
    { "vegas",     1, AXES_MAX,        0, integrate_sampled,        SAMPLE_VEGAS,   FOR_STRATA,   NULL },
    { "lattice",   1, AXES_MAX,        0, integrate_sampled,        SAMPLE_LATTICE, FOR_STRATA,   NULL },
    { "product",   1, AXES_MAX,        0, integrate_sampled,        SAMPLE_PRODUCT, FOR_STRATA,   NULL }
};

const struct quadrature_method *quadrature_method_of(const char *name)
{
    for (int k = 0; k < QUADRATURE_METHODS; k++)
        if (!strcmp(quadrature_methods[k].name, name)) return &quadrature_methods[k];
    return NULL;
}

const char *const integral_status_name[INTEGRAL_STATUSES] = {
    [INTEGRAL_CONVERGED] = "converged", [INTEGRAL_MAX_EVAL] = "max.eval", [INTEGRAL_STUCK] = "stuck",
    [INTEGRAL_NOT_FINITE] = "not finite", [INTEGRAL_NOT_DONE] = "interrupted",
    [INTEGRAL_INCONSISTENT] = "inconsistent", [INTEGRAL_COARSE] = "coarse", [INTEGRAL_ROUNDOFF] = "roundoff",
    [INTEGRAL_DIVERGENT] = "divergent"
};
