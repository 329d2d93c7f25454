/* The 50 playing squares of the 10x10 board in one word: as board_8x8.h, with five squares to a
   board row and one free bit after every second one. */
#ifndef DAME_BOARDS_BOARD_10X10_H
#define DAME_BOARDS_BOARD_10X10_H

#include <stdint.h>

#include "boards/board.h"

typedef uint64_t word;
typedef uint64_t square_set; /* without gaps: bit = PDN number - 1 */

enum { STEP_SHORT = 5, STEP_LONG = 6, CROWN_SQUARES = 5 };

static const struct board BOARD = {.squares = 50, .columns = 5, .rows = 10, .men_squares = 45};

static const word BOARD_SQUARES = UINT64_C(0x3FF7FEFFDFFBFF);
static const word TOP_ROW = UINT64_C(0x0000000000001F);
static const word BOTTOM_ROW = UINT64_C(0x3E000000000000);

static inline word board_spread(uint64_t squares)
{
    word bits = 0;
    for (int pair = 0; pair < 5; pair++)
        bits |= (squares >> 10 * pair & 0x3FF) << 11 * pair;
    return bits;
}

static inline uint64_t board_pack(word bits)
{
    uint64_t squares = 0;
    for (int pair = 0; pair < 5; pair++)
        squares |= (bits >> 11 * pair & 0x3FF) << 10 * pair;
    return squares;
}

#endif
