#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#endif
#include "planes/span.h"

#include <assert.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t rounded(size_t bytes, size_t to)
{
    return (bytes + to - 1) / to * to;
}

/* Eight sizes from one power of two to the next: a slot wastes an eighth at most. */
static struct slot_shape shared_shape(size_t bytes)
{
    size_t step = SPAN_ALIGNMENT;
    int class = 0;
    while (bytes > 16 * step) {
        step *= 2;
        class += 8;
    }
    return (struct slot_shape){rounded(bytes, step), class + (int)((bytes + step - 1) / step)};
}

struct slot_shape slot_shape(uint64_t size, size_t span_bytes)
{
    const size_t bytes = sizeof(struct slot) + (size_t)size + SPAN_SPARE;
    const struct slot_shape shape = shared_shape(bytes);
    if (shape.bytes <= (span_bytes - sizeof(struct span)) / SPAN_SHARED)
        return shape;
    return (struct slot_shape){rounded(sizeof(struct span) + bytes, (size_t)sysconf(_SC_PAGESIZE)), -1};
}

struct span *span_map(struct slot_shape shape, size_t span_bytes, void *owner)
{
    const size_t bytes = shape.class < 0 ? shape.bytes : span_bytes;
    struct span *span = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (span == MAP_FAILED)
        return NULL;
#if defined(MADV_NOHUGEPAGE)
    if (shape.class >= 0)
        (void)madvise(span, bytes, MADV_NOHUGEPAGE); /* what is not handed out must not take memory */
#endif
    span->owner = owner;
    span->mapped = bytes;
    span->slot_bytes = shape.class < 0 ? bytes - sizeof *span : shape.bytes;
    span->slots_max = shape.class < 0 ? 1 : (uint32_t)((bytes - sizeof *span) / shape.bytes);
    span->class = (int16_t)shape.class;
    assert(shape.class < SPAN_CLASSES && span->slots_max >= 1);
    return span;
}

void span_unmap(struct span *span)
{
    assert(span->live == 0);
    const int failed = munmap(span, span->mapped);
    assert(failed == 0);
    (void)failed;
}

struct slot *span_hand_out(struct span *span, uint32_t block)
{
    assert(!span_is_full(span));
    struct slot *slot = span_slot(span, span->slots++);
    span->live++;
    slot->span = span;
    slot->block = block;
    slot->live = true;
    return slot;
}
