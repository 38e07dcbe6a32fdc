/* From what the user writes to devices. */
#ifndef STABLECL_RUN_SELECTION_H
#define STABLECL_RUN_SELECTION_H

#include "backend.h"

enum selection_kind { SELECTION_AUTO, SELECTION_CPU, SELECTION_DEVICE };

/* 0, with the kind and, for SELECTION_DEVICE, the devices; or ST_DEVICE and what there is
 * instead. */
int selection_resolve(const char *preference, enum selection_kind *kind, struct selection *devices,
                      struct status *);

/* The device that "auto" may use; 0 if there is none.  CPU-type devices are none: our own
 * threads are as fast and need no driver.  While R checks a package there is none, and no driver
 * is loaded: a check must not depend on the drivers of a machine, nor write to their caches. */
int selection_auto(struct selection *device);

/* Lets "auto" use CPU-type devices, so that tests need no GPU, and devices while R checks a package. */
void selection_allow_cpu(int allowed);

int selection_equal(const struct selection *, const struct selection *);

#endif
