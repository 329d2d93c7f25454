/* The order in which table files count sets of squares: neighbours in a file shall resemble each other.

   What decides an endgame is often who has the move, that is whether an even or an odd number of pieces
   stands on the odd board rows. So a set is parted into its squares on even and those on odd board rows, and
   sets are ordered by

       1. whether the number of squares on odd rows is even (0, 2, 4 ...) or odd (1, 3, 5 ...)
       2. that number
       3. the colex rank of the squares on odd rows
       4. the colex rank of the squares on even rows

   Inside the even board rows, and inside the odd ones, squares are numbered along a spiral from the edge to
   the centre, so that kings in the open follow each other, and kings at the edge:

       even rows of the board with 8 rows      0  1  2  3
                                              11 12 13  4
                                              10 15 14  5
                                               9  8  7  6

   Squares on which none of the pieces can stand (a man on its crown row) are left out. Other orders were
   measured: docs/compression.md. */
#ifndef DAME_SLICES_ORDERING_H
#define DAME_SLICES_ORDERING_H

#include <stdint.h>

#include "base/bits.h"
#include "base/status.h"
#include "boards/board.h"
#include "slices/material.h"

enum { SET_BYTES = 7, HALF_BYTES = 4, HALF_SQUARES_MAX = 25 };

/* How sets of men or sets of kings are counted. */
struct set_order {
    int even, odd;                   /* squares on even and on odd rows */
    int bytes;                       /* of a set of squares */
    int half_bytes;                  /* of the numbers of either half */
    uint8_t number[64];              /* of a square inside its half */
    uint64_t odd_rows;               /* squares */
    uint8_t ones[256];               /* bits of a byte */
    uint64_t spread[SET_BYTES][256]; /* byte of a set -> numbers: even rows in bits 0..31, odd in 32..63 */
    /* [byte of a half][numbers in the bytes before][byte]: its part of the colex rank */
    uint32_t rank[HALF_BYTES][PIECES_MAX + 1][256];
    uint64_t start[PIECES_MAX + 1][PIECES_MAX + 1]; /* [pieces][on odd rows]: rank of the first such set */
    uint64_t step[PIECES_MAX + 1][PIECES_MAX + 1];  /* and the number of sets of the even rows there */
};

struct ordering {
    struct set_order men, kings; /* of a side that moves down */
};

/* DAME_NO_MEMORY. */
enum dame_status ordering_create(const struct board *board, struct ordering **out);
void ordering_destroy(struct ordering *ordering); /* NULL is allowed */

/* Colex rank of at most PIECES_MAX numbers. */
static inline uint64_t ordering_half(const struct set_order *order, uint32_t numbers, int half_bytes,
                                     int *pieces)
{
    int before = order->ones[numbers & 0xFF];
    uint64_t rank = order->rank[0][0][numbers & 0xFF];
    for (int i = 1; i < half_bytes; i++) {
        const uint32_t byte = numbers >> 8 * i & 0xFF;
        rank += order->rank[i][before][byte];
        before += order->ones[byte];
    }
    *pieces = before;
    return rank;
}

static inline __attribute__((always_inline)) uint64_t ordering_rank_in(const struct set_order *order,
                                                                       uint64_t set, int bytes,
                                                                       int half_bytes, uint8_t *pieces)
{
    uint64_t numbers = 0;
    for (int i = 0; i < bytes; i++)
        numbers |= order->spread[i][set >> 8 * i & 0xFF];
    int on_even, on_odd;
    const uint64_t even = ordering_half(order, (uint32_t)numbers, half_bytes, &on_even);
    const uint64_t odd = ordering_half(order, (uint32_t)(numbers >> 32), half_bytes, &on_odd);
    *pieces = (uint8_t)(on_even + on_odd);
    return order->start[*pieces][on_odd] + odd * order->step[*pieces][on_odd] + even;
}

/* The rank of a set of at most PIECES_MAX squares among all sets of its size, and that size. With constants
   the loops become straight lines, and this is most of a probe. */
static inline uint64_t ordering_rank(const struct set_order *order, uint64_t set, uint8_t *pieces)
{
    if (order->bytes == 4 && order->half_bytes == 2)
        return ordering_rank_in(order, set, 4, 2, pieces);
    return ordering_rank_in(order, set, order->bytes, order->half_bytes, pieces);
}

#endif
