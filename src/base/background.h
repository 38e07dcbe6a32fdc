/* Runs a computation on a separate thread, while the main thread waits for it or continues.
 *
 * While the main thread waits, users can interrupt it; a computation that takes long is reported to them.  After an
 * interrupt the computation continues, and its result is available to the next request.  A process that exits waits for
 * the computations in progress, because the libraries that they use are about to be unloaded.
 *
 * Only devices use this, for compiling programs; without OpenCL it compiles to nothing.
 */
#ifndef STABLECL_BASE_BACKGROUND_H
#define STABLECL_BASE_BACKGROUND_H

#include "parallel.h"
#include "status.h"

struct background;

#define BACKGROUND_TEXT 256             /* most characters of the description of a computation */

/* Called once, on the main thread, when the package is loaded: waiting polls for interrupts, and calls report(what)
 * once if a computation takes longer than 2 s; it returns TRUE if the user interrupts the computation. */
void background_load(poll_function poll, int (*report)(const char *what));

/* Sets whether the main thread waits for computations until they end (the default), or only briefly. */
void background_set_waiting(int waits_to_end);

/* TRUE on the main thread of the process that loaded the package. */
int background_is_main(void);

/* TRUE if a computation is in progress. */
int background_is_busy(void);

/* Starts body(context) on a new thread.  Returns NULL if no thread can be started, or if called from another thread
 * than the main thread: the caller then runs the computation itself. */
struct background *background_start(void (*body)(void *), void *context);

/* Waits until the computation has ended.  Returns ST_OK, ST_INTERRUPTED, or ST_BUSY if the main thread waits only
 * briefly and that time is over. */
int background_wait(struct background *, const char *what, struct status *);

/* TRUE if the computation has ended. */
int background_has_ended(struct background *);

/* Waits for the end and frees the memory; NULL is allowed. */
void background_end(struct background *);

#endif
