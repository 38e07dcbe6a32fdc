#include <math.h>
#include <string.h>
#include "problem.h"

/* Cholesky factorisation A = L L' over the parameters with in[j] != 0.  Returns 0 if a pivot is not positive and
 * finite. */
static int factor(double A[PARAMETERS][PARAMETERS], const int *in, double L[PARAMETERS][PARAMETERS])
{
    memset(L, 0, PARAMETERS * sizeof *L);
    for (int j = 0; j < PARAMETERS; j++) {
        if (!in[j]) continue;
        for (int i = j; i < PARAMETERS; i++) {
            double rest = A[i][j];
            if (!in[i]) continue;
            for (int k = 0; k < j; k++) rest -= L[i][k] * L[j][k];
            if (i == j && !(rest > 0.0 && rest < INFINITY)) return 0;
            L[i][j] = i == j ? sqrt(rest) : rest / L[j][j];
        }
    }
    return 1;
}

static void substitute(double L[PARAMETERS][PARAMETERS], const int *in, const double *b, double *x)
{
    for (int i = 0; i < PARAMETERS; i++) {
        x[i] = 0.0;
        if (!in[i]) continue;
        x[i] = b[i];
        for (int k = 0; k < i; k++) x[i] -= L[i][k] * x[k];
        x[i] /= L[i][i];
    }
    for (int i = PARAMETERS - 1; i >= 0; i--) {
        if (!in[i]) continue;
        for (int k = i + 1; k < PARAMETERS; k++) x[i] -= L[k][i] * x[k];
        x[i] /= L[i][i];
    }
}

int matrix_solve(double A[PARAMETERS][PARAMETERS], const int *in, const double *b, double *x)
{
    double L[PARAMETERS][PARAMETERS];
    if (!factor(A, in, L)) return 0;
    substitute(L, in, b, x);
    for (int i = 0; i < PARAMETERS; i++)
        if (!isfinite(x[i])) return 0;
    return 1;
}

int matrix_invert(double A[PARAMETERS][PARAMETERS], const int *in, double inverse[PARAMETERS][PARAMETERS])
{
    double L[PARAMETERS][PARAMETERS];
    if (!factor(A, in, L)) return 0;
    for (int j = 0; j < PARAMETERS; j++) {
        double unit[PARAMETERS] = { 0.0 };
        unit[j] = in[j];
        substitute(L, in, unit, inverse[j]);
    }
    return 1;
}

void matrix_carry(double J[PARAMETERS][PARAMETERS], double A[PARAMETERS][PARAMETERS],
                  double out[PARAMETERS][PARAMETERS])
{
    for (int i = 0; i < PARAMETERS; i++)
        for (int j = 0; j < PARAMETERS; j++) out[i][j] = matrix_form(A, J[i], J[j]);
}

double matrix_form(double A[PARAMETERS][PARAMETERS], const double *x, const double *y)
{
    double sum = 0.0;
    for (int i = 0; i < PARAMETERS; i++)
        for (int j = 0; j < PARAMETERS; j++) sum += x[i] * A[i][j] * y[j];
    return sum;
}
