/* Sessions that outlive a call.
 *
 * The CPU session exists as long as the package is loaded.  At most one session on devices is open; it lasts until
 * other devices are requested.  In a forked child, the session on devices belongs to the parent and is neither used
 * nor closed.
 */
#ifndef STABLECL_RUN_SESSIONS_H
#define STABLECL_RUN_SESSIONS_H

#include "job.h"

int sessions_cpu(struct target *, struct status *);

/* Opens a session on the devices unless it is open; devices used for the first time are tested. */
int sessions_devices(const struct selection *, struct target *, struct status *);

/* Returns the devices of the open session, or NULL if none is open. */
const struct selection *sessions_open_devices(void);

/* sessions_close_devices() closes the session on devices, for example after a failure; sessions_close_all() also
 * closes that on the CPU. */
void sessions_close_devices(void);
void sessions_close_all(void);

/* Releases data that devices keep. */
void sessions_forget_data(unsigned long data);

/* Makes the next session test its devices again. */
void sessions_forget_tests(void);

#endif
