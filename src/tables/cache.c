#include "tables/cache.h"

#include <assert.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    WAYS = 8,
    PIECE_SHIFT = 11,
    PIECE_BYTES = 1
        << PIECE_SHIFT, /* of a block at a place: most blocks of win, draw and loss have no more */
    PIECE_WORDS = PIECE_BYTES / 8,
    COUNTERS = 16, /* each for some of the threads */
    LINE = 64      /* bytes of a cache line */
};

enum { SETS_MAX = 1 << 23 }; /* 128 GiB: more than that is not a limit */

/* The administration of one set; its first line is all that a hit reads besides the block. */
struct set {
    _Alignas(LINE) _Atomic uint64_t keys[WAYS]; /* 0: no block there */
    _Alignas(LINE) _Atomic uint32_t versions[WAYS];
    _Atomic uint8_t used[WAYS];         /* since the last search for a place */
    atomic_flag lock;                   /* of the places, for writers */
    uint8_t hand;                       /* where the next search begins */
    _Atomic(_Atomic uint64_t *) blocks; /* [way][PIECE_WORDS]; NULL before the first one is kept */
};

struct counter {
    _Alignas(LINE) atomic_uint_fast64_t hits;
    atomic_uint_fast64_t misses, decoded_bytes, decode_time;
};

struct cache {
    uint32_t ways;      /* of each set; 0: there is no place at all */
    uint32_t set_count; /* a power of two */
    struct set *sets;
    atomic_uint_fast64_t kept;
    struct counter counters[COUNTERS];
};

enum { PLACE_BYTES = PIECE_BYTES + (sizeof(struct set) + WAYS - 1) / WAYS };

enum dame_status cache_create(uint64_t limit, struct cache **out)
{
    struct cache *cache = aligned_alloc(LINE, sizeof *cache);
    if (cache == NULL)
        return DAME_NO_MEMORY;
    memset(cache, 0, sizeof *cache);
    const uint64_t places = limit / PLACE_BYTES;
    cache->ways = places < WAYS ? (uint32_t)places : WAYS;
    cache->set_count = 1;
    while (cache->set_count < SETS_MAX && (uint64_t)cache->set_count * 2 * WAYS <= places)
        cache->set_count *= 2;
    cache->sets = aligned_alloc(LINE, cache->set_count * sizeof *cache->sets);
    if (cache->sets == NULL) {
        cache_destroy(cache);
        return DAME_NO_MEMORY;
    }
    memset((void *)cache->sets, 0, cache->set_count * sizeof *cache->sets);
    for (uint32_t i = 0; i < cache->set_count; i++)
        atomic_flag_clear(&cache->sets[i].lock);
    *out = cache;
    return DAME_OK;
}

void cache_destroy(struct cache *cache)
{
    if (cache == NULL)
        return;
    for (uint32_t i = 0; i < cache->set_count && cache->sets != NULL; i++)
        free((void *)atomic_load(&cache->sets[i].blocks));
    free(cache->sets);
    free(cache);
}

/* Threads have stacks of their own, so the address of a variable tells most of them apart. */
static struct counter *counter_of(struct cache *cache)
{
    const char here = 0;
    const uint64_t address = (uint64_t)(uintptr_t)&here;
    return &cache->counters[(address >> 20) * UINT64_C(0x9E3779B97F4A7C15) >> 60];
}

static void count(atomic_uint_fast64_t *counter, uint64_t by)
{
    atomic_fetch_add_explicit(counter, by, memory_order_relaxed);
}

/* Neighbouring blocks go to different sets (Fibonacci hashing, the high bits are the good ones). */
static struct set *set_of(const struct cache *cache, uint64_t key)
{
    return &cache->sets[(key * UINT64_C(0x9E3779B97F4A7C15)) >> 32 & (cache->set_count - 1)];
}

static _Atomic uint64_t *block_at(const struct set *set, uint32_t way)
{
    return atomic_load_explicit(&set->blocks, memory_order_relaxed) + (size_t)way * PIECE_WORDS;
}

/* Where a value stands. */
struct target {
    uint64_t key;
    uint32_t block;
    uint32_t place; /* of the value in its piece */
};

/* Log2 of the bytes of a piece; block sizes are powers of two as well. */
static int piece_shift(const struct table_header *header)
{
    return header->block_size < PIECE_BYTES ? __builtin_ctz(header->block_size) : PIECE_SHIFT;
}

static uint64_t key_of(uint32_t number, uint64_t piece)
{
    return ((uint64_t)number << 32 | piece) + 1;
}

static struct target target_of(const struct table_header *header, uint32_t number, uint64_t index)
{
    const int per_byte = layout_values_per_byte(header) == 1 ? 0 : 2; /* log2 */
    const int shift = piece_shift(header) + per_byte;
    const uint64_t piece = index >> shift;
    const int in_block = __builtin_ctz(header->block_size) - piece_shift(header);
    return (struct target){key_of(number, piece), (uint32_t)(piece >> in_block),
                           (uint32_t)(index & ((UINT64_C(1) << shift) - 1))};
}

/* The byte with the value, from the words in which blocks are kept. */
static int value_in(const struct table_header *header, const _Atomic uint64_t *words, uint32_t place)
{
    const bool packed = header->coding == CODING_WDL;
    const uint32_t byte = packed ? place / VALUES_PER_BYTE : place;
    const uint64_t word = atomic_load_explicit(&words[byte / 8], memory_order_acquire);
    uint8_t bytes[8];
    memcpy(bytes, &word, sizeof word);
    return packed ? bytes[byte % 8] >> place % VALUES_PER_BYTE * 2 & 3 : bytes[byte % 8];
}

static bool find(struct cache *cache, const struct table_header *header, struct target target, int *value)
{
    struct set *set = set_of(cache, target.key);
    for (uint32_t way = 0; way < cache->ways; way++) {
        if (atomic_load_explicit(&set->keys[way], memory_order_relaxed) != target.key)
            continue;
        const uint32_t version = atomic_load_explicit(&set->versions[way], memory_order_acquire);
        if (version % 2 != 0 || atomic_load_explicit(&set->keys[way], memory_order_acquire) != target.key)
            return false;
        const int found = value_in(header, block_at(set, way), target.place);
        if (atomic_load_explicit(&set->versions[way], memory_order_relaxed) != version)
            return false; /* it was replaced meanwhile */
        if (atomic_load_explicit(&set->used[way], memory_order_relaxed) == 0)
            atomic_store_explicit(&set->used[way], 1, memory_order_relaxed);
        *value = found;
        return true;
    }
    return false;
}

/* A place that is empty, or whose block was not used since the last search. */
static uint32_t choose_way(const struct cache *cache, struct set *set)
{
    for (uint32_t way = 0; way < cache->ways; way++)
        if (atomic_load_explicit(&set->keys[way], memory_order_relaxed) == 0)
            return way;
    for (;;) {
        const uint32_t way = set->hand;
        set->hand = (uint8_t)((way + 1) % cache->ways);
        if (atomic_exchange_explicit(&set->used[way], 0, memory_order_relaxed) == 0)
            return way;
    }
}

static bool is_kept(const struct cache *cache, const struct set *set, uint64_t key)
{
    for (uint32_t way = 0; way < cache->ways; way++)
        if (atomic_load_explicit(&set->keys[way], memory_order_relaxed) == key)
            return true;
    return false;
}

/* Memory for the places of a set, taken when the first block comes. */
static bool has_blocks(const struct cache *cache, struct set *set)
{
    if (atomic_load_explicit(&set->blocks, memory_order_relaxed) == NULL)
        atomic_store_explicit(&set->blocks, calloc(cache->ways, PIECE_BYTES), memory_order_relaxed);
    return atomic_load_explicit(&set->blocks, memory_order_relaxed) != NULL;
}

/* With the set locked. Whoever sees one of the stores with release sees the odd version as well. */
static void replace(struct cache *cache, struct set *set, uint64_t key, const uint8_t *bytes, size_t size)
{
    const uint32_t way = choose_way(cache, set);
    if (atomic_load_explicit(&set->keys[way], memory_order_relaxed) == 0)
        count(&cache->kept, PLACE_BYTES);
    const uint32_t version = atomic_load_explicit(&set->versions[way], memory_order_relaxed);
    atomic_store_explicit(&set->versions[way], version + 1, memory_order_relaxed);
    atomic_store_explicit(&set->keys[way], key, memory_order_release);
    _Atomic uint64_t *words = block_at(set, way);
    for (size_t at = 0; at < size; at += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + at, size - at < 8 ? size - at : 8);
        atomic_store_explicit(&words[at / 8], word, memory_order_release);
    }
    atomic_store_explicit(&set->used[way], 1, memory_order_relaxed);
    atomic_store_explicit(&set->versions[way], version + 2, memory_order_release);
}

/* Keep a block that has just been decoded. Another thread that works on the same set copies one block. */
static void keep(struct cache *cache, uint64_t key, const uint8_t *bytes, size_t size)
{
    if (cache->ways == 0)
        return;
    struct set *set = set_of(cache, key);
    while (atomic_flag_test_and_set_explicit(&set->lock, memory_order_acquire))
        sched_yield();
    if (!is_kept(cache, set, key) && has_blocks(cache, set))
        replace(cache, set, key, bytes, size);
    atomic_flag_clear_explicit(&set->lock, memory_order_release);
}

static uint64_t nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

/* In a frame of its own: the block is large. */
static __attribute__((noinline)) enum dame_status miss(struct cache *cache, const struct table *table,
                                                       struct target target, int *value, char *detail)
{
    _Alignas(8) uint8_t bytes[TABLE_BLOCK_MAX];
    const struct table_header *header = table_header(table);
    const uint64_t start = nanoseconds();
    const enum dame_status status = table_read(table, target.block, bytes, detail);
    if (status != DAME_OK)
        return status;
    const uint32_t size = layout_block_bytes(header, target.block), step = 1U << piece_shift(header);
    const uint32_t pieces = header->block_size / step;
    const uint64_t first =
        target.key - (target.key - 1) % pieces; /* tables begin at multiples of any number of pieces */
    *value = layout_value(header, bytes + (size_t)(target.key - first) * step, target.place);
    for (uint32_t at = 0; at < size; at += step)
        keep(cache, first + at / step, bytes + at, size - at < step ? size - at : step);
    struct counter *counter = counter_of(cache);
    count(&counter->misses, 1);
    count(&counter->decoded_bytes, size);
    count(&counter->decode_time, nanoseconds() - start);
    return DAME_OK;
}

enum dame_status cache_value(struct cache *cache, const struct table *table, uint32_t number, uint64_t index,
                             int *value, char *detail)
{
    const struct table_header *header = table_header(table);
    assert(index < header->values);
    const struct target target = target_of(header, number, index);
    const int fill = table_fill(table, target.block);
    if (fill >= 0)
        *value = header->coding == CODING_WDL ? fill & 3 : fill;
    else if (!find(cache, header, target, value))
        return miss(cache, table, target, value, detail);
    count(&counter_of(cache)->hits, 1);
    return DAME_OK;
}

void cache_prefetch(const struct cache *cache, const struct table *table, uint32_t number, uint64_t index)
{
    const struct table_header *header = table_header(table);
    const struct target target = target_of(header, number, index);
    if (table_fill(table, target.block) >= 0)
        return;
    const struct set *set = set_of(cache, target.key);
    for (uint32_t way = 0; way < cache->ways; way++)
        if (atomic_load_explicit(&set->keys[way], memory_order_relaxed) == target.key) {
            const uint32_t per_word = 8 * (uint32_t)layout_values_per_byte(header);
            __builtin_prefetch((const void *)&block_at(set, way)[target.place / per_word]);
            return;
        }
}

struct cache_statistics cache_statistics(const struct cache *cache)
{
    struct cache_statistics sum = {.kept_bytes = atomic_load(&cache->kept)};
    for (int i = 0; i < COUNTERS; i++) {
        sum.hits += atomic_load(&cache->counters[i].hits);
        sum.misses += atomic_load(&cache->counters[i].misses);
        sum.decoded_bytes += atomic_load(&cache->counters[i].decoded_bytes);
        sum.decode_time += atomic_load(&cache->counters[i].decode_time);
    }
    return sum;
}
