/* The sessions that outlive a call.
 *
 * That of the CPU lives as long as the package; there is at most one on devices, which
 * lives until other devices are wanted.  In a forked child the one on devices belongs to
 * the parent: it is neither used nor closed.
 */
#ifndef STABLECL_RUN_SESSIONS_H
#define STABLECL_RUN_SESSIONS_H

#include "backend.h"

/* A backend with a session on it. */
struct place {
    const struct backend *backend;
    struct session *session;            /* NULL: none */
};

int sessions_cpu(struct place *, struct status *);

/* Opens what is not open yet; devices used for the first time are tested. */
int sessions_devices(const struct selection *, struct place *, struct status *);

/* What is open on devices; NULL if nothing is. */
const struct selection *sessions_open_devices(void);

/* After a failure: the session on devices goes. */
void sessions_close_devices(void);
void sessions_close_all(void);

/* Devices need not keep these data any longer. */
void sessions_forget_data(unsigned long data);

/* Devices are new and untested again. */
void sessions_forget_tests(void);

#endif
