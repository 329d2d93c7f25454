/* The 32 playing squares of the mirrored 8x8 board, on which a1 is not one of them: as board_8x8.h, with the
   free bits between other board rows.

        bits   0  1  2  3            squares  1  2  3  4
        (4 free)
                 5  6  7  8                     5  6  7  8
               9 10 11 12                     9 10 11 12
        (13 free)
                14 15 16 17                    13 14 15 16
               ...                            ...

   Down: +4 to the left, +5 to the right; up: -5 and -4. */
#ifndef DAME_BOARDS_BOARD_8X8_MIRRORED_H
#define DAME_BOARDS_BOARD_8X8_MIRRORED_H

#include <stdint.h>

#include "boards/board.h"

typedef uint64_t word;
typedef uint32_t square_set; /* without gaps: bit = PDN number - 1 */

enum {
    STEP_SHORT = 4, /* down and towards the left edge, seen from White */
    STEP_LONG = 5,  /* down and towards the right edge */
    CROWN_SQUARES = 4
};

static const struct board BOARD = {
    .squares = 32, .columns = 4, .rows = 8, .men_squares = 28, .mirrored = true};

static const word BOARD_SQUARES = UINT64_C(0xF7FBFDFEF);
static const word TOP_ROW = UINT64_C(0x00000000F);    /* where a man that moves up is crowned */
static const word BOTTOM_ROW = UINT64_C(0xF00000000); /* where a man that moves down is crowned */

/* From 32 bits without gaps to the word of the board, and back. */
static inline word board_spread(uint64_t squares)
{
    return (squares & 0xF) | (squares & 0xFF0) << 1 | (squares & 0xFF000) << 2 | (squares & 0xFF00000) << 3 |
           (squares & 0xF0000000) << 4;
}

static inline uint64_t board_pack(word bits)
{
    return (bits & 0xF) | (bits >> 1 & 0xFF0) | (bits >> 2 & 0xFF000) | (bits >> 3 & 0xFF00000) |
           (bits >> 4 & 0xF0000000);
}

#endif
