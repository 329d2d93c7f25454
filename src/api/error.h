/* The text of a failure: "status: what was found", one line. */
#ifndef DAME_API_ERROR_H
#define DAME_API_ERROR_H

#include "api/status.h"
#include "probe/library.h"

static inline void error_clear(struct dame_error *error)
{
    if (error != NULL)
        error->text[0] = '\0';
}

/* Write the text unless `error` is NULL. An empty text leaves the status alone. Returns `status`. */
dame_status error_fail(struct dame_error *error, dame_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A failure of the core at `where` (a path, a move; NULL: nowhere). errno is kept, and its text written for
   DAME_IO without a detail. */
dame_status error_from(struct dame_error *error, enum dame_status status, const char *where,
                       const char *detail);

/* The same for a probe: DAME_NO_TABLE says which file is missing, and where (missing.h). */
dame_status error_from_probe(struct dame_error *error, enum dame_status status, const char *where,
                             const struct missing_table *missing, const struct dame_tables *tables,
                             const char *detail);

#endif
