/* The second half of an error: a status says what sort of failure it is, a detail what was found, for example
   "block 12: checksum". It goes into a caller's buffer of DETAIL_MAX bytes, and only on failure. */
#ifndef DAME_BASE_DETAIL_H
#define DAME_BASE_DETAIL_H

#include "base/status.h"

enum { DETAIL_MAX = 256 };

/* Write the text, cut to DETAIL_MAX bytes with the zero, unless `detail` is NULL. Returns `status`. */
enum dame_status detail_fail(char *detail, enum dame_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
