#include "tables/cache.h"

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

enum {
    SHARDS_MAX = 64,
    SHARD_BYTES_MIN = 4 << 20, /* so that a shard has room for several of the largest blocks */
    BYTES_PER_BUCKET = 4096,
    BUCKETS_MIN = 16,
    BUCKETS_MAX = 1 << 20
};

/* A block in the cache: member of a chain of its bucket and of the ring of its shard. */
struct node {
    struct node *chain;
    struct node *newer, *older;
    uint64_t key;
    uint64_t bytes; /* of the node with its data */
    uint8_t data[];
};

struct shard {
    pthread_mutex_t lock;
    struct node **buckets;
    struct node *newest, *oldest;
    struct cache_statistics statistics;
};

struct cache {
    uint64_t shard_limit;
    uint64_t bucket_count; /* of each shard, a power of two */
    uint32_t shard_count;  /* a power of two */
    struct shard shards[SHARDS_MAX];
};

static uint64_t power_of_two_below(uint64_t number, uint64_t smallest, uint64_t largest)
{
    uint64_t power = smallest;
    while (power < largest && power * 2 <= number)
        power *= 2;
    return power;
}

enum dame_status cache_create(uint64_t limit, struct cache **out)
{
    struct cache *cache = calloc(1, sizeof *cache);
    if (cache == NULL)
        return DAME_NO_MEMORY;
    const uint64_t shards = power_of_two_below(limit / SHARD_BYTES_MIN, 1, SHARDS_MAX);
    cache->shard_limit = limit / shards;
    cache->bucket_count = power_of_two_below(cache->shard_limit / BYTES_PER_BUCKET, BUCKETS_MIN, BUCKETS_MAX);
    for (; cache->shard_count < shards; cache->shard_count++) {
        struct shard *shard = &cache->shards[cache->shard_count];
        shard->buckets = calloc(cache->bucket_count, sizeof *shard->buckets);
        if (shard->buckets == NULL || pthread_mutex_init(&shard->lock, NULL) != 0) {
            free(shard->buckets);
            cache_destroy(cache);
            return DAME_NO_MEMORY;
        }
    }
    *out = cache;
    return DAME_OK;
}

void cache_destroy(struct cache *cache)
{
    if (cache == NULL)
        return;
    for (uint32_t i = 0; i < cache->shard_count; i++) {
        struct shard *shard = &cache->shards[i];
        for (struct node *node = shard->newest; node != NULL;) {
            struct node *older = node->older;
            free(node);
            node = older;
        }
        free(shard->buckets);
        pthread_mutex_destroy(&shard->lock);
    }
    free(cache);
}

static void lock(struct shard *shard)
{
    const int failure = pthread_mutex_lock(&shard->lock);
    assert(failure == 0);
    (void)failure;
}

static void unlock(struct shard *shard)
{
    const int failure = pthread_mutex_unlock(&shard->lock);
    assert(failure == 0);
    (void)failure;
}

/* Neighbouring blocks go to different shards and buckets (Fibonacci hashing, the high bits are the good
 * ones). */
static uint64_t spread(uint64_t key)
{
    return (key * UINT64_C(0x9E3779B97F4A7C15)) >> 32;
}

static struct node **bucket_of(const struct cache *cache, struct shard *shard, uint64_t key)
{
    return &shard->buckets[spread(key) / SHARDS_MAX & (cache->bucket_count - 1)];
}

static void ring_remove(struct shard *shard, struct node *node)
{
    *(node->newer != NULL ? &node->newer->older : &shard->newest) = node->older;
    *(node->older != NULL ? &node->older->newer : &shard->oldest) = node->newer;
}

static void ring_push(struct shard *shard, struct node *node)
{
    node->newer = NULL;
    node->older = shard->newest;
    *(node->older != NULL ? &node->older->newer : &shard->oldest) = node;
    shard->newest = node;
}

/* The block, moved to the front of the ring, or NULL. With the lock held. */
static struct node *find(const struct cache *cache, struct shard *shard, uint64_t key)
{
    struct node *node = *bucket_of(cache, shard, key);
    while (node != NULL && node->key != key)
        node = node->chain;
    if (node != NULL && node != shard->newest) {
        ring_remove(shard, node);
        ring_push(shard, node);
    }
    return node;
}

static void evict_oldest(const struct cache *cache, struct shard *shard)
{
    struct node *node = shard->oldest;
    assert(node != NULL);
    struct node **link = bucket_of(cache, shard, node->key);
    while (*link != node)
        link = &(*link)->chain;
    *link = node->chain;
    ring_remove(shard, node);
    shard->statistics.kept_bytes -= node->bytes;
    free(node);
}

/* Takes the node over: into the shard or, if it does not fit or another thread was faster, away. */
static void keep(const struct cache *cache, struct shard *shard, struct node *node)
{
    lock(shard);
    shard->statistics.decoded_bytes += node->bytes - sizeof *node;
    if (node->bytes > cache->shard_limit || find(cache, shard, node->key) != NULL) {
        unlock(shard);
        free(node);
        return;
    }
    while (shard->statistics.kept_bytes + node->bytes > cache->shard_limit)
        evict_oldest(cache, shard);
    struct node **bucket = bucket_of(cache, shard, node->key);
    node->chain = *bucket;
    *bucket = node;
    ring_push(shard, node);
    shard->statistics.kept_bytes += node->bytes;
    unlock(shard);
}

enum dame_status cache_value(struct cache *cache, const struct table *table, uint32_t number, uint64_t index,
                             int *value, char *detail)
{
    const struct table_header *header = table_header(table);
    assert(index < header->values);
    const uint64_t values_per_block = (uint64_t)header->block_size * (uint64_t)layout_values_per_byte(header);
    const uint32_t block = (uint32_t)(index / values_per_block);
    const uint64_t place = index % values_per_block;
    const uint64_t key = (uint64_t)number << 32 | block;
    struct shard *shard = &cache->shards[spread(key) & (cache->shard_count - 1)];

    lock(shard);
    struct node *node = find(cache, shard, key);
    if (node != NULL) {
        *value = layout_value(header, node->data, place);
        shard->statistics.hits++;
        unlock(shard);
        return DAME_OK;
    }
    shard->statistics.misses++;
    unlock(shard);

    const uint32_t bytes = layout_block_bytes(header, block);
    node = malloc(sizeof *node + bytes);
    if (node == NULL)
        return DAME_NO_MEMORY;
    node->key = key;
    node->bytes = sizeof *node + bytes;
    enum dame_status status = table_read(table, block, node->data, detail);
    if (status != DAME_OK) {
        free(node);
        return status;
    }
    *value = layout_value(header, node->data, place);
    keep(cache, shard, node);
    return DAME_OK;
}

struct cache_statistics cache_statistics(struct cache *cache)
{
    struct cache_statistics sum = {0};
    for (uint32_t i = 0; i < cache->shard_count; i++) {
        struct shard *shard = &cache->shards[i];
        lock(shard);
        sum.hits += shard->statistics.hits;
        sum.misses += shard->statistics.misses;
        sum.decoded_bytes += shard->statistics.decoded_bytes;
        sum.kept_bytes += shard->statistics.kept_bytes;
        unlock(shard);
    }
    return sum;
}
