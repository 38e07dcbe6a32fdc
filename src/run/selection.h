/* Selects devices from the user's specification. */
#ifndef STABLECL_RUN_SELECTION_H
#define STABLECL_RUN_SELECTION_H

#include "job.h"

enum selection_kind { SELECTION_AUTO, SELECTION_CPU, SELECTION_DEVICE };

/* Sets the kind and, for SELECTION_DEVICE, the devices, and returns 0; or returns ST_DEVICE and lists the
 * devices that exist. */
int selection_resolve(const char *preference, enum selection_kind *kind, struct selection *devices,
                      struct status *);

/* Selects the device that "auto" may use; returns 0 if there is none.  CPU-type OpenCL devices are excluded: the
 * threads of the package are as fast and need no driver.  While R checks a package no device is selected and no
 * driver is loaded, because a check must not depend on the drivers of a machine or write to their caches. */
int selection_auto(struct selection *device);

/* Lets "auto" use CPU-type devices, so that tests need no GPU, and devices while R checks a package. */
void selection_allow_cpu(int allowed);

int selection_equal(const struct selection *, const struct selection *);

#endif
