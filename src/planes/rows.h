/* Rows of bits: one bit for every arrangement of the other side's pieces, 64 to a word. Bits past the width
   of a row are zero. `static inline`, so that they are compiled for the instruction set of the kernel around
   them. */
#ifndef DAME_PLANES_ROWS_H
#define DAME_PLANES_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bits.h"

static inline size_t row_words(uint64_t width)
{
    return (size_t)((width + 63) / 64);
}

/* Rows of a matrix that is transposed 64 x 64 bits at a time. */
static inline size_t row_padded(uint64_t rows)
{
    return row_words(rows) * 64;
}

/* to = a & b & c; this and the next two tell whether any bit is left. */
static inline bool row_and3(uint64_t *restrict to, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                            size_t words)
{
    uint64_t any = 0;
    for (size_t i = 0; i < words; i++) {
        to[i] = a[i] & b[i] & c[i];
        any |= to[i];
    }
    return any != 0;
}

static inline bool row_and(uint64_t *restrict to, const uint64_t *a, const uint64_t *b, size_t words)
{
    uint64_t any = 0;
    for (size_t i = 0; i < words; i++) {
        to[i] = a[i] & b[i];
        any |= to[i];
    }
    return any != 0;
}

static inline bool row_and_into(uint64_t *restrict to, const uint64_t *a, size_t words)
{
    uint64_t any = 0;
    for (size_t i = 0; i < words; i++) {
        to[i] &= a[i];
        any |= to[i];
    }
    return any != 0;
}

static inline void row_or_into(uint64_t *restrict to, const uint64_t *a, size_t words)
{
    for (size_t i = 0; i < words; i++)
        to[i] |= a[i];
}

static inline void row_clear(uint64_t *to, size_t words)
{
    for (size_t i = 0; i < words; i++)
        to[i] = 0;
}

/* `count` bits of a row from bit `from` on, 1 <= count <= 64. */
static inline uint64_t row_bits(const uint64_t *row, uint64_t from, int count)
{
    size_t i = (size_t)(from / 64);
    int shift = (int)(from % 64);
    uint64_t bits = row[i] >> shift;
    if (shift + count > 64)
        bits |= row[i + 1] << (64 - shift);
    return bits & bits_below(count);
}

#endif
