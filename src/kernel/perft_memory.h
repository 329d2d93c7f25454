/* Leaves below positions that perft has met: checkers transposes so much that remembering them saves more
   than nine tenths of the work of every four plies. An entry holds the whole position, so none is ever
   taken for another. */
#ifndef DAME_KERNEL_PERFT_MEMORY_H
#define DAME_KERNEL_PERFT_MEMORY_H

#include <stdatomic.h>
#include <string.h>

#include "base/count.h"
#include "base/memory.h"
#include "base/tree.h"
#include "kernel/board_position.h"

enum { PERFT_MEMORY_DEPTH = 4 /* below that counting is as quick as looking it up */ };

struct perft_entry {
    word own, other, kings;
    uint64_t low;                 /* 64 bits of the leaves */
    uint64_t high_depth_and_side; /* 48 more bits of the leaves; depth and side in the low bits; 0: empty */
};

enum { PERFT_DEPTH_BITS = 16, PERFT_LEAVES_BITS = 128 - PERFT_DEPTH_BITS };
_Static_assert(2 * TREE_DEPTH_MAX + 1 < 1 << PERFT_DEPTH_BITS, "depth and side fit");

/* The first entry of a pair is the deepest one met, the second one the latest. */
struct perft_memory {
    struct memory memory;
    struct perft_entry *entries; /* NULL: nothing is remembered */
    uint64_t pairs;
};

enum { PERFT_MEMORY_CLEARED = 1 << 26 /* bytes at a time, between two looks at the flag */ };

/* `bytes` of memory, 0: none. DAME_NO_MEMORY; DAME_CANCELLED soon after *cancel became true. */
static enum dame_status perft_memory_create(uint64_t bytes, const atomic_bool *cancel,
                                            struct perft_memory *out)
{
    *out = (struct perft_memory){.pairs = bytes / (2 * sizeof *out->entries)};
    if (out->pairs == 0)
        return DAME_OK;
    if (bytes > SIZE_MAX)
        return DAME_NO_MEMORY;
    const enum dame_status status = memory_create_large((size_t)bytes, &out->memory);
    if (status != DAME_OK)
        return status;
    out->entries = out->memory.at;
    char *at = out->memory.at;
    for (size_t left = (size_t)bytes, part; left > 0; left -= part, at += part) {
        part = left < PERFT_MEMORY_CLEARED ? left : PERFT_MEMORY_CLEARED;
        memset(at, 0, part);
        if (cancel != NULL && atomic_load_explicit(cancel, memory_order_relaxed)) {
            memory_destroy(&out->memory);
            return DAME_CANCELLED;
        }
    }
    return DAME_OK;
}

static inline struct perft_entry *perft_memory_pair(const struct perft_memory *memory,
                                                    const struct board_position *position,
                                                    uint32_t depth_and_side)
{
    uint64_t hash = position->own * UINT64_C(0x9E3779B97F4A7C15) ^
                    position->other * UINT64_C(0xC2B2AE3D27D4EB4F) ^
                    (position->kings + depth_and_side) * UINT64_C(0x165667B19E3779F9);
    hash ^= hash >> 32;
    hash *= UINT64_C(0xD6E8FEB86659FD93);
    return &memory->entries[2 * (uint64_t)(((unsigned __int128)hash * memory->pairs) >> 64)];
}

static inline uint32_t perft_entry_depth_and_side(const struct perft_entry *entry)
{
    return (uint32_t)(entry->high_depth_and_side & bits_below(PERFT_DEPTH_BITS));
}

static inline bool perft_entry_is(const struct perft_entry *entry, const struct board_position *position,
                                  uint32_t depth_and_side)
{
    return perft_entry_depth_and_side(entry) == depth_and_side && entry->own == position->own &&
           entry->other == position->other && entry->kings == position->kings;
}

/* Whether the leaves are known. */
static inline bool perft_memory_find(const struct perft_entry *pair, const struct board_position *position,
                                     uint32_t depth_and_side, leaf_count *leaves)
{
    for (int i = 0; i < 2; i++)
        if (perft_entry_is(&pair[i], position, depth_and_side)) {
            *leaves = (leaf_count)(pair[i].high_depth_and_side >> PERFT_DEPTH_BITS) << 64 | pair[i].low;
            return true;
        }
    return false;
}

/* Does nothing if there are too many leaves for an entry: few plies near the root have so many. */
static inline void perft_memory_keep(struct perft_entry *pair, const struct board_position *position,
                                     uint32_t depth_and_side, leaf_count leaves)
{
    if (leaves >> PERFT_LEAVES_BITS != 0)
        return;
    pair[depth_and_side >= perft_entry_depth_and_side(&pair[0]) ? 0 : 1] = (struct perft_entry){
        .own = position->own,
        .other = position->other,
        .kings = position->kings,
        .low = count_low(leaves),
        .high_depth_and_side = count_high(leaves) << PERFT_DEPTH_BITS | depth_and_side,
    };
}

#endif
