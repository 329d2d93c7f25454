/* The blocks of a slice on a shelf of a store (planes/store.h), as the rows read them: where the content of
   each one is. Blocks that may leave memory are pinned before they are read. */
#ifndef DAME_PLANES_BLOCKS_H
#define DAME_PLANES_BLOCKS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "planes/store.h"

struct block {
    _Atomic(uint64_t *) at; /* its content, while it is pinned */
    size_t words;           /* of one plane */
};

struct blocks {
    uint32_t count;
    bool may_leave; /* a block leaves memory when nobody has pinned it */
    struct block *blocks;
    struct shelf *shelf;
};

/* Where blocks are kept. */
struct blocks_home {
    struct store *store;
    const char *path;  /* of the work file, or NULL: blocks stay in memory */
    uint64_t identity; /* of what the work file holds */
};

/* `words[i]` of one plane of block i, `word_bytes` for each of them. No block is there but those of a work
   file that is there already. DAME_NO_MEMORY, and what shelf_open gives. */
enum dame_status blocks_create(const struct blocks_home *home, uint32_t count, const uint64_t *words,
                               size_t word_bytes, struct blocks *out, char *detail);
void blocks_destroy(struct blocks *blocks, bool remove); /* `remove`: the work file vanishes */

/* What shelf_has, shelf_take, shelf_put, shelf_give_up, shelf_pin, shelf_unpin do. */
bool blocks_has(const struct blocks *blocks, uint32_t block);
enum dame_status blocks_take(struct blocks *blocks, uint32_t block);
enum dame_status blocks_put(struct blocks *blocks, uint32_t block, char *detail);
void blocks_give_up(struct blocks *blocks, uint32_t block);
enum dame_status blocks_pin(const struct blocks *blocks, uint32_t block, char *detail);
void blocks_unpin(const struct blocks *blocks, uint32_t block);
void blocks_prefetch(const struct blocks *blocks, uint32_t block);

static inline uint64_t *blocks_at(const struct blocks *blocks, uint32_t block)
{
    return atomic_load_explicit(&blocks->blocks[block].at, memory_order_relaxed);
}

#endif
