#include <stddef.h>
#include <string.h>
#include "method.h"
#include "integrals_shared.h"
#include "adaptive/genz_malik.h"
#include "adaptive/simpson.h"
#include "published/continuity.h"
#include "published/forward_rule.h"

/* --- options ------------------------------------------------------------------------ */

#define AT(member) offsetof(union method_options, member)

static const struct method_option forward_options[] = {
    { "h_min", OPTION_POSITIVE, AT(forward.h_min), .at_most = "h_max",
      .help = "least step, in units of the variable, on an infinite range in units of a `t` from 0 to 1; by default "
              "1/100 of the range of each axis" },
    { "h_max", OPTION_POSITIVE, AT(forward.h_max),
      .help = "largest step, in the same units; by default 1/20 of the range of each axis" },
    { "blocks", OPTION_COUNT, AT(forward.blocks), 1, .minimum = 1, .maximum = FORWARD_BLOCKS_MAX,
      .help = "number of equal intervals in which finite ranges of the first axis are stepped through at the same "
              "time, by all threads or on a device; each begins with a step of `h_min`.  With more than one, a range "
              "on which all values are 0 is not examined again" },
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

static const char *const bin_numbers[] = { "2", "4", "8", "16", "32", "64", "128", "256", NULL };

#define SAMPLING_OPTIONS \
    { "symmetric", OPTION_FLAG, AT(sampling.symmetric), 0, \
      .help = "one grid for all axes, for integrands that do not change when axes are exchanged" }, \
    { "seed", OPTION_SEED, AT(sampling.key), \
      .help = "a whole number from 0 to 2^53 - 1 that determines the random numbers; by default R's generator is " \
              "used, so that [set.seed()] controls them" }, \
    { "adjust", OPTION_COUNT, AT(sampling.adjust), -1, .below = "iterations", .minimum = 0, .maximum = ROUNDS_MAX - 1, \
      .help = "number of preliminary rounds, from 0 to 255, that adapt the grid, which is then used in any case; by " \
              "default up to 12, as long as they reduce the variance, and the grid is used if it reduces the " \
              "variance to less than a quarter" }, \
    { "bins", OPTION_COUNT, AT(sampling.bins), 0, bin_numbers, .minimum = 2, .maximum = MAP_BINS, \
      .help = "number of bins of the grid along each axis; by default 256, of which neighbours are merged at first" }

static const char *const precisions[] = { [PRECISION_DOUBLE] = "double", [PRECISION_SINGLE] = "single", NULL };

#define PRECISION_OPTION \
    { "precision", OPTION_CHOICE, AT(sampling.precision), PRECISION_DOUBLE, precisions, \
      .help = "precision in which a device evaluates the integrand; CPUs, the rounds that adapt the grid, and the " \
              "trial that chooses a substitution use double precision.  In single precision, values of up to 3.4e38 " \
              "have about 7 digits, and special functions are not available; the error includes the measured " \
              "difference from double precision" }

static const struct method_option lattice_options[] = {
    SAMPLING_OPTIONS,
    PRECISION_OPTION,
    { .name = NULL }
};

static const struct method_option vegas_options[] = {
    SAMPLING_OPTIONS,
    PRECISION_OPTION,
    { "iterations", OPTION_COUNT, AT(sampling.iterations), 0, .minimum = 2, .maximum = ROUNDS_MAX,
      .help = "number of rounds and iterations in all, from 2 to 256, which end earlier if the tolerance is met.  "
              "Those that do not adapt the grid have equal parts of `max.eval`; the first of several among them serves "
              "only to allocate the samples of the others; by default as many as needed, of increasing size" },
    { "samples.per.cube", OPTION_COUNT, AT(sampling.samples_per_cube), 0, .minimum = 4, .maximum = 1 << 20,
      .help = "mean number of samples in a cube of the stratification, from 4, which then every cube has, to 2^20; "
              "at most 2^22 cubes; by default 64, on one axis 16, and at most 65536 cubes" },
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
    [OPTION_CHOICE] = "choice", [OPTION_COUNT] = "count", [OPTION_SEED] = "seed", [OPTION_KEY] = "key",
    [OPTION_EACH] = "numbers"
};

/* --- devices ------------------------------------------------------------------------ */

static const struct device_method gauss_kronrod_device = {
    .kernels = { .file = "gauss_kronrod", .name = { "gk_begin", "gk_refine" }, .later = "gauss_kronrod_refined",
                 .returns_values = 1 },
    .is_short = 1, .unit = GK_POINTS,
    .first_subregions = GK_INTERVALS_ZERO, .few = FEW_BY_POINTS,
    .subregion_size = REFINE_DOUBLES * sizeof(double) + REFINE_INTS * sizeof(int)
};

static const struct device_method tanh_sinh_device = {
    .kernels = { .file = "tanh_sinh", .name = { NULL, "tanhsinh" }, .returns_values = 1 },
    .unit = 1, .few = FEW_BY_POINTS
};

static const struct device_method fourier_device = {
    .kernels = { .file = "fourier", .name = { NULL, "fourier" }, .returns_values = 1 },
    .unit = 1, .few = FEW_BY_POINTS
};

static const struct device_method simpson_device = {
    .kernels = { .file = "simpson", .name = { NULL, "simpson" }, .returns_values = 1 },
    .unit = 1, .first_subregions = SIMPSON_INTERVALS,
    .few = FEW_BY_POINTS,
    .subregion_size = SUBREGION_DOUBLES * sizeof(double) + sizeof(struct simpson_values) + sizeof(int)
};

/* Returns the evaluations for the two halves of a box. */
static double genz_malik_points(int dim)
{
    return 2.0 * GENZ_MALIK_POINTS(dim);
}

static const struct device_method genz_malik_device = {
    .kernels = { .file = "genz_malik", .name = { NULL, "cubature" }, .returns_values = 1 },
    .unit = 1, .first_subregions = GENZ_MALIK_BOXES,
    .subregion_size = SUBREGION_DOUBLES * sizeof(double) + 5 * sizeof(int), .axis_size = 2 * sizeof(double),
    .points = genz_malik_points, .few = FEW_BY_SUBREGIONS
};

/* Few integrals in several dimensions, or in blocks, have many lines that devices step through at the same time. */
static int forward_has_steppers(const struct integral_job *j, double work)
{
    int is_apart = j->dim > 1 || j->option.forward.blocks > 1;
    return is_apart && j->n <= (work >= LONG_WORK ? FORWARD_FEW_LONG : FORWARD_FEW);
}

static const struct device_method forward_device = {
    .kernels = { .file = "forward", .name = { "forward" }, .returns_values = 1 }, .unit = 1
};

static const struct device_method bcaq_device = {
    .kernels = { .file = "bcaq", .name = { NULL, "blockcut" }, .returns_values = 1 },
    .unit = 1, .few = FEW_BY_POINTS
};

static int cut_has_steppers(const struct integral_job *j, double work)
{
    (void)work;
    return j->option.cut.variant == CUT_PSCAQ || j->option.cut.variant == CUT_SCAQ;
}

static const char *cut_unsupported_reason(const struct integral_job *j)
{
    if (j->option.cut.variant == CUT_PBCAQ || cut_has_steppers(j, 0.0)) return NULL;
    return "devices support the variants \"PBCAQ\", \"PSCAQ\" and \"SCAQ\" only";
}

/* --- methods ------------------------------------------------------------------------ */

/* About 40 bisections towards one point take more evaluations than the numbers of evaluations that are trusted.  Rules
 * that do not bisect are always examined. */
const struct quadrature_method quadrature_methods[] = {
    { .name = "gk", .has_one_axis = 1, .takes_breaks = 1, .completes = 1, .trusted = 1500, .cpu = integrate_gk,
      .shares_points = 1, .device = &gauss_kronrod_device },
    { .name = "tanhsinh", .has_one_axis = 1, .cpu = integrate_tanhsinh, .device = &tanh_sinh_device },
    { .name = "fourier", .has_one_axis = 1, .cpu = integrate_fourier, .option = fourier_options,
      .device = &fourier_device },
    { .name = "cubature", .axes_max = GENZ_MALIK_AXES, .cpu = integrate_cubature, .shares_points = 1,
      .device = &genz_malik_device },
    { .name = "simpson", .has_one_axis = 1, .takes_breaks = 1, .trusted = 500, .cpu = integrate_simpson,
      .shares_points = 1, .device = &simpson_device },
    { .name = "forward", .has_one_axis = 1, .axes_max = FORWARD_AXES, .takes_breaks = 1, .returns_bounds = 1,
      .cpu = integrate_forward, .option = forward_options, .device = &forward_device,
      .has_steppers = forward_has_steppers },
    { .name = "blockcut", .has_one_axis = 1, .takes_breaks = 1, .cpu = integrate_kern_alaghband,
      .option = cut_options, .device = &bcaq_device, .unsupported_reason = cut_unsupported_reason,
      .has_steppers = cut_has_steppers },
    { .name = "vegas", .has_one_axis = 1, .axes_max = AXES_MAX, .cpu = integrate_sampled,
      .sampling = SAMPLE_VEGAS, .option = vegas_options },
    { .name = "lattice", .has_one_axis = 1, .axes_max = AXES_MAX, .cpu = integrate_sampled,
      .shares_points = 1, .sampling = SAMPLE_LATTICE, .option = lattice_options },
    { .name = "product", .has_one_axis = 1, .axes_max = PRODUCT_AXES, .cpu = integrate_sampled,
      .sampling = SAMPLE_PRODUCT }
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
