/* The moves of a position: what each of them leads to, and which is better.

   All is seen by the side that makes the move, and counted from before it: the best move of a position has
   the value and the distances of the position, and a move that wins at once takes 1 ply. */
#ifndef DAME_PROBE_MOVES_H
#define DAME_PROBE_MOVES_H

#include <stdbool.h>

#include "position/move.h"
#include "probe/library.h"

enum { MOVE_UNKNOWN = -128 }; /* instead of a value: no table tells what the move leads to */

struct move_value {
    int wdl;            /* 1, 0, -1, or MOVE_UNKNOWN */
    int plies[METRICS]; /* in each metric of distances: NO_PLIES for a draw, and where no table tells */
    int traps;          /* of a draw: how many replies would lose, as far as tables tell */
    int clock;          /* the counter of the draw rule after the move */
    bool ends;          /* the game is over then */
    struct missing_table missing; /* of an unknown one: what its value depends on */
};

/* Find the legal moves and, in the same order, their values; there are none if the game is over
   (outcome_at_end): with a full counter there is no move either. `values` has room for MOVES_MAX.

   A move whose table is missing is unknown, and no failure; `detail` may be NULL. DAME_BAD_POSITION,
   DAME_BAD_ARGUMENT: a clock out of range, and what value.h says of tables that cannot be read. */
enum dame_status moves_probe(const struct library *library, const struct position *position, int clock,
                             struct move_list *moves, struct move_value *values, char *detail);

/* order[0] becomes the number of the best move, and so on for `count` moves, at most MOVES_MAX.

   Wins come first, the shortest of them before the others; then draws, in the order of how many replies lose;
   then losses, the longest first; the unknown last. Lengths are plies in the first metric, in the order of
   enum metric, that all moves of this value have. Of wins of one length, or without lengths, those that
   end the game come first. What is equal keeps its order. */
void moves_order(const struct move_value *values, int count, int *order);

#endif
