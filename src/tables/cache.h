/* Decoded blocks of all tables of a library, shared by all threads and bounded in bytes.

   The cache is a number of places for one block each, and every table has the numbers of the places of its
   blocks. A hit takes no lock: a place has a version, odd while its block is being replaced, and a reader
   that sees the same number and the same even version before and after has read what it wanted. A miss
   decodes into memory of its own first, then takes a place that was never used, or one that was not used of
   late; only that needs a lock. Blocks that are one value throughout need no memory. */
#ifndef DAME_TABLES_CACHE_H
#define DAME_TABLES_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "tables/reader.h"

struct cache;
struct cached; /* what a cache knows of one table */

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

/* Let the cache keep blocks of `table`, which must stay open. DAME_NO_MEMORY. Destroy with cached_destroy
   (NULL is allowed), and when a value was asked for, together with the cache. */
enum dame_status cached_create(struct cache *cache, const struct table *table, struct cached **out);
void cached_destroy(struct cached *cached);

/* The value, still coded (values.h), at `index`, index < number of values. Fails as table_read does. */
enum dame_status cache_value(struct cached *cached, uint64_t index, int *value, char *detail);

/* The same, false if its block would have to be read. */
bool cache_find(const struct cached *cached, uint64_t index, int *value);

/* Ask the processor for the memory that cache_value would read next. */
void cache_prefetch(const struct cached *cached, uint64_t index);

/* Sums over all threads. Threads may lose some of each other's hits; one that is alone loses none. */
struct cache_statistics cache_statistics(const struct cache *cache);

#endif
