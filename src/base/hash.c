/* Written from the specification, "XXH64 Algorithm Description" in doc/xxhash_spec.md of the xxHash project.
   The names of the steps are those of that text. */
#include "base/hash.h"

#include "base/bytes.h"

static const uint64_t PRIME_1 = UINT64_C(0x9E3779B185EBCA87);
static const uint64_t PRIME_2 = UINT64_C(0xC2B2AE3D27D4EB4F);
static const uint64_t PRIME_3 = UINT64_C(0x165667B19E3779F9);
static const uint64_t PRIME_4 = UINT64_C(0x85EBCA77C2B2AE63);
static const uint64_t PRIME_5 = UINT64_C(0x27D4EB2F165667C5);

enum { STRIPE = 32 };

static inline uint64_t rotated(uint64_t value, int left)
{
    return value << left | value >> (64 - left);
}

static inline uint64_t consume_lane(uint64_t accumulator, uint64_t lane)
{
    return rotated(accumulator + lane * PRIME_2, 31) * PRIME_1;
}

static inline uint64_t merge_accumulator(uint64_t hash, uint64_t accumulator)
{
    return (hash ^ consume_lane(0, accumulator)) * PRIME_1 + PRIME_4;
}

/* Steps 1 to 3: four accumulators, each of which takes every fourth word. */
static uint64_t consume_stripes(const uint8_t *from, size_t stripes, uint64_t seed)
{
    uint64_t a = seed + PRIME_1 + PRIME_2;
    uint64_t b = seed + PRIME_2;
    uint64_t c = seed;
    uint64_t d = seed - PRIME_1;
    for (; stripes > 0; stripes--, from += STRIPE) {
        a = consume_lane(a, load_u64(from));
        b = consume_lane(b, load_u64(from + 8));
        c = consume_lane(c, load_u64(from + 16));
        d = consume_lane(d, load_u64(from + 24));
    }
    uint64_t hash = rotated(a, 1) + rotated(b, 7) + rotated(c, 12) + rotated(d, 18);
    hash = merge_accumulator(hash, a);
    hash = merge_accumulator(hash, b);
    hash = merge_accumulator(hash, c);
    return merge_accumulator(hash, d);
}

/* Step 5: what does not fill a stripe. */
static uint64_t consume_rest(uint64_t hash, const uint8_t *from, size_t size)
{
    for (; size >= 8; size -= 8, from += 8)
        hash = rotated(hash ^ consume_lane(0, load_u64(from)), 27) * PRIME_1 + PRIME_4;
    if (size >= 4) {
        hash = rotated(hash ^ load_u32(from) * PRIME_1, 23) * PRIME_2 + PRIME_3;
        size -= 4;
        from += 4;
    }
    for (; size > 0; size--, from++)
        hash = rotated(hash ^ *from * PRIME_5, 11) * PRIME_1;
    return hash;
}

uint64_t hash_seeded(const void *data, size_t size, uint64_t seed)
{
    const uint8_t *from = data;
    uint64_t hash = seed + PRIME_5;
    const size_t stripes = size / STRIPE;
    if (stripes > 0) {
        hash = consume_stripes(from, stripes, seed);
        from += stripes * STRIPE;
    }
    hash += size;
    if (size % STRIPE > 0)
        hash = consume_rest(hash, from, size % STRIPE);
    hash = (hash ^ hash >> 33) * PRIME_2;
    hash = (hash ^ hash >> 29) * PRIME_3;
    return hash ^ hash >> 32;
}

uint64_t hash_bytes(const void *data, size_t size)
{
    return hash_seeded(data, size, 0);
}
