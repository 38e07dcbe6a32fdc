/* backend/verify.h: is what a device says of many samples right?
 *
 * Of the first sums of each kind, for the same samples, one is computed here, too.
 */
#ifndef STABLECL_VERIFY_H
#define STABLECL_VERIFY_H

#include "backend.h"

/* Of the requests from `first` on, which the device has done; ST_DEVICE if not. */
int verify_many(const struct many_job *, size_t first, struct status *);

/* Frees what is kept from call to call. */
void verify_unload(void);

#endif
