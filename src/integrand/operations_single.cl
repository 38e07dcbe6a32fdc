/* The functions that an integrand in single precision calls. */
#define SINGLE_PRECISION
#include "operations.cl"
