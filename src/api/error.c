#include "api/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "api/missing.h"

dame_status error_fail(struct dame_error *error, dame_status status, const char *format, ...)
{
    if (error == NULL)
        return status;
    const int front = snprintf(error->text, sizeof error->text, "%s", dame_status_text(status));
    char *rest = error->text + front;
    const size_t room = sizeof error->text - (size_t)front;
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(rest + 2, room - 2, format, arguments) > 0)
        memcpy(rest, ": ", 2);
    va_end(arguments);
    return status;
}

dame_status error_from(struct dame_error *error, enum dame_status status, const char *where,
                       const char *detail)
{
    if (status == DAME_OK || error == NULL)
        return public_status(status);
    const int reason = errno;
    char system[128] = "";
    if (status == DAME_IO && detail[0] == '\0' && strerror_r(reason, system, sizeof system) == 0)
        detail = system;
    const char *between = where == NULL || detail[0] == '\0' ? "" : ": ";
    error_fail(error, public_status(status), "%s%s%s", where == NULL ? "" : where, between, detail);
    errno = reason;
    return public_status(status);
}

dame_status error_from_probe(struct dame_error *error, enum dame_status status, const char *where,
                             const struct missing_table *missing, const struct dame_tables *tables,
                             const char *detail)
{
    char text[DAME_ERROR_SIZE];
    if (status == DAME_NO_TABLE && error != NULL)
        detail = missing_text(tables, missing, text);
    return error_from(error, status, where, detail);
}
