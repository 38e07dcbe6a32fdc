/* Below the R side a failure is a value.
 *
 * It is written once, where it happens, and passed up unchanged; the R side
 * words it and raises it as its last act, when nothing is left to free.
 */
#ifndef STABLECL_STATUS_H
#define STABLECL_STATUS_H

enum status_code {
    ST_OK = 0,
    ST_MEMORY,
    ST_INTERRUPTED,
    ST_DEVICE,                  /* anything that went wrong on a device, or is no device */
    ST_UNSUPPORTED,             /* a job that a backend does not do: the CPU does it */
    ST_AWAITED                  /* nothing went wrong: an answer is awaited */
};

struct status {
    enum status_code code;
    char message[1024];         /* has room for the end of a build log */
};

/* Describes the failure (printf style) and returns its code, so that a caller
 * can write `return fail(st, ST_MEMORY, ...)`. */
int fail(struct status *st, enum status_code code, const char *format, ...);

#endif
