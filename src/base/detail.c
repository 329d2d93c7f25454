#include "base/detail.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

enum dame_status detail_fail(char *detail, enum dame_status status, const char *format, ...)
{
    if (detail != NULL) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(detail, DETAIL_MAX, format, arguments);
        va_end(arguments);
    }
    return status;
}
