/* The moves of one position, and the positions after them. */
#ifndef DAME_POSITION_MOVE_H
#define DAME_POSITION_MOVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/draw_rule.h"
#include "position/position.h"

enum {
    /* No position of any rule set here has more moves or successors; the random search for the largest
       number stands in tests/native/kernel. A generator that would pass it returns DAME_TOO_LARGE. */
    MOVES_MAX = 512,
    MOVE_SQUARES_MAX = 24 /* squares of one move: origin and one landing square for each captured piece */
};

struct move {
    uint64_t captured;              /* squares of the captured pieces; 0 for a quiet move */
    uint8_t path[MOVE_SQUARES_MAX]; /* origin, every landing square: squares 0..49 */
    uint8_t length; /* squares in the path: 2 for a quiet move, 1 + captured pieces for a capture */
    bool by_king;
    bool crowned;   /* a man has become a king */
    uint32_t paths; /* orders of the jumps that are this one move */
};

struct move_list {
    int count;
    struct move moves[MOVES_MAX];
};

/* What is known of the successors of a position beside the positions themselves. */
struct successors {
    int count;
    bool captures; /* there are captures, which must be played */
};

/* The successors of a position: for the move_list of the same kernel, positions[i] is the one after
   moves[i]. */
struct position_list {
    int count;
    bool captures; /* there are captures, which must be played */
    struct position positions[MOVES_MAX];
};

static inline struct move_nature move_nature(const struct move *move)
{
    return (struct move_nature){.capture = move->captured != 0, .man_move = !move->by_king};
}

/* The position after a legal move, seen by the side that moves then. */
static inline struct position position_after(const struct position *before, const struct move *move,
                                             int squares)
{
    const uint64_t from = bit_at(move->path[0]), to = bit_at(move->path[move->length - 1]);
    return position_turned(position_moved(*before, from, to, move->captured, move->by_king || move->crowned),
                           squares);
}

#endif
