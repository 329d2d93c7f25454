/* Large memory for random access. */
#ifndef DAME_BASE_MEMORY_H
#define DAME_BASE_MEMORY_H

#include <stddef.h>

#include "base/status.h"

struct memory {
    void *at;
};

/* `size` bytes of no particular content, in large pages where the system has them: small pages make random
   access to much memory twice as slow. DAME_NO_MEMORY. */
enum dame_status memory_create_large(size_t size, struct memory *out);

void memory_destroy(struct memory *memory); /* of all zeros is allowed */

#endif
