/* The tables (interpolant/tensor_tables.h) in the format that devices read. */
#ifndef STABLECL_RUN_DEVICE_TENSOR_TABLES_COPY_H
#define STABLECL_RUN_DEVICE_TENSOR_TABLES_COPY_H

#include <stddef.h>
#include "shared.h"

struct tables_copy {
    struct device_tables at;
    unsigned char *data;                /* `size` bytes; NULL: none */
    size_t size;
    unsigned version;
};

/* Copies the tables on the first call; returns 0 if none are set or memory is short. */
int tables_copy_update(struct tables_copy *);
void tables_copy_free(struct tables_copy *);

#endif
