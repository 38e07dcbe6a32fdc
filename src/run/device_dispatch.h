/* run/device_dispatch.h: jobs that only devices do (backend.h). */
#ifndef STABLECL_RUN_DEVICE_DISPATCH_H
#define STABLECL_RUN_DEVICE_DISPATCH_H

/* Devices are tried anew. */
void offload_forget(void);

#endif
