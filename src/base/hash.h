/* XXH64, the checksum of table files: fast, and it shows any change of a few bits. It is no protection
   against somebody who wants to forge a file. And SplitMix64, for samples that are the same each time. */
#ifndef DAME_BASE_HASH_H
#define DAME_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* XXH64 with seed 0 of `size` bytes; `data` may be NULL if there are none. */
uint64_t hash_bytes(const void *data, size_t size);

/* The same with any seed. */
uint64_t hash_seeded(const void *data, size_t size, uint64_t seed);

/* What SplitMix64 (Steele, Lea, Flood 2014) adds to its state for each number. */
static const uint64_t HASH_STEP = UINT64_C(0x9E3779B97F4A7C15);

/* The number that SplitMix64 gives in the state `number`: any two numbers give unrelated ones. */
static inline uint64_t hash_number(uint64_t number)
{
    number += HASH_STEP;
    number = (number ^ (number >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    number = (number ^ (number >> 27)) * UINT64_C(0x94D049BB133111EB);
    return number ^ (number >> 31);
}

#endif
