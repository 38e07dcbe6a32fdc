#include <math.h>
#include <stddef.h>
#include <string.h>
#include "method.h"
#include "adaptive/genz_malik.h"
#include "published/continuity.h"

/* --- options ------------------------------------------------------------------------ */

#define AT(member) offsetof(union method_options, member)

static const struct method_option forward_options[] = {
    { "h_min", OPTION_POSITIVE, AT(forward.h_min), .at_most = "h_max",
      .help = "least step, in units of the variable, on an infinite range in units of a `t` from 0 to 1; by default "
              "1/100 of the range of each axis" },
    { "h_max", OPTION_POSITIVE, AT(forward.h_max),
      .help = "largest step, in the same units; by default 1/20 of the range of each axis" },
    { .name = NULL }
};

static const char *const expansions[] = {
    [EXPAND_ALWAYS] = "always", [EXPAND_COIN] = "coin", [EXPAND_SLOPE] = "slope", [EXPAND_LOG] = "log", NULL
};

static const char *const cut_variants[] = {
    [CUT_PBCAQ] = "PBCAQ", [CUT_PSCAQ] = "PSCAQ", [CUT_BCAQ] = "BCAQ", [CUT_SCAQ] = "SCAQ", [CUT_CAQ] = "CAQ", NULL
};

static const struct method_option cut_options[] = {
    { "expand", OPTION_CHOICE, AT(cut.expansion), EXPAND_ALWAYS, expansions,
      .help = "when to follow an accepted region by one of twice its length: always; by the toss of a coin, which "
              "[set.seed()] controls; if the errors fall towards the next region (slope); or if the logarithm of "
              "tolerance over error is at least log 4" },
    { "key", OPTION_KEY, AT(cut.key), .drawn_for = "coin" },
    { "variant", OPTION_CHOICE, AT(cut.variant), CUT_PBCAQ, cut_variants, .help = "the paper's algorithm" },
    { "cells", OPTION_POSITIVE, AT(cut.cells), 2048,
      .help = "number of intervals in a region; for the variants without regions, the number of equal intervals at the "
              "start, whose length is the largest allowed: 1 as in the paper.  At most an eighth of `max.eval`" },
    { .name = NULL }
};

static const struct method_option sampling_options[] = {
    { "symmetric", OPTION_FLAG, AT(sampling.symmetric), 0,
      .help = "one grid for all axes, for integrands that do not change when axes are exchanged" },
    { "seed", OPTION_SEED, AT(sampling.key),
      .help = "a whole number from 0 to 2^53 - 1 that determines the random numbers; by default R's generator is used, "
              "so that [set.seed()] controls them" },
    { .name = NULL }
};

static const char *const fourier_weights[] = { [FOURIER_COSINE] = "cos", [FOURIER_SINE] = "sin", NULL };

static const struct method_option fourier_options[] = {
    { "omega", OPTION_EACH, 0, NAN,
      .help = "the frequency w of the factor cos(w x) or sin(w x), which multiplies `f`: not 0, one number or one for "
              "each integral" },
    { "weight", OPTION_CHOICE, AT(fourier.weight), NAN, fourier_weights, .help = "that factor" },
    { .name = NULL }
};

const char *const option_kind_name[OPTION_KINDS] = {
    [OPTION_NUMBER] = "number", [OPTION_POSITIVE] = "positive number", [OPTION_FLAG] = "flag",
    [OPTION_CHOICE] = "choice", [OPTION_SEED] = "seed", [OPTION_KEY] = "key", [OPTION_EACH] = "numbers"
};

/* --- methods ------------------------------------------------------------------------ */

static int is_parallel_variant(const struct integral_job *j)
{
    return j->option.cut.variant == CUT_PBCAQ;
}

const struct quadrature_method quadrature_methods[] = {
    { "gk",        1, 0,               1, integrate_gk,             NO_SAMPLING,    FOR_GK,       NULL, NULL },
    { "tanhsinh",  1, 0,               0, integrate_tanhsinh,       NO_SAMPLING,    FOR_TANHSINH, NULL, NULL },
    { "fourier",   1, 0,               0, integrate_fourier,        NO_SAMPLING,    FOR_FOURIER,  fourier_options,
      NULL },
    { "cubature",  0, GENZ_MALIK_AXES, 0, integrate_cubature,       NO_SAMPLING,    FOR_CUBATURE, NULL, NULL },
    { "simpson",   1, 0,               1, integrate_simpson,        NO_SAMPLING,    FOR_SIMPSON,  NULL, NULL },
    { "forward",   1, AXES_MAX,        1, integrate_forward,        NO_SAMPLING,    FOR_FORWARD,  forward_options,
      NULL },
    { "blockcut",  1, 0,               1, integrate_kern_alaghband, NO_SAMPLING,    FOR_BCAQ,     cut_options,
      is_parallel_variant },
    { "vegas",     1, AXES_MAX,        0, integrate_sampled,        SAMPLE_VEGAS,   FOR_STRATA,   sampling_options,
      NULL },
    { "lattice",   1, AXES_MAX,        0, integrate_sampled,        SAMPLE_LATTICE, FOR_STRATA,   sampling_options,
      NULL },
    { "product",   1, AXES_MAX,        0, integrate_sampled,        SAMPLE_PRODUCT, FOR_STRATA,   NULL, NULL }
};

const int quadrature_method_count = sizeof quadrature_methods / sizeof quadrature_methods[0];

const struct quadrature_method *quadrature_method_of(const char *name)
{
    for (int k = 0; k < quadrature_method_count; k++)
        if (!strcmp(quadrature_methods[k].name, name)) return &quadrature_methods[k];
    return NULL;
}

const char *const integral_status_name[INTEGRAL_STATUSES] = {
    [INTEGRAL_CONVERGED] = "converged", [INTEGRAL_MAX_EVAL] = "max.eval", [INTEGRAL_STUCK] = "stuck",
    [INTEGRAL_NOT_FINITE] = "not finite", [INTEGRAL_NOT_DONE] = "interrupted",
    [INTEGRAL_INCONSISTENT] = "inconsistent", [INTEGRAL_COARSE] = "coarse", [INTEGRAL_ROUNDOFF] = "roundoff",
    [INTEGRAL_DIVERGENT] = "divergent"
};
