/* The values of an integrand in single precision, for comparison with the CPU. */
#define SINGLE_PRECISION
#include "values.cl"
