#include "api/status.h"

/* Nothing here raises a cancel flag, so DAME_CANCELLED would be a defect, too. */
static const dame_status PUBLIC[] = {
    [DAME_OK] = DAME_STATUS_OK,
    [DAME_CANCELLED] = DAME_STATUS_INTERNAL,
    [DAME_NO_MEMORY] = DAME_STATUS_NO_MEMORY,
    [DAME_BAD_ARGUMENT] = DAME_STATUS_BAD_ARGUMENT,
    [DAME_BAD_POSITION] = DAME_STATUS_BAD_POSITION,
    [DAME_TOO_LARGE] = DAME_STATUS_TOO_LARGE,
    [DAME_NO_TABLE] = DAME_STATUS_NO_TABLE,
    [DAME_CORRUPT_TABLE] = DAME_STATUS_CORRUPT_TABLE,
    [DAME_WRONG_VARIANT] = DAME_STATUS_WRONG_VARIANT,
    [DAME_IO] = DAME_STATUS_IO,
    [DAME_INCONSISTENT] = DAME_STATUS_INTERNAL,
    [DAME_NOT_SUPPORTED] = DAME_STATUS_NOT_SUPPORTED,
    [DAME_OVERFLOW] = DAME_STATUS_TOO_LARGE,
};
_Static_assert(sizeof PUBLIC / sizeof PUBLIC[0] == DAME_STATUS_COUNT,
               "every status of the core has one here");
_Static_assert(DAME_STATUS_COUNT == 13, "a new status of the core needs a line above");

dame_status public_status(enum dame_status status)
{
    return (unsigned)status < DAME_STATUS_COUNT ? PUBLIC[status] : DAME_STATUS_INTERNAL;
}

static const char *const TEXTS[] = {
    [DAME_STATUS_OK] = "ok",
    [DAME_STATUS_NO_MEMORY] = "out of memory",
    [DAME_STATUS_BAD_ARGUMENT] = "bad argument",
    [DAME_STATUS_BAD_POSITION] = "illegal position",
    [DAME_STATUS_TOO_LARGE] = "too large",
    [DAME_STATUS_NO_TABLE] = "no table",
    [DAME_STATUS_CORRUPT_TABLE] = "damaged table",
    [DAME_STATUS_WRONG_VARIANT] = "table of another rule set",
    [DAME_STATUS_IO] = "input/output error",
    [DAME_STATUS_NOT_SUPPORTED] = "not supported for this rule set",
    [DAME_STATUS_INTERNAL] = "internal error",
};

const char *dame_status_text(dame_status status)
{
    return (unsigned)status < sizeof TEXTS / sizeof TEXTS[0] ? TEXTS[status] : "unknown status";
}
