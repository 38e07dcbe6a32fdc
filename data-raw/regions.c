/* data-raw/regions.c: finds the method that src/stable uses at a point, and its number of nodes.
 *
 * Compiled and called by regions.R.
 */
#include "stable/node_iterator.h"

static int nodes;
#define iterator_advance(m, o, counts) (nodes++, iterator_advance(m, o, counts))

#include "stable/streamed_sum.h"

/* Letters of the table. */
#define CLOSED      'c'         /* closed forms, at zeta, outside the support */
#define ZETA_SERIES 'z'         /* the power series at zeta */
#define LAPLACE     'l'         /* the leading factor of a light tail */
#define SERIES      's'         /* the power series at infinity */
#define NODES_PLAIN 'n'         /* sums over nodes */
#define NODES_ONE   'o'         /* sums over nodes with every term divided by |alpha - 1| (zolotarev.h) */

/* TRUE if value_closed() does not use the power series at zeta. */
static int is_closed_form(const struct law *law, const struct standardised_argument *p)
{
    return argument_side(law, p)->L <= 0.0 || p->at_zeta || (law->alpha == 0.5 && fabs(law->beta) == 1.0);
}

static char method_at(const struct standard *law, double x)
{
    struct argument z = { x, 0.0, 0 };
    struct standardised_argument p;
    struct stable_value v;

    nodes = 0;
    value_streamed(law, z, 0, &v);
    if (standard_is_closed(law->alpha, law->beta) || value_leading_term(&law->law, x, &v)) return CLOSED;
    argument_set(&p, &law->law, z);
    if (nodes > 0) return p.near_one ? NODES_ONE : NODES_PLAIN;
    if (value_closed(&law->law, &p, &v)) return is_closed_form(&law->law, &p) ? CLOSED : ZETA_SERIES;
    return value_laplace(&law->law, &p, &v) ? LAPLACE : SERIES;
}

void regions(const double *alpha, const double *beta, const int *n, const double *x, int *method, int *count)
{
    struct standard law;

    standard_set(&law, *alpha, *beta);
    for (int i = 0; i < *n; i++) {
        method[i] = method_at(&law, x[i]);
        count[i] = nodes;
    }
}
