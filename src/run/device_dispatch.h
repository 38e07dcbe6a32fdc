/* Jobs that only devices do (backend.h). */
#ifndef STABLECL_RUN_DEVICE_DISPATCH_H
#define STABLECL_RUN_DEVICE_DISPATCH_H

/* Devices are tried anew. */
void device_dispatch_forget(void);

#endif
