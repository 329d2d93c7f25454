/* What the rest of the core may know of a board at run time: how many squares there are.
   Squares are numbered from the top left, one board row after the other; bit = PDN number - 1. Positions are
   seen by a side that moves down: its men start on the low bits and are crowned on the last board row. */
#ifndef DAME_BOARDS_BOARD_H
#define DAME_BOARDS_BOARD_H

#include <stdbool.h>

struct board {
    int squares;     /* playing squares: 32, 50, 64 */
    int columns;     /* playing squares in one board row: 4, 5, 8 */
    int rows;        /* board rows: 8 or 10 */
    int men_squares; /* squares a man may stand on: all but the crown row */
    bool mirrored;   /* the bottom left corner, seen by White, is no playing square */
};

/* The column of a square on a board of which every other square is played. */
static inline int board_column(const struct board *board, int square)
{
    const int row = square / board->columns;
    return 2 * (square % board->columns) + (row + 1 + (board->mirrored ? 1 : 0)) % 2;
}

#endif
