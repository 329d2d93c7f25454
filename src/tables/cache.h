/* Decoded blocks of all tables of a library, shared by all threads and bounded in bytes.

   The cache is cut into shards, each with a lock and a share of the bytes. Inside a shard the block that has
   not been used for the longest time leaves first. No lock is held while a block is read and decoded, since
   the decoder may wait for something that another reader holds (Python's interpreter lock); two threads that
   miss the same block at the same time both decode it, and one copy stays. */
#ifndef DAME_TABLES_CACHE_H
#define DAME_TABLES_CACHE_H

#include <stdint.h>

#include "base/status.h"
#include "tables/reader.h"

struct cache;

struct cache_statistics {
    uint64_t hits, misses;
    uint64_t decoded_bytes; /* of all misses, after decompression */
    uint64_t kept_bytes;    /* blocks that are in the cache now, with their administration */
};

/* A cache that never keeps more than `limit` bytes. Any limit works; blocks that do not fit into a shard are
   decoded anew for every value. */
enum dame_status cache_create(uint64_t limit, struct cache **out);

void cache_destroy(struct cache *cache); /* NULL is allowed */

/* The value, still coded (values.h), at `index` of `table`, index < number of values. `number` tells the
   tables of one cache apart: the same table must always come with the same number. */
enum dame_status cache_value(struct cache *cache, const struct table *table, uint32_t number, uint64_t index,
                             int *value, char *detail);

/* Sums over the shards; exact when no other thread uses the cache. */
struct cache_statistics cache_statistics(struct cache *cache);

#endif
