#include <math.h>
#include <string.h>
#include "polynomial.h"
#include "../core/law.h"

const double check_at[CHECKS] = { -0.99, -0.53, 0.02, 0.61, 0.995 };

void transform_set(struct transform *m)
{
    memset(m, 0, sizeof *m);
    m->T[0][0] = m->T[1][1] = 1.0;                       /* T_k in powers of t */
    for (int k = 2; k < CHART_TERMS; k++)
        for (int j = 0; j < CHART_TERMS; j++)
            m->T[k][j] = (j ? 2.0 * m->T[k - 1][j - 1] : 0.0) - m->T[k - 2][j];
    for (int i = 0; i < CHART_TERMS; i++) {
        double angle = PI * (i + 0.5) / CHART_TERMS;
        m->node[i] = cos(angle);
        for (int k = 0; k < CHART_TERMS; k++) m->cosine[k][i] = (k ? 2.0 : 1.0) / CHART_TERMS * cos(k * angle);
    }
}

void transform_apply(const struct transform *m, const double *value, double *c)
{
    for (int j = 0; j < CHART_TERMS; j++) c[j] = 0.0;
    for (int k = 0; k < CHART_TERMS; k++) {
        double a = 0.0;
        for (int i = 0; i < CHART_TERMS; i++) a += m->cosine[k][i] * value[i];
        for (int j = 0; j <= k; j++) c[j] += a * m->T[k][j];
    }
}
