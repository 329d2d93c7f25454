/* Binomial coefficients, and the rank of a set of squares among all sets of its size in colex order
   (sets compared by their highest differing element): rank = sum of C(square_i, i + 1). */
#ifndef DAME_SLICES_BINOMIAL_H
#define DAME_SLICES_BINOMIAL_H

#include <assert.h>
#include <stdint.h>

#include "base/bits.h"

enum { BINOMIAL_SQUARES = 50, BINOMIAL_PIECES = 12 };

/* C(n, k) for 0 <= n <= BINOMIAL_SQUARES, 0 <= k <= BINOMIAL_PIECES. */
extern const uint64_t BINOMIAL[BINOMIAL_SQUARES + 1][BINOMIAL_PIECES + 1];

static inline uint64_t binomial(int n, int k)
{
    assert(0 <= n && n <= BINOMIAL_SQUARES && 0 <= k && k <= BINOMIAL_PIECES);
    return BINOMIAL[n][k];
}

static inline uint64_t subset_rank(uint64_t set)
{
    uint64_t rank = 0;
    for (int k = 1; set != 0; set &= set - 1, k++)
        rank += BINOMIAL[bit_lowest(set)][k];
    return rank;
}

/* The inverse: the `rank`-th set of `size` squares. */
static inline uint64_t subset_unrank(uint64_t rank, int size)
{
    uint64_t set = 0;
    int square = BINOMIAL_SQUARES;
    for (int k = size; k > 0; k--) {
        do
            square--;
        while (BINOMIAL[square][k] > rank);
        rank -= BINOMIAL[square][k];
        set |= bit_at(square);
    }
    return set;
}

/* The next set of the same size in colex order (Gosper's way); `set` must not be empty. */
static inline uint64_t subset_next(uint64_t set)
{
    uint64_t lowest = set & (~set + 1);
    uint64_t ripple = set + lowest;
    return ripple | (set ^ ripple) >> 2 >> bit_lowest(set);
}

#endif
