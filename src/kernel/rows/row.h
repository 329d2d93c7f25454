/* One row of positions: the mover's pieces are fixed, and there is one bit for every arrangement of the other
   side's pieces in one class (planes/side.h).

   Squares are the mover's (it moves down); rows of the other side are indexed by its own squares, hence
   THEIRS. */
#ifndef DAME_KERNEL_ROWS_ROW_H
#define DAME_KERNEL_ROWS_ROW_H

#include <assert.h>
#include <string.h>

#include "boards/steps.h"
#include "kernel/rows/unit.h"
#include "planes/rows.h"

static inline int theirs(int square)
{
    return BOARD.squares - 1 - square;
}

static inline square_set square_bit(int square)
{
    return (square_set)((square_set)1 << square);
}

static inline bool on_crown_row(int square)
{
    return square >= BOARD.men_squares;
}

/* One row of the mover: its pieces, and the arrangements of the other side. */
struct row {
    const struct mover *mover;
    const struct columns *columns;
    size_t words;
    square_set men, kings;
};

/* A row, and what is found out about it. */
struct row_work {
    struct row row;
    uint64_t *won, *kept;             /* captures: some path wins; some path does not lose */
    uint64_t *their_won, *their_lost; /* values where a capture ends, without gaps */
    /* With distances: the shortest win and the longest loss by moves out of the class, for every column. */
    uint8_t *win_in, *lose_in;
    uint8_t *their_distance;     /* like their_won */
    const uint64_t *calm;        /* positions without a capture, when moves of men are looked at */
    uint64_t *scratch;           /* CAPTURE_ROWS rows for each jump */
    struct row_priority *choice; /* among captures; NULL where the choice is free */
};

/* Values in `planes` with the mover's pieces (men, kings), the other side to move. */
static inline struct plane_rows row_after(const struct planes *planes, square_set men, square_set kings,
                                          uint32_t other_class)
{
    const struct side *side = planes->rows;
    uint32_t class = side_class_of(side, men);
    return planes_rows(planes, class, other_class, side_row(side, class, men, kings));
}

/* A move of a man out of the class: the mover's pieces after it, and where their values stand. They are in a
   more advanced class of the same slice, or in a slice with one man less. */
struct man_move {
    int to;
    square_set men, kings;
    struct plane_rows values;
};

/* The quiet move of the man on `from` in one direction; false if there is none, or none out of the class. */
static ALWAYS_INLINE bool man_leaves(const struct row *row, int from, int direction, struct man_move *out)
{
    const struct mover *mover = row->mover;
    const int to = mover->steps->next[from][direction];
    if (to < 0 || ((row->men | row->kings) >> to & 1) || (row->columns->all_men >> theirs(to) & 1))
        return false;
    const bool crowned = on_crown_row(to);
    if (!crowned && mover->own->partition == PARTITION_WHOLE)
        return false;
    const square_set rest = row->men & ~square_bit(from), bit = square_bit(to);
    out->to = to;
    out->men = crowned ? rest : rest | bit;
    out->kings = crowned ? row->kings | bit : row->kings;
    out->values = row_after(mover->after[crowned][0][0], out->men, out->kings, mover->other_class);
    return true;
}

/* The placements of a row: no two pieces share a square. False if the mover's own men and kings do. */
static inline bool row_placements(const struct columns *columns, square_set men, square_set kings,
                                  uint64_t *restrict valid, size_t words)
{
    if ((men & kings) != 0) {
        row_clear(valid, words);
        return false;
    }
    memcpy(valid, columns->sound, words * sizeof *valid);
    for (square_set own = men | kings; own != 0; own &= own - 1)
        row_and_into(valid, columns->empty[theirs(bit_lowest(own))], words);
    return true;
}

/* Those of the `calm` positions in which no piece of the mover has a quiet move. */
static inline void row_blocked(const struct row *row, const uint64_t *calm, uint64_t *blocked)
{
    const square_set own = row->men | row->kings;
    memcpy(blocked, calm, row->words * sizeof *blocked);
    for (square_set pieces = own; pieces != 0; pieces &= pieces - 1) {
        const int square = bit_lowest(pieces);
        const int directions = row->kings >> square & 1 ? DIRECTIONS : DIRECTIONS_DOWN;
        for (int direction = 0; direction < directions; direction++) {
            const int to = row->mover->steps->next[square][direction];
            if (to < 0 || (own >> to & 1) != 0)
                continue;
            const uint64_t *empty = row->columns->empty[theirs(to)];
            for (size_t i = 0; i < row->words; i++)
                blocked[i] &= ~empty[i];
        }
    }
}

/* One ply more than the position after the move, unless that move is what is counted to. */
static inline uint8_t plies_before(bool ends_phase, uint8_t after)
{
    if (ends_phase)
        return 1;
    return after < PLIES_MAX ? (uint8_t)(after + 1) : PLY_NEVER;
}

/* A move of the position in `column` leads to a position lost or won for the other side; its own distance by
   that is `plies`. */
static inline void note_distance(const struct row_work *work, size_t column, bool won, bool lost,
                                 uint8_t plies)
{
    if (lost && plies < work->win_in[column])
        work->win_in[column] = plies;
    if (won && plies > work->lose_in[column])
        work->lose_in[column] = plies;
}

#endif
