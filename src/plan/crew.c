#include "crew.h"

int crew_hire(struct crew *c, int threads)
{
    for (c->count = 0; c->count < CREW && c->count < threads; c->count++) {
        if (!c->shape[c->count]) c->shape[c->count] = shape_new();
        if (!c->shape[c->count]) break;
    }
    return c->count > 0;
}

void crew_free(struct crew *c)
{
    for (int k = 0; k < CREW; k++) shape_free(c->shape[k]);
}

void crew_set(struct crew *c, double alpha, double beta)
{
    for (int k = 0; k < c->count; k++) shape_set(c->shape[k], alpha, beta);
}
