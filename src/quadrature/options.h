/* The options of methods besides the tolerances, as the host and the kernels read them; compiled as C and as OpenCL C.
 * The table of methods (method.h) lists their names, defaults and admissible values.
 */
#ifndef STABLECL_QUADRATURE_OPTIONS_H
#define STABLECL_QUADRATURE_OPTIONS_H

#include "../special/philox.h"

/* Method forward: the least and the largest step; 0: a fixed share of the range. */
struct forward_options { double h_min, h_max; };

/* Method blockcut: the number of intervals in a region, enum expansion and enum cut_variant
 * (quadrature/published/continuity.h), and the key of random expansions. */
struct cut_options {
    double cells;
    int expansion, variant;
    struct philox_key key;
};

/* Methods that sample: whether all axes share one importance map, and the key of the random numbers. */
struct sampling_options {
    int symmetric;
    struct philox_key key;
};

/* Method fourier: the factor of the integrand. */
enum fourier_weight { FOURIER_COSINE, FOURIER_SINE };

struct fourier_options { int weight; };

union method_options {
    struct forward_options forward;
    struct cut_options cut;
    struct sampling_options sampling;
    struct fourier_options fourier;
};

#endif
