#include <stddef.h>
#include "tensor_tables.h"

static struct tables tables;

void tables_set(const struct tables *t)
{
    const struct tables none = { 0 };
    tables = t ? *t : none;
}

const struct tables *tables_get(void)
{
    return tables.cell ? &tables : NULL;
}

const struct table_cell *tables_find(double alpha, double beta)
{
    for (int k = 0; k < tables.cells; k++) {
        const struct table_cell *c = &tables.cell[k];
        if (alpha >= c->alpha[0] && alpha <= c->alpha[1] && beta >= c->beta[0] && beta <= c->beta[1]) return c;
    }
    return NULL;
}
