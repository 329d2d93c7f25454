/* Bytes for the tests of codecs: pseudo-random ones, and copies without room around them. */
#ifndef DAME_TESTS_EXACT_BYTES_H
#define DAME_TESTS_EXACT_BYTES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Pseudo-random, the same in every run. */
static inline uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

/* Memory of exactly this size, so that a sanitizer sees every byte too far. */
static inline uint8_t *exactly(const void *bytes, size_t size)
{
    uint8_t *copy = malloc(size == 0 ? 1 : size);
    if (copy == NULL)
        abort();
    if (size != 0)
        memcpy(copy, bytes, size);
    return copy;
}

#endif
