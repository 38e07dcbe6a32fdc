#include <stdarg.h>
#include <stdio.h>
#include "status.h"

int fail(struct status *st, enum status_code code, const char *format, ...)
{
    va_list args;

    st->code = code;
    va_start(args, format);
    vsnprintf(st->message, sizeof st->message, format, args);
    va_end(args);
    return code;
}
