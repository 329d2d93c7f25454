/* For every set of kings: where each of its kings could go on an otherwise empty board, and the rank of the
   set after that. Found once, since every sweep asks for it again. Squares that a flying king reaches in one
   direction follow each other from the nearest on; the first one is marked. */
#ifndef DAME_PLANES_KING_MOVES_H
#define DAME_PLANES_KING_MOVES_H

#include <stdint.h>

#include "base/status.h"
#include "boards/steps.h"
#include "planes/side.h"

struct king_moves {
    uint32_t *start; /* [king_sets + 1] into moves */
    uint32_t *moves; /* rank of the new set << KING_MOVE_SHIFT | KING_MOVE_FIRST | square moved to */
};

enum { KING_MOVE_SHIFT = 7, KING_MOVE_FIRST = 1 << 6, KING_MOVE_SQUARE = KING_MOVE_FIRST - 1 };

/* Bytes of the table for so many kings. */
uint64_t king_moves_bytes(const struct board *board, const struct steps *steps, bool flying, int kings);

enum dame_status king_moves_create(const struct side *side, const struct steps *steps, bool flying,
                                   struct king_moves **out);
void king_moves_destroy(struct king_moves *moves);

#endif
