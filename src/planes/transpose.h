/* Transposing bit matrices in blocks of 64 x 64. */
#ifndef DAME_PLANES_TRANSPOSE_H
#define DAME_PLANES_TRANSPOSE_H

#include <stdint.h>

/* Bit j of word i becomes bit i of word j. Six rounds; each swaps the off-diagonal quarters of all squares of
   one size (Hacker's Delight, section 7-3). */
static inline void transpose_64(uint64_t block[64])
{
    uint64_t mask = UINT64_C(0x00000000FFFFFFFF);
    for (int size = 32; size != 0; size >>= 1, mask ^= mask << size)
        for (int base = 0; base < 64; base += 2 * size)
            for (int i = base; i < base + size; i++) {
                uint64_t swap = ((block[i] >> size) ^ block[i + size]) & mask;
                block[i] ^= swap << size;
                block[i + size] ^= swap;
            }
}

#endif
