/* Large zeroed memory, either plain or backed by a file without a name, whose pages can leave memory and
   come back. */
#ifndef DAME_BASE_MEMORY_H
#define DAME_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct memory {
    void *at;
    size_t size;
    bool in_file;
};

/* `size` zero bytes; in a file in `directory` unless that is NULL. The file has no name and vanishes with the
   process. DAME_NO_MEMORY; DAME_IO if the file cannot be made that large (errno says why). */
enum dame_status memory_create(size_t size, const char *directory, struct memory *out);

/* `size` bytes of no particular content, in large pages where the system has them: for random access to much
   memory, which small pages make twice as slow. DAME_NO_MEMORY. */
enum dame_status memory_create_large(size_t size, struct memory *out);

void memory_destroy(struct memory *memory); /* of all zeros is allowed */

/* Let the pages of a file leave the process; their content stays. Does nothing to plain memory. */
void memory_release(const struct memory *memory);

#endif
