/* The places of a cache: memory for decoded blocks, bounded, and which of them a new block takes (cache.h).

   A reader finds the number of a place where the table keeps it, its holder, and reads words of that place.
   They are those of its piece if the holder has the same number before and after, and the version is the same
   and even. */
#ifndef DAME_TABLES_CACHE_PLACES_H
#define DAME_TABLES_CACHE_PLACES_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { CACHE_LINE = 64 }; /* bytes */

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

struct chunk;

struct cache_places {
    struct place *at;
    void *memory;         /* of `at` */
    atomic_flag lock;     /* of the choice of a place, for writers, and of what follows up to `chunks` */
    uint32_t unused, end; /* the first place that was never used, and the end of all that there may be */
    uint32_t hand;        /* where the next search begins */
    struct chunk *chunks;
    atomic_uint_fast64_t kept; /* bytes */
    _Atomic uint64_t fills[NOWHERE + 1];
};

/* Places that take at most `limit` bytes. DAME_NO_MEMORY. */
enum dame_status cache_places_create(uint64_t limit, struct cache_places *places);
void cache_places_destroy(struct cache_places *places); /* all zero is allowed */

/* Keep a piece that has just been decoded, unless another thread has kept it, or there is no place. Whoever
   sees one of the words sees the odd version as well. */
void cache_places_keep(struct cache_places *places, _Atomic uint32_t *holder, const uint8_t *bytes,
                       size_t size);

#endif
