/* The 32 playing squares of the 8x8 board in one word.

   After every second board row one bit stays free. Then a diagonal step is the same shift everywhere, and a
   step over the edge lands on a free bit (or outside), which is never an empty square:

        bits     0  1  2  3          squares    1  2  3  4
               4  5  6  7                     5  6  7  8
        (8 free)
                 9 10 11 12                     9 10 11 12
              13 14 15 16                    13 14 15 16
        (17 free) ...

   Down: +4 to the left, +5 to the right; up: -5 and -4. */
#ifndef DAME_BOARDS_BOARD_8X8_H
#define DAME_BOARDS_BOARD_8X8_H

#include <stdint.h>

#include "boards/board.h"

typedef uint64_t word;
typedef uint32_t square_set; /* without gaps: bit = PDN number - 1 */

enum {
    STEP_SHORT = 4, /* down and towards the left edge, seen from White */
    STEP_LONG = 5,  /* down and towards the right edge */
    CROWN_SQUARES = 4
};

static const struct board BOARD = {.squares = 32, .columns = 4, .rows = 8, .men_squares = 28};

static const word BOARD_SQUARES = UINT64_C(0x7FBFDFEFF);
static const word TOP_ROW = UINT64_C(0x00000000F);    /* where a man that moves up is crowned */
static const word BOTTOM_ROW = UINT64_C(0x780000000); /* where a man that moves down is crowned */

/* From 32 bits without gaps to the word of the board, and back. */
static inline word board_spread(uint64_t squares)
{
    return (squares & 0xFF) | (squares & 0xFF00) << 1 | (squares & 0xFF0000) << 2 |
           (squares & 0xFF000000) << 3;
}

static inline uint64_t board_pack(word bits)
{
    return (bits & 0xFF) | (bits >> 1 & 0xFF00) | (bits >> 2 & 0xFF0000) | (bits >> 3 & 0xFF000000);
}

#endif
