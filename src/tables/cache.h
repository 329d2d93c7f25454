/* Decoded blocks of all tables of a library, shared by all threads and bounded in bytes.

   The cache is a number of places for a block each, or for a piece of a block that is large, in sets of up to
   eight. A piece may stand in any place of the one set that its key leads to. A hit takes no lock: every
   place has a version, odd while the block is being replaced, and a reader that sees the same even version
   before and after has read what it wanted. A miss decodes into memory of its own first, and locks only its
   set while it copies the block in place of one that was not used of late. Blocks that are one value
   throughout need no place. */
#ifndef DAME_TABLES_CACHE_H
#define DAME_TABLES_CACHE_H

#include <stdint.h>

#include "base/status.h"
#include "tables/reader.h"

struct cache;

struct cache_statistics {
    uint64_t hits, misses;
    uint64_t decoded_bytes; /* of all misses, after decompression */
    uint64_t decode_time;   /* nanoseconds that misses took to read and decode */
    uint64_t kept_bytes;    /* of the places that hold a block now */
};

/* A cache that never keeps more than `limit` bytes. Any limit works; without a single place every value is
   decoded anew. DAME_NO_MEMORY. */
enum dame_status cache_create(uint64_t limit, struct cache **out);

void cache_destroy(struct cache *cache); /* NULL is allowed */

/* The value, still coded (values.h), at `index` of `table`, index < number of values. `number` tells the
   tables of one cache apart: the same table must always come with the same number. */
enum dame_status cache_value(struct cache *cache, const struct table *table, uint32_t number, uint64_t index,
                             int *value, char *detail);

/* Ask the processor for the memory that cache_value would read next. */
void cache_prefetch(const struct cache *cache, const struct table *table, uint32_t number, uint64_t index);

/* Sums over all threads; exact when no other thread uses the cache. */
struct cache_statistics cache_statistics(const struct cache *cache);

#endif
