/* What the coder of win, draw and loss knows of a block without reading it: which values make a row,
   which places hold no value because pieces overlap, and which rows before resemble a row.

   A line is a run of sets of the fastest piece set that differ in their lowest piece only; a piece set of one
   piece with at most 32 sets is one line. A row of a file is the values of a line with all other piece sets
   fixed: up to 32 values of two bits, which fit into a word.

   Rows resemble each other if few pieces of one set stand a few steps elsewhere. FORMAT.md has the distance;
   it is a matter of the board alone, so files say nothing of it. */
#ifndef DAME_TABLES_LINES_H
#define DAME_TABLES_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "boards/board.h"
#include "slices/index.h"

enum {
    LINE_VALUES = 32,      /* of one line at most */
    LINES_NEAR = 3,        /* sets that resemble a set */
    LINES_BESIDE = 2,      /* squares that resemble a square */
    LINES_WINDOW = 512,    /* how far back a set is looked for */
    LINES_ROWS_MAX = 4096, /* of a block */
    LINES_SETS_MAX = 1 << 22
};

/* The numbers that the values of a line stand for: of even board rows, of odd ones, or of both. */
enum line_half { HALF_EVEN, HALF_ODD, HALF_BOTH, LINE_HALVES };

struct line {
    uint64_t squares; /* of the pieces that all sets of the line share, seen by the side to move */
    uint32_t first;   /* rank of the first set */
    uint16_t near[LINES_NEAR];
    uint8_t length, half;
};

/* One set of another piece set. `near`: so many sets further up one resembles it, 0: there is no other. */
struct line_set {
    uint64_t squares; /* seen by the side to move */
    /* The numbers of these squares as the fastest piece set counts them, on even and on odd board rows: bit 2
       n for number n. */
    uint64_t taken[2];
    uint16_t near[LINES_NEAR];
};

struct lines {
    uint32_t inner; /* sets of the fastest piece set */
    uint32_t line_count;
    struct line *lines;
    uint32_t set_count[PIECE_SETS - 1]; /* of the other piece sets, the quickest first; 1 if there is none */
    struct line_set *sets[PIECE_SETS - 1];
    int even;                                               /* numbers of even board rows */
    uint8_t beside[LINE_HALVES][LINE_VALUES][LINES_BESIDE]; /* of number 0: itself */
    /* How much a value counts in the context of another: 243 if it is its first, 729 if its second. */
    uint16_t weights[LINE_HALVES][LINE_VALUES][LINE_VALUES + 1];
};

/* For blocks of so many values. DAME_NO_MEMORY; DAME_TOO_LARGE if a piece set has more than LINES_SETS_MAX
   sets. */
enum dame_status lines_create(const struct board *board, const struct ordering *ordering, struct material m,
                              const struct index_shape *shape, uint64_t block_values, struct lines *out);
void lines_destroy(struct lines *lines); /* all zero is allowed */

/* The most rows that a block of so many values touches. */
uint64_t lines_rows(const struct lines *lines, uint64_t values);

/* The values of a line that do not exist since their squares are taken: bit 2 n of value n. */
static inline uint64_t lines_taken(const struct lines *lines, const struct line *line,
                                   const uint64_t taken[2])
{
    return line->half == HALF_EVEN  ? taken[0]
           : line->half == HALF_ODD ? taken[1]
                                    : taken[0] | taken[1] << 2 * lines->even;
}

#endif
