/* base/status.h: below the R side a failure is a value.
 *
 * It is written once, where it happens, and passed up unchanged; the R side
 * words it and raises it as its last act, when nothing is left to free.
 */
#ifndef STABLECL_STATUS_H
#define STABLECL_STATUS_H

enum status_code { ST_OK = 0, ST_MEMORY, ST_INTERRUPTED };

struct status {
    enum status_code code;
    char message[256];
};

/* Describes the failure (printf style) and returns its code, so that a caller
 * can write `return fail(st, ST_MEMORY, ...)`. */
int fail(struct status *st, enum status_code code, const char *format, ...);

#endif
