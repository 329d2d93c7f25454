/* Values packed as in tables/values.h, up to 32 at a time. */
#ifndef DAME_BUILD_PACKER_H
#define DAME_BUILD_PACKER_H

#include <stdint.h>
#include <string.h>

#include "base/bits.h"
#include "base/bytes.h"
#include "tables/coder.h"

struct packer {
    uint8_t *out;
    uint64_t word;
    int bits;
};

/* Up to 32 values. */
static inline void packer_put(struct packer *packer, uint64_t pairs, int count)
{
    pairs &= bits_below(2 * count);
    packer->word |= pairs << packer->bits;
    packer->bits += 2 * count;
    if (packer->bits >= 64) {
        store_u64(packer->out, packer->word);
        packer->out += 8;
        packer->bits -= 64;
        packer->word = packer->bits == 0 ? 0 : pairs >> (2 * count - packer->bits);
    }
}

/* What is left, and the slack behind it. */
static inline void packer_end(struct packer *packer)
{
    store_u64(packer->out, packer->word);
    memset(packer->out + 8, 0, CODER_SLACK - 8);
}

/* Bits 0, 1, 2 ... to bits 0, 2, 4 ... */
static inline uint64_t bits_to_pairs(uint64_t bits)
{
    bits = (bits | bits << 16) & UINT64_C(0x0000FFFF0000FFFF);
    bits = (bits | bits << 8) & UINT64_C(0x00FF00FF00FF00FF);
    bits = (bits | bits << 4) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    bits = (bits | bits << 2) & UINT64_C(0x3333333333333333);
    return (bits | bits << 1) & UINT64_C(0x5555555555555555);
}

#endif
