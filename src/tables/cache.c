#include "tables/cache.h"

#include <assert.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bits.h"
#include "base/bytes.h"
#include "base/memory.h"

enum {
    COUNTERS = 64, /* each for some of the threads */
    LINE = 64      /* bytes of a cache line */
};

/* Places by number. The first stand for blocks that are one byte throughout, and whatever is read there is
   that byte; in the next nothing is ever found; then come those with memory for a piece of a block. */
enum { NOWHERE = 256, FIRST_PLACE, PLACES_MAX = 1 << 26 /* 128 GiB: more than that is not a limit */ };

/* Blocks have different sizes, places one: a large block is kept in pieces. */
enum { PIECE_BYTES = 2048 };

struct place {
    _Alignas(32) _Atomic uint32_t version;
    _Atomic uint8_t used;     /* since the last search for a place */
    uint32_t numbers;         /* bits of the number of a word that count: all, or none */
    _Atomic uint64_t *words;  /* of the piece, values from the lowest bits on */
    _Atomic uint32_t *holder; /* the number of this place stands there; NULL: it was never used */
};

enum { PLACE_BYTES = PIECE_BYTES + sizeof(struct place) };

/* Memory of some places, a large page: pieces are kept side by side. */
enum { CHUNK_PLACES = (1 << 21) / PIECE_BYTES };

struct chunk {
    struct chunk *next;
    struct memory memory;
};

struct counter {
    _Alignas(LINE) atomic_uint_fast64_t hits;
    atomic_uint_fast64_t misses, decoded_bytes, decode_time;
};

struct cache {
    struct place *places;
    void *memory;         /* of `places` */
    atomic_flag lock;     /* of the choice of a place, for writers, and of what follows up to `chunks` */
    uint32_t unused, end; /* the first place that was never used, and the end of all that there may be */
    uint32_t hand;        /* where the next search begins */
    struct chunk *chunks;
    atomic_uint_fast64_t kept;
    struct counter counters[COUNTERS];
    _Atomic uint64_t fills[NOWHERE + 1];
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

static void set_fixed_places(struct cache *cache)
{
    for (uint32_t i = 0; i <= NOWHERE; i++) {
        struct place *place = &cache->places[i];
        atomic_init(&cache->fills[i], i % NOWHERE * UINT64_C(0x0101010101010101));
        atomic_init(&place->version, i == NOWHERE);
        atomic_init(&place->used, 1);
        place->words = &cache->fills[i];
    }
}

enum dame_status cache_create(uint64_t limit, struct cache **out)
{
    struct cache *cache = aligned_alloc(LINE, sizeof *cache);
    if (cache == NULL)
        return DAME_NO_MEMORY;
    memset(cache, 0, sizeof *cache);
    atomic_flag_clear(&cache->lock);
    const uint64_t places = limit / PLACE_BYTES;
    cache->unused = cache->hand = FIRST_PLACE;
    cache->end = FIRST_PLACE + (uint32_t)(places < PLACES_MAX ? places : PLACES_MAX);
    /* calloc: what is never used takes no memory. No place shall stand on two lines. */
    cache->memory = calloc(cache->end * sizeof *cache->places + LINE, 1);
    if (cache->memory == NULL) {
        cache_destroy(cache);
        return DAME_NO_MEMORY;
    }
    cache->places = (void *)(((uintptr_t)cache->memory + LINE - 1) / LINE * LINE);
    set_fixed_places(cache);
    *out = cache;
    return DAME_OK;
}

void cache_destroy(struct cache *cache)
{
    if (cache == NULL)
        return;
    while (cache->chunks != NULL) {
        struct chunk *next = cache->chunks->next;
        memory_destroy(&cache->chunks->memory);
        free(cache->chunks);
        cache->chunks = next;
    }
    free(cache->memory);
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
    struct place *place = &cached->cache->places[number];
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

/* With the lock. The next place never used so far; false if there is none, or no memory. */
static bool unused_place(struct cache *cache, uint32_t *number)
{
    if (cache->unused == cache->end)
        return false;
    const uint32_t at = (cache->unused - FIRST_PLACE) % CHUNK_PLACES;
    if (at == 0) {
        const uint32_t left = cache->end - cache->unused;
        const size_t places = left < CHUNK_PLACES ? left : CHUNK_PLACES;
        struct chunk *chunk = malloc(sizeof *chunk);
        if (chunk == NULL || memory_create_large(places * PIECE_BYTES, &chunk->memory) != DAME_OK) {
            free(chunk);
            return false;
        }
        chunk->next = cache->chunks;
        cache->chunks = chunk;
    }
    *number = cache->unused++;
    struct place *place = &cache->places[*number];
    place->words = (void *)((char *)cache->chunks->memory.at + (size_t)at * PIECE_BYTES);
    place->numbers = UINT32_MAX;
    count(&cache->kept, PLACE_BYTES);
    return true;
}

/* With the lock. A place whose piece was not used since the last search; false if others are writing to all.
 */
static bool idle_place(struct cache *cache, uint32_t *number)
{
    const uint32_t places = cache->unused - FIRST_PLACE;
    for (uint64_t looks = 2 * (uint64_t)places; looks > 0; looks--) {
        *number = cache->hand;
        cache->hand = cache->hand + 1 < cache->unused ? cache->hand + 1 : (uint32_t)FIRST_PLACE;
        struct place *place = &cache->places[*number];
        if (atomic_load_explicit(&place->version, memory_order_acquire) % 2 == 0 &&
            atomic_exchange_explicit(&place->used, 0, memory_order_relaxed) == 0)
            return true;
    }
    return false;
}

/* A place for a piece, which is found there from now on, but not read before the version is even again. NULL:
   there is none, or another thread has kept the piece. */
static struct place *take_place(struct cached *cached, uint64_t piece)
{
    struct cache *cache = cached->cache;
    _Atomic uint32_t *holder = &cached->places[piece];
    struct place *place = NULL;
    uint32_t number;
    while (atomic_flag_test_and_set_explicit(&cache->lock, memory_order_acquire))
        sched_yield();
    if (atomic_load_explicit(holder, memory_order_relaxed) == NOWHERE &&
        (unused_place(cache, &number) || idle_place(cache, &number))) {
        place = &cache->places[number];
        if (place->holder != NULL)
            atomic_store_explicit(place->holder, NOWHERE, memory_order_relaxed);
        place->holder = holder;
        atomic_fetch_add_explicit(&place->version, 1, memory_order_relaxed);
        atomic_store_explicit(holder, number, memory_order_release);
    }
    atomic_flag_clear_explicit(&cache->lock, memory_order_release);
    return place;
}

/* While another thread is keeping the piece: until then every probe would have to decode the block. */
static void wait_for_piece(const struct cached *cached, uint64_t piece)
{
    const _Atomic uint32_t *holder = &cached->places[piece];
    const uint32_t number = atomic_load_explicit(holder, memory_order_acquire);
    const struct place *place = &cached->cache->places[number];
    while (number != NOWHERE && atomic_load_explicit(holder, memory_order_relaxed) == number &&
           atomic_load_explicit(&place->version, memory_order_relaxed) % 2 != 0)
        sched_yield();
}

/* Keep a piece that has just been decoded. Whoever sees one of the words sees the odd version as well. */
static void keep(struct cached *cached, uint64_t piece, const uint8_t *bytes, size_t size)
{
    struct place *place = take_place(cached, piece);
    if (place == NULL) {
        wait_for_piece(cached, piece);
        return;
    }
    for (size_t at = 0; at < size; at += 8) {
        uint8_t last[8] = {0};
        const uint8_t *from = size - at < 8 ? memcpy(last, bytes + at, size - at) : bytes + at;
        atomic_store_explicit(&place->words[at / 8], load_u64(from), memory_order_release);
    }
    atomic_store_explicit(&place->used, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&place->version, 1, memory_order_release);
}

static uint64_t nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

/* In a frame of its own: the block is large. */
static __attribute__((noinline)) enum dame_status miss(struct cached *cached, uint64_t index, int *value,
                                                       char *detail)
{
    _Alignas(8) uint8_t bytes[TABLE_BLOCK_MAX];
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
        keep(cached, piece, bytes + at, size - at < PIECE_BYTES ? size - at : PIECE_BYTES);
    struct counter *counter = counter_of(cached->cache);
    count(&counter->misses, 1);
    count(&counter->decoded_bytes, size);
    count(&counter->decode_time, nanoseconds() - start);
    return DAME_OK;
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
    const struct place *place = &cached->cache->places[number];
    __builtin_prefetch((const void *)&place->words[word_of(cached, place, index)]);
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
