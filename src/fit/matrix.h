/* Symmetric systems of equations in those of the four parameters that move. */
#ifndef STABLECL_FIT_MATRIX_H
#define STABLECL_FIT_MATRIX_H

enum { ALPHA, BETA, GAMMA, DELTA, PARAMETERS };

/* Solves A x = b over the parameters with in[j] != 0; x is 0 elsewhere.  Returns 0 where A, restricted to these,
 * is not positive definite. */
int matrix_solve(double A[PARAMETERS][PARAMETERS], const int *in, const double *b, double *x);

/* The inverse of A restricted to these, 0 elsewhere; returns as above. */
int matrix_invert(double A[PARAMETERS][PARAMETERS], const int *in, double inverse[PARAMETERS][PARAMETERS]);

/* J A J' */
void matrix_carry(double J[PARAMETERS][PARAMETERS], double A[PARAMETERS][PARAMETERS],
                  double out[PARAMETERS][PARAMETERS]);

/* x'A y */
double matrix_form(double A[PARAMETERS][PARAMETERS], const double *x, const double *y);

#endif
