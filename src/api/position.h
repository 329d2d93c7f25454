/* From positions as they lie on the board to those of the core, which are seen by the side to move. */
#ifndef DAME_API_POSITION_H
#define DAME_API_POSITION_H

#include "dame.h"
#include "position/position.h"

/* DAME_BAD_POSITION and the reason in `detail` (DETAIL_MAX bytes): no such side, or pieces off the board,
   which turning it would lose. Everything else is checked by whoever gets *out. */
enum dame_status position_from_public(const struct board *board, const struct dame_position *position,
                                      struct position *out, char *detail);

/* The inverse, for a position whose side to move is `side`. */
struct dame_position position_to_public(const struct board *board, const struct position *position, int side);

#endif
