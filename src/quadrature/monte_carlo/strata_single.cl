/* Stratified sampling in single precision.  The means of a share are added as pairs of floats. */
#define SINGLE_PRECISION
#include "strata.cl"
