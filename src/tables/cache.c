#include "tables/cache.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bits.h"
#include "tables/cache_places.h"

enum { COUNTERS = 64 }; /* each for some of the threads */

struct counter {
    _Alignas(CACHE_LINE) atomic_uint_fast64_t hits;
    atomic_uint_fast64_t misses, decoded_bytes, decode_time;
};

struct cache {
    struct cache_places places;
    struct counter counters[COUNTERS];
};

struct cached {
    struct cache *cache;
    const struct table *table;
    int block_shift; /* log2 of the values of a block, */
    int piece_shift; /* of those of a piece, */
    int word_shift;  /* of those of a word, */
    int value_shift; /* and of the bits of a value */
    uint32_t value_mask;
    _Atomic uint32_t places[]; /* of each piece */
};

enum dame_status cache_create(uint64_t limit, struct cache **out)
{
    struct cache *cache = aligned_alloc(CACHE_LINE, sizeof *cache);
    if (cache == NULL)
        return DAME_NO_MEMORY;
    memset(cache, 0, sizeof *cache);
    if (cache_places_create(limit, &cache->places) != DAME_OK) {
        cache_destroy(cache);
        return DAME_NO_MEMORY;
    }
    *out = cache;
    return DAME_OK;
}

void cache_destroy(struct cache *cache)
{
    if (cache == NULL)
        return;
    cache_places_destroy(&cache->places);
    free(cache);
}

enum dame_status cached_create(struct cache *cache, const struct table *table, struct cached **out)
{
    const struct table_header *header = table_header(table);
    const bool packed = header->coding == CODING_VALUES;
    const uint32_t piece = header->block_size < PIECE_BYTES ? header->block_size : (uint32_t)PIECE_BYTES;
    const uint32_t in_block = header->block_size / piece; /* powers of two */
    const uint64_t pieces = (uint64_t)header->block_count * in_block;
    struct cached *cached = NULL;
    if (pieces < SIZE_MAX / sizeof cached->places[0] / 2)
        cached = malloc(sizeof *cached + (size_t)pieces * sizeof cached->places[0]);
    if (cached == NULL)
        return DAME_NO_MEMORY;
    const int per_byte = packed ? 2 : 0; /* log2 of the values of a byte */
    *cached = (struct cached){
        .cache = cache,
        .table = table,
        .block_shift = bit_lowest(header->block_size) + per_byte,
        .piece_shift = bit_lowest(piece) + per_byte,
        .word_shift = packed ? 5 : 3,
        .value_shift = packed ? 1 : 3,
        .value_mask = packed ? 3 : 0xFF,
    };
    for (uint64_t i = 0; i < pieces; i++) {
        const int fill = table_fill(table, (uint32_t)(i / in_block));
        atomic_init(&cached->places[i], fill < 0 ? (uint32_t)NOWHERE : (uint32_t)fill);
    }
    *out = cached;
    return DAME_OK;
}

void cached_destroy(struct cached *cached)
{
    free(cached);
}

/* Threads have stacks of their own, so the address of a variable tells most of them apart. */
static struct counter *counter_of(struct cache *cache)
{
    const char here = 0;
    const uint64_t address = (uint64_t)(uintptr_t)&here;
    return &cache->counters[(address >> 20) * UINT64_C(0x9E3779B97F4A7C15) >> 58];
}

static void count(atomic_uint_fast64_t *counter, uint64_t by)
{
    atomic_fetch_add_explicit(counter, by, memory_order_relaxed);
}

/* Not one atomic addition: that would be a barrier, and keep the processor from working on the next probe
   while this one waits for memory. Threads that share the counter may lose a hit. */
static void count_hit(struct cache *cache)
{
    atomic_uint_fast64_t *hits = &counter_of(cache)->hits;
    atomic_store_explicit(hits, atomic_load_explicit(hits, memory_order_relaxed) + 1, memory_order_relaxed);
}

/* The word of a piece with the value at `index`. */
static uint64_t word_of(const struct cached *cached, const struct place *place, uint64_t index)
{
    const uint64_t in_piece = index & bits_below(cached->piece_shift);
    return in_piece >> cached->word_shift & place->numbers;
}

bool cache_find(const struct cached *cached, uint64_t index, int *value)
{
    const _Atomic uint32_t *holder = &cached->places[index >> cached->piece_shift];
    const uint32_t number = atomic_load_explicit(holder, memory_order_acquire);
    struct place *place = &cached->cache->places.at[number];
    const uint32_t version = atomic_load_explicit(&place->version, memory_order_acquire);
    if (version % 2 != 0)
        return false;
    const uint64_t word =
        atomic_load_explicit(&place->words[word_of(cached, place, index)], memory_order_acquire);
    /* Whoever reads a word of another piece sees that it has come, or is coming. */
    if (atomic_load_explicit(holder, memory_order_acquire) != number ||
        atomic_load_explicit(&place->version, memory_order_relaxed) != version)
        return false;
    if (atomic_load_explicit(&place->used, memory_order_relaxed) == 0)
        atomic_store_explicit(&place->used, 1, memory_order_relaxed);
    const uint64_t in_word = index & bits_below(cached->word_shift);
    *value = (int)((uint32_t)(word >> (in_word << cached->value_shift)) & cached->value_mask);
    count_hit(cached->cache);
    return true;
}

static uint64_t nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

static enum dame_status read_and_keep(struct cached *cached, uint64_t index, uint8_t *bytes, int *value,
                                      char *detail)
{
    const struct table_header *header = table_header(cached->table);
    const uint32_t block = (uint32_t)(index >> cached->block_shift);
    const uint64_t start = nanoseconds();
    const enum dame_status status = table_read(cached->table, block, bytes, detail);
    if (status != DAME_OK)
        return status;
    *value = layout_value(header, bytes, index & bits_below(cached->block_shift));
    const size_t size = layout_block_bytes(header, block);
    uint64_t piece = (uint64_t)block << (cached->block_shift - cached->piece_shift);
    for (size_t at = 0; at < size; at += PIECE_BYTES, piece++)
        cache_places_keep(&cached->cache->places, &cached->places[piece], bytes + at,
                          size - at < PIECE_BYTES ? size - at : PIECE_BYTES);
    struct counter *counter = counter_of(cached->cache);
    count(&counter->misses, 1);
    count(&counter->decoded_bytes, size);
    count(&counter->decode_time, nanoseconds() - start);
    return DAME_OK;
}

/* The block is on the heap: the stack may be small. */
static __attribute__((noinline)) enum dame_status miss(struct cached *cached, uint64_t index, int *value,
                                                       char *detail)
{
    uint8_t *bytes = malloc(TABLE_BLOCK_MAX);
    if (bytes == NULL)
        return DAME_NO_MEMORY;
    const enum dame_status status = read_and_keep(cached, index, bytes, value, detail);
    free(bytes);
    return status;
}

enum dame_status cache_value(struct cached *cached, uint64_t index, int *value, char *detail)
{
    assert(index < table_header(cached->table)->values);
    return cache_find(cached, index, value) ? DAME_OK : miss(cached, index, value, detail);
}

void cache_prefetch(const struct cached *cached, uint64_t index)
{
    const uint32_t number =
        atomic_load_explicit(&cached->places[index >> cached->piece_shift], memory_order_acquire);
    const struct place *place = &cached->cache->places.at[number];
    __builtin_prefetch((const void *)&place->words[word_of(cached, place, index)]);
}

struct cache_statistics cache_statistics(const struct cache *cache)
{
    struct cache_statistics sum = {.kept_bytes = atomic_load(&cache->places.kept)};
    for (int i = 0; i < COUNTERS; i++) {
        sum.hits += atomic_load(&cache->counters[i].hits);
        sum.misses += atomic_load(&cache->counters[i].misses);
        sum.decoded_bytes += atomic_load(&cache->counters[i].decoded_bytes);
        sum.decode_time += atomic_load(&cache->counters[i].decode_time);
    }
    return sum;
}
