#define _DEFAULT_SOURCE /* madvise */
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 1 << 21 };

enum dame_status memory_create_large(size_t size, struct memory *out)
{
    if (size == 0 || size > PTRDIFF_MAX - LARGE_PAGE)
        return DAME_NO_MEMORY;
    const size_t rounded = (size + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    void *plain = size < LARGE_PAGE ? malloc(size) : aligned_alloc(LARGE_PAGE, rounded);
    if (plain == NULL)
        return DAME_NO_MEMORY;
#if defined(MADV_HUGEPAGE)
    if (size >= LARGE_PAGE)
        (void)madvise(plain, rounded, MADV_HUGEPAGE); /* a wish: small pages work as well */
#endif
    *out = (struct memory){.at = plain};
    return DAME_OK;
}

void memory_destroy(struct memory *memory)
{
    free(memory->at);
    *memory = (struct memory){0};
}
