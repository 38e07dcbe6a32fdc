#include <math.h>
#include <string.h>
#include "polynomial.h"
#include "../stable/law.h"

const double check_at[CHECKS] = { -0.99, -0.53, 0.02, 0.61, 0.995 };

void chebyshev_powers(int n, double *T)
{
    memset(T, 0, (size_t)n * (size_t)n * sizeof *T);
    T[0] = T[n + 1] = 1.0;
    for (int k = 2; k < n; k++)
        for (int j = 0; j <= k; j++)
            T[k * n + j] = (j ? 2.0 * T[(k - 1) * n + j - 1] : 0.0) - T[(k - 2) * n + j];
}

void transform_set(struct transform *m)
{
    chebyshev_powers(INTERPOLANT_TERMS, m->T[0]);
    for (int i = 0; i < INTERPOLANT_TERMS; i++) {
        double angle = PI * (i + 0.5) / INTERPOLANT_TERMS;
        m->node[i] = cos(angle);
        for (int k = 0; k < INTERPOLANT_TERMS; k++)
            m->cosine[k][i] = (k ? 2.0 : 1.0) / INTERPOLANT_TERMS * cos(k * angle);
    }
}

void transform_apply(const struct transform *m, const double *value, double *c)
{
    for (int j = 0; j < INTERPOLANT_TERMS; j++) c[j] = 0.0;
    for (int k = 0; k < INTERPOLANT_TERMS; k++) {
        double a = 0.0;
        for (int i = 0; i < INTERPOLANT_TERMS; i++) a += m->cosine[k][i] * value[i];
        for (int j = 0; j <= k; j++) c[j] += a * m->T[k][j];
    }
}
