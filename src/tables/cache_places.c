#include "tables/cache_places.h"

#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"

enum { PLACE_BYTES = PIECE_BYTES + sizeof(struct place) };

/* Memory of some places, a large page: pieces are kept side by side. */
enum { CHUNK_PLACES = (1 << 21) / PIECE_BYTES };

struct chunk {
    struct chunk *next;
    struct memory memory;
};

static void set_fixed_places(struct cache_places *places)
{
    for (uint32_t i = 0; i <= NOWHERE; i++) {
        struct place *place = &places->at[i];
        atomic_init(&places->fills[i], i % NOWHERE * UINT64_C(0x0101010101010101));
        atomic_init(&place->version, i == NOWHERE);
        atomic_init(&place->used, 1);
        place->words = &places->fills[i];
    }
}

enum dame_status cache_places_create(uint64_t limit, struct cache_places *places)
{
    memset(places, 0, sizeof *places);
    atomic_flag_clear(&places->lock);
    const uint64_t most = limit / PLACE_BYTES;
    places->unused = places->hand = FIRST_PLACE;
    places->end = FIRST_PLACE + (uint32_t)(most < PLACES_MAX ? most : PLACES_MAX);
    /* calloc: places that are never used take no memory. None may lie across two cache lines. */
    places->memory = calloc(places->end * sizeof *places->at + CACHE_LINE, 1);
    if (places->memory == NULL)
        return DAME_NO_MEMORY;
    places->at = (void *)(((uintptr_t)places->memory + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
    set_fixed_places(places);
    return DAME_OK;
}

void cache_places_destroy(struct cache_places *places)
{
    while (places->chunks != NULL) {
        struct chunk *next = places->chunks->next;
        memory_destroy(&places->chunks->memory);
        free(places->chunks);
        places->chunks = next;
    }
    free(places->memory);
}

/* Called with the lock. The next place that was never used; false if there is none, or no memory. */
static bool unused_place(struct cache_places *places, uint32_t *number)
{
    if (places->unused == places->end)
        return false;
    const uint32_t at = (places->unused - FIRST_PLACE) % CHUNK_PLACES;
    if (at == 0) {
        const uint32_t left = places->end - places->unused;
        const size_t count = left < CHUNK_PLACES ? left : CHUNK_PLACES;
        struct chunk *chunk = malloc(sizeof *chunk);
        if (chunk == NULL || memory_create_large(count * PIECE_BYTES, &chunk->memory) != DAME_OK) {
            free(chunk);
            return false;
        }
        chunk->next = places->chunks;
        places->chunks = chunk;
    }
    *number = places->unused++;
    struct place *place = &places->at[*number];
    place->words = (void *)((char *)places->chunks->memory.at + (size_t)at * PIECE_BYTES);
    place->numbers = UINT32_MAX;
    atomic_fetch_add_explicit(&places->kept, PLACE_BYTES, memory_order_relaxed);
    return true;
}

/* Called with the lock. A place whose piece was not used since the last search; false if all are being
   written. */
static bool idle_place(struct cache_places *places, uint32_t *number)
{
    const uint32_t used = places->unused - FIRST_PLACE;
    for (uint64_t looks = 2 * (uint64_t)used; looks > 0; looks--) {
        *number = places->hand;
        places->hand = places->hand + 1 < places->unused ? places->hand + 1 : (uint32_t)FIRST_PLACE;
        struct place *place = &places->at[*number];
        if (atomic_load_explicit(&place->version, memory_order_acquire) % 2 == 0 &&
            atomic_exchange_explicit(&place->used, 0, memory_order_relaxed) == 0)
            return true;
    }
    return false;
}

/* A place for a piece. Readers find it from now on, but use it only when its version is even again. NULL:
   there is none, or another thread keeps the piece. */
static struct place *take_place(struct cache_places *places, _Atomic uint32_t *holder)
{
    struct place *place = NULL;
    uint32_t number;
    while (atomic_flag_test_and_set_explicit(&places->lock, memory_order_acquire))
        sched_yield();
    if (atomic_load_explicit(holder, memory_order_relaxed) == NOWHERE &&
        (unused_place(places, &number) || idle_place(places, &number))) {
        place = &places->at[number];
        if (place->holder != NULL)
            atomic_store_explicit(place->holder, NOWHERE, memory_order_relaxed);
        place->holder = holder;
        atomic_fetch_add_explicit(&place->version, 1, memory_order_relaxed);
        atomic_store_explicit(holder, number, memory_order_release);
    }
    atomic_flag_clear_explicit(&places->lock, memory_order_release);
    return place;
}

/* Wait until another thread has stored the piece: before that every probe would have to decode the block. */
static void wait_for_piece(const struct cache_places *places, const _Atomic uint32_t *holder)
{
    const uint32_t number = atomic_load_explicit(holder, memory_order_acquire);
    const struct place *place = &places->at[number];
    while (number != NOWHERE && atomic_load_explicit(holder, memory_order_relaxed) == number &&
           atomic_load_explicit(&place->version, memory_order_relaxed) % 2 != 0)
        sched_yield();
}

void cache_places_keep(struct cache_places *places, _Atomic uint32_t *holder, const uint8_t *bytes,
                       size_t size)
{
    struct place *place = take_place(places, holder);
    if (place == NULL) {
        wait_for_piece(places, holder);
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
