/* run/selection.h: from what the user writes to devices. */
#ifndef STABLECL_RUN_SELECTION_H
#define STABLECL_RUN_SELECTION_H

#include "backend.h"

enum choice_kind { CHOICE_AUTO, CHOICE_CPU, CHOICE_DEVICE };

/* 0, with the kind and, for CHOICE_DEVICE, the devices; or ST_DEVICE and what there is
 * instead. */
int choice_resolve(const char *wish, enum choice_kind *kind, struct choice *devices,
                   struct status *);

/* The device that "auto" may use; 0 if there is none.  CPU-type devices are none: our own
 * threads are as fast and need no driver.  While R checks a package there is none, and no driver
 * is loaded: a check must not depend on the drivers of a machine, nor write to their caches. */
int choice_auto(struct choice *device);

/* Lets "auto" use CPU-type devices, so that tests need no GPU, and devices while R checks a package. */
void choice_allow_cpu(int allowed);

int choice_equal(const struct choice *, const struct choice *);

#endif
