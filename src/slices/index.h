/* The number of a position inside its slice: the order in which table files hold their values.

       index = ((X * men sets of the mover + M) * king sets of the other + Y) * king sets of the mover + K

   M and K are the colex ranks of the mover's men and kings; X and Y those of the other side's men and kings
   on the board turned by 180 degrees, so that either side's men are ranked on the squares that they move
   over. Placements in which pieces share a square have an index but no value. */
#ifndef DAME_SLICES_INDEX_H
#define DAME_SLICES_INDEX_H

#include <stdint.h>

#include "base/status.h"
#include "boards/board.h"
#include "slices/material.h"

/* How many sets each of the four kinds of pieces can form. */
struct index_shape {
    uint64_t own_men, own_kings, other_men, other_kings;
    uint64_t size; /* their product */
};

/* DAME_TOO_LARGE if the size does not fit. */
enum dame_status index_shape(const struct board *board, struct material m, struct index_shape *out);

/* The four bitboards as in `struct position`: seen by the side to move, which moves down. */
uint64_t index_of(const struct board *board, const struct index_shape *shape, uint64_t own_men,
                  uint64_t own_kings, uint64_t other_men, uint64_t other_kings);

#endif
