/* Memory for unpacked blocks, straight from the system and back to it as soon as nothing needs it.

   A span is one mapping with slots of one size, one for each block; a large block has a span of its own.
   Small blocks share one, so that they cost neither a call of the system each, nor a whole page, nor so many
   mappings that the system refuses more. Slots are handed out in order and never again. Whoever wants memory
   back takes it span by span: the blocks of one came at about the same time, and go together.

       head of the span | head of slot 0 | block, SPARE zero bytes | head of slot 1 | block ...

   Nothing here takes a lock. */
#ifndef DAME_PLANES_SPAN_H
#define DAME_PLANES_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SPAN_ALIGNMENT = 64,  /* of every block */
    SPAN_SPARE = 8,       /* zero bytes behind every block */
    SPAN_LEAST = 1 << 17, /* bytes of a span that blocks share */
    SPAN_SHARED = 4,      /* so many slots or more are in it */
    SPAN_CLASSES = 256    /* sizes of slots in spans that blocks share */
};

struct span {
    _Alignas(SPAN_ALIGNMENT) void *owner; /* the shelf of all its blocks */
    struct span *newer, *older;           /* among those of a store */
    size_t mapped;                        /* bytes of the whole */
    size_t slot_bytes;
    uint32_t slots, slots_max; /* handed out, and at most */
    uint32_t live;             /* slots whose block is in them */
    int16_t class;             /* of its slots; -1: has one block alone */
    bool aside;                /* in no list, until one of its blocks is unpinned */
};

struct slot {
    _Alignas(SPAN_ALIGNMENT) struct span *span;
    uint32_t block;
    bool live;
};

_Static_assert(sizeof(struct span) == SPAN_ALIGNMENT && sizeof(struct slot) == SPAN_ALIGNMENT,
               "blocks are aligned behind them");

/* What a block of `size` bytes takes. */
struct slot_shape {
    size_t bytes; /* of its slot, and of the span if that is its own */
    int class;    /* -1: has a span of its own */
};

/* `span_bytes`: of spans that blocks share. */
struct slot_shape slot_shape(uint64_t size, size_t span_bytes);

/* A span of zeros without a block; NULL: no memory. */
struct span *span_map(struct slot_shape shape, size_t span_bytes, void *owner);
void span_unmap(struct span *span);

/* Bytes that it takes so far: what lies behind the last slot was never touched. */
static inline size_t span_bytes(const struct span *span)
{
    return span->class < 0 ? span->mapped : sizeof *span + span->slots * span->slot_bytes;
}

static inline struct slot *span_slot(const struct span *span, uint32_t number)
{
    return (struct slot *)(void *)((char *)(uintptr_t)span + sizeof *span + number * span->slot_bytes);
}

/* The next slot, for a block that is live from now on; the span must not be full. */
struct slot *span_hand_out(struct span *span, uint32_t block);

static inline bool span_is_full(const struct span *span)
{
    return span->slots == span->slots_max;
}

static inline void *slot_content(struct slot *slot)
{
    return slot + 1;
}

static inline struct slot *slot_of(const void *content)
{
    return (struct slot *)(uintptr_t)content - 1;
}

#endif
