/* The tables (interpolant/tensor_tables.h) in the form in which devices read them. */
#ifndef STABLECL_RUN_DEVICE_TENSOR_TABLES_COPY_H
#define STABLECL_RUN_DEVICE_TENSOR_TABLES_COPY_H

#include <stddef.h>
#include "shared.h"

struct tables_copy {
    struct device_tables at;
    unsigned char *data;                /* `size` bytes; NULL: not there */
    size_t size;
    unsigned version;
};

/* 0: there are no tables, or memory is short. */
int tables_copy_update(struct tables_copy *);
void tables_copy_free(struct tables_copy *);

#endif
