#include "base/status.h"

static const char *const TEXTS[DAME_STATUS_COUNT] = {
    [DAME_OK] = "ok",
    [DAME_CANCELLED] = "cancelled",
    [DAME_NO_MEMORY] = "out of memory",
    [DAME_BAD_ARGUMENT] = "argument out of range",
    [DAME_BAD_POSITION] = "illegal position",
    [DAME_TOO_LARGE] = "size out of range",
    [DAME_NO_TABLE] = "no table covers the position",
    [DAME_CORRUPT_TABLE] = "damaged table",
    [DAME_WRONG_VARIANT] = "table of another rule set",
    [DAME_IO] = "input/output error",
    [DAME_INCONSISTENT] = "inconsistent result",
    [DAME_NOT_SUPPORTED] = "not supported for this rule set",
    [DAME_OVERFLOW] = "the count does not fit into 128 bits",
};

const char *status_text(enum dame_status status)
{
    if ((unsigned)status >= DAME_STATUS_COUNT)
        return "unknown status";
    return TEXTS[status];
}
