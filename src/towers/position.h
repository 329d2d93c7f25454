/* A board of towers. Squares are PDN numbers less one, counted from the top left; the board is never
   turned, White moves up. Directions: 0 and 1 up (left, right), 2 and 3 down (left, right). */
#ifndef DAME_TOWERS_POSITION_H
#define DAME_TOWERS_POSITION_H

#include <stdbool.h>
#include <stdint.h>

#include "towers/stack.h"

enum {
    TOWER_SQUARES = 32,
    TOWER_COLUMNS = 4,
    TOWER_PIECES_MAX = 24, /* of both sides, prisoners included: no piece ever leaves the board */
    DIRECTIONS = 4,
    NOWHERE = -1 /* no square, no direction */
};

struct tower_position {
    struct stack stacks[TOWER_SQUARES];
    bool white_to_move;
};

static inline int opposite(int direction)
{
    return DIRECTIONS - 1 - direction;
}

/* The next square in a direction, NOWHERE beyond the edge. */
static inline int square_next(int square, int direction)
{
    const int row = square / TOWER_COLUMNS;
    const int column = 2 * (square % TOWER_COLUMNS) + (row % 2 == 0);
    const int to_row = row + (direction < 2 ? -1 : 1);
    const int to_column = column + (direction % 2 == 0 ? -1 : 1);
    if (to_row < 0 || to_row >= 2 * TOWER_COLUMNS || to_column < 0 || to_column >= 2 * TOWER_COLUMNS)
        return NOWHERE;
    return TOWER_COLUMNS * to_row + to_column / 2;
}

static inline bool square_is_empty(const struct tower_position *position, int square)
{
    return position->stacks[square].height == 0;
}

/* Whether a man of a side becomes a king on the square. */
static inline bool square_crowns(int square, bool white)
{
    return square / TOWER_COLUMNS == (white ? 0 : 2 * TOWER_COLUMNS - 1);
}

#endif
