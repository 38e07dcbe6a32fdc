/* Symmetric matrices over the four parameters, restricted to those that are free. */
#ifndef STABLECL_FIT_MATRIX_H
#define STABLECL_FIT_MATRIX_H

enum { ALPHA, BETA, GAMMA, DELTA, PARAMETERS };

/* Solves A x = b over the parameters with in[j] != 0; x is 0 elsewhere.  Returns 0 if A, restricted to these, is not
 * positive definite, else 1. */
int matrix_solve(double A[PARAMETERS][PARAMETERS], const int *in, const double *b, double *x);

/* Computes the inverse of A restricted to these parameters, 0 elsewhere.  Returns as above. */
int matrix_invert(double A[PARAMETERS][PARAMETERS], const int *in, double inverse[PARAMETERS][PARAMETERS]);

/* Computes J A J'. */
void matrix_carry(double J[PARAMETERS][PARAMETERS], double A[PARAMETERS][PARAMETERS],
                  double out[PARAMETERS][PARAMETERS]);

/* Returns x'A y. */
double matrix_form(double A[PARAMETERS][PARAMETERS], const double *x, const double *y);

#endif
