/* Failures below the R interface are return values.
 *
 * A failure is described once, where it occurs, and returned unchanged.  The R interface completes the message and
 * raises the error as its last action, when no resources remain to be freed.
 */
#ifndef STABLECL_STATUS_H
#define STABLECL_STATUS_H

#include <stdarg.h>
#include <stdio.h>

enum status_code {
    ST_OK = 0,
    ST_MEMORY,
    ST_INTERRUPTED,
    ST_DEVICE,                  /* a failure of a device, or no such device */
    ST_UNSUPPORTED,             /* the backend does not support the job; the CPU runs it, unless a
                                   device that was selected by name must */
    ST_AWAITED,                 /* no failure: the caller must compute a value first */
    ST_BUSY                     /* no failure: a program of a device is still being compiled, and the CPU runs the
                                   job meanwhile */
};

struct status {
    enum status_code code;
    char message[1024];         /* large enough for the end of a build log */
};

/* Records the failure (printf style) in the status and returns its code, so that a caller can write `return
 * fail(st, ST_MEMORY, ...)`. */
static inline int fail(struct status *st, enum status_code code, const char *format, ...)
{
    va_list args;

    st->code = code;
    va_start(args, format);
    vsnprintf(st->message, sizeof st->message, format, args);
    va_end(args);
    return code;
}

#endif
