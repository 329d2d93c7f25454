/* Bit counts, lowest bits, and the two bit-gathering instructions with a portable fallback. */
#ifndef DAME_BASE_BITS_H
#define DAME_BASE_BITS_H

#include <stdint.h>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

static inline int bit_count(uint64_t bits)
{
#if defined(__x86_64__) && !defined(__POPCNT__) /* the compiler would call a function */
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (int)(bits * UINT64_C(0x0101010101010101) >> 56);
#else
    return __builtin_popcountll(bits);
#endif
}

/* Index of the lowest set bit; `bits` must not be 0. */
static inline int bit_lowest(uint64_t bits)
{
    return __builtin_ctzll(bits);
}

static inline uint64_t bit_at(int index)
{
    return UINT64_C(1) << index;
}

/* The lowest `n` bits, 0 <= n <= 64. */
static inline uint64_t bits_below(int n)
{
    return n >= 64 ? ~UINT64_C(0) : bit_at(n) - 1;
}

/* Put the low bits of `bits` one after the other on the places set in `places`. */
static inline uint64_t bits_deposit(uint64_t bits, uint64_t places)
{
#if defined(__BMI2__)
    return _pdep_u64(bits, places);
#else
    uint64_t out = 0;
    for (; places != 0 && bits != 0; places &= places - 1, bits >>= 1)
        if (bits & 1)
            out |= places & (~places + 1);
    return out;
#endif
}

/* Collect the bits of `bits` that stand on the places set in `places` into the low bits. */
static inline uint64_t bits_extract(uint64_t bits, uint64_t places)
{
#if defined(__BMI2__)
    return _pext_u64(bits, places);
#else
    uint64_t out = 0;
    for (int to = 0; places != 0; places &= places - 1, to++)
        if (bits & places & (~places + 1))
            out |= bit_at(to);
    return out;
#endif
}

/* The lowest `width` bits of `bits` in reverse order: the board turned by 180 degrees. */
static inline uint64_t bits_reverse(uint64_t bits, int width)
{
    bits = ((bits >> 1) & UINT64_C(0x5555555555555555)) | ((bits & UINT64_C(0x5555555555555555)) << 1);
    bits = ((bits >> 2) & UINT64_C(0x3333333333333333)) | ((bits & UINT64_C(0x3333333333333333)) << 2);
    bits = ((bits >> 4) & UINT64_C(0x0F0F0F0F0F0F0F0F)) | ((bits & UINT64_C(0x0F0F0F0F0F0F0F0F)) << 4);
    return __builtin_bswap64(bits) >> (64 - width);
}

#endif
