/* backend/offload.h: jobs that only devices do (backend.h). */
#ifndef STABLECL_OFFLOAD_H
#define STABLECL_OFFLOAD_H

/* Devices are tried anew. */
void offload_forget(void);

#endif
