/* What the rest of the core may know of a board at run time: how many squares there are.
   Squares are numbered row by row from the top left; bit = PDN number - 1. Positions are seen by a side
   that moves down, so its men start on the low bits and are crowned on the last row. */
#ifndef DAME_BOARDS_BOARD_H
#define DAME_BOARDS_BOARD_H

#include <stdbool.h>

struct board {
    int squares;     /* playing squares: 32 or 50 */
    int columns;     /* playing squares in one row: 4 or 5 */
    int rows;        /* 8 or 10 */
    int men_squares; /* squares a man may stand on: all but the crown row */
    bool mirrored;   /* the bottom left corner, seen by White, is no playing square */
};

#endif
