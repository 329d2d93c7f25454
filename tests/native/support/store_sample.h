/* Shelves for the tests: blocks of every form, and a codec of runs of words. */
#ifndef DAME_TESTS_STORE_SAMPLE_H
#define DAME_TESTS_STORE_SAMPLE_H

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "planes/store.h"

/* Pairs of a length and a word. */
static inline void runs_pack(const void *bytes, struct pack_form form, void *scratch, void *out,
                             size_t capacity, size_t *packed)
{
    const size_t size = form.size;
    (void)scratch;
    const uint64_t *words = bytes;
    uint8_t *to = out;
    size_t written = 0;
    *packed = 0;
    for (size_t i = 0; i < size / 8; written += 9) {
        size_t run = 1;
        while (i + run < size / 8 && run < 255 && words[i + run] == words[i])
            run++;
        if (capacity - written < 9)
            return;
        to[written] = (uint8_t)run;
        store_u64(to + written + 1, words[i]);
        i += run;
    }
    *packed = written;
}

static inline bool runs_unpack(const void *packed, size_t packed_size, void *scratch, void *out, size_t size)
{
    (void)scratch;
    const uint8_t *from = packed;
    uint64_t *words = out;
    size_t filled = 0;
    for (size_t at = 0; at < packed_size; at += 9) {
        if (packed_size - at < 9 || from[at] > size / 8 - filled)
            return false;
        for (size_t run = from[at]; run > 0; run--)
            words[filled++] = load_u64(from + at + 1);
    }
    return filled == size / 8;
}

static const struct store_codec RUNS = {0, runs_pack, runs_unpack};

/* What word `i` of a block holds: blocks of one word, of runs, of words without an order, of zeros. */
static inline uint64_t sample_word(uint32_t block, unsigned version, size_t i)
{
    const uint64_t seed = hash_number(block * UINT64_C(1000003) + version);
    switch ((block + version) % 4) {
    case 0:
        return seed;
    case 1:
        return seed ^ hash_number(i / 40 % 3);
    case 2:
        return hash_number(seed ^ i);
    default:
        return 0;
    }
}

static inline void sample_fill(void *content, uint64_t size, uint32_t block, unsigned version)
{
    for (size_t i = 0; i < size / 8; i++)
        ((uint64_t *)content)[i] = sample_word(block, version, i);
}

/* Whether it is that block, with nothing behind it. */
static inline bool sample_is(const void *content, uint64_t size, uint32_t block, unsigned version)
{
    const uint64_t *words = content;
    for (size_t i = 0; i < size / 8; i++)
        if (words[i] != sample_word(block, version, i))
            return false;
    return words[size / 8] == 0 && (uintptr_t)content % SPAN_ALIGNMENT == 0;
}

static inline enum dame_status sample_put(struct shelf *shelf, uint32_t block, uint64_t size,
                                          unsigned version, char *detail)
{
    void *content;
    enum dame_status status = shelf_take(shelf, block, &content);
    if (status != DAME_OK)
        return status;
    sample_fill(content, size, block, version);
    status = shelf_put(shelf, block, detail);
    if (status != DAME_OK)
        shelf_give_up(shelf, block);
    return status;
}

/* Whether the block can be pinned and is the one that was put. */
static inline bool sample_check(struct shelf *shelf, uint32_t block, uint64_t size, unsigned version)
{
    const void *content;
    if (!shelf_has(shelf, block) || shelf_pin(shelf, block, &content, NULL) != DAME_OK)
        return false;
    const bool right = sample_is(content, size, block, version);
    shelf_unpin(shelf, block);
    return right;
}

#endif
