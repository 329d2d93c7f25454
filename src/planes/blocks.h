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
    struct store *store;
};

/* Where blocks are kept. */
struct blocks_home {
    struct store *store;
    const char *path;  /* of the work file, or NULL: blocks stay in memory, or are in parts */
    bool in_parts;     /* which are added and made by the functions below */
    uint64_t identity; /* of what the work files hold */
};

/* What blocks are packed with: planes/pack.h. */
extern const struct store_codec PACK_CODEC;

struct block_plan {
    size_t words, row_words; /* of a plane, and of one of its rows */
};

/* A block of so many planes for each of the `plans`, with a byte for each bit of a plane if it has distances.
   No block is there but those of a work file that is there already; one that is damaged, or belongs to
   something else, is made anew. DAME_NO_MEMORY, and what shelf_open gives.

   What is wrong with a work file is noted in the store (store_note_failure), here and below. */
enum dame_status blocks_create(const struct blocks_home *home, uint32_t count, const struct block_plan *plans,
                               int planes, bool distances, struct blocks *out);
void blocks_destroy(struct blocks *blocks, bool remove); /* `remove`: the work file vanishes */

/* What shelf_add_part, shelf_begin_part, shelf_seal_part do. */
enum dame_status blocks_add_part(struct blocks *blocks, const char *path, uint64_t *note);
enum dame_status blocks_begin_part(struct blocks *blocks, const char *path);
enum dame_status blocks_seal_part(struct blocks *blocks, uint64_t note, const char *path);

/* What shelf_has, shelf_take, shelf_put, shelf_give_up, shelf_pin, shelf_unpin do. */
bool blocks_has(const struct blocks *blocks, uint32_t block);
enum dame_status blocks_take(struct blocks *blocks, uint32_t block);
enum dame_status blocks_put(struct blocks *blocks, uint32_t block);
void blocks_give_up(struct blocks *blocks, uint32_t block);
enum dame_status blocks_pin(const struct blocks *blocks, uint32_t block);
void blocks_unpin(const struct blocks *blocks, uint32_t block);
void blocks_prefetch(const struct blocks *blocks, uint32_t block);

static inline uint64_t *blocks_at(const struct blocks *blocks, uint32_t block)
{
    return atomic_load_explicit(&blocks->blocks[block].at, memory_order_relaxed);
}

#endif
