/* The limit on the number of axes. */
#ifndef STABLECL_QUADRATURE_AXES_H
#define STABLECL_QUADRATURE_AXES_H

#define AXES_MAX 100                    /* largest number of axes of any method */

#endif
