/* Quiet moves of men out of their class, for a whole row of positions at once: what a move needs of the board
   is a row of bits, and the value of the position it leads to is a row of another block. */
#ifndef DAME_KERNEL_ROWS_MOVES_H
#define DAME_KERNEL_ROWS_MOVES_H

#include "kernel/rows/row.h"

/* A move of a man to a square that is `empty` in these positions. */
static inline void note_man_move(const struct row_work *work, const struct man_move *move,
                                 const uint64_t *empty)
{
    const uint64_t *won = move->values.won, *lost = move->values.lost;
    const bool ends_phase = metric_ends_phase(work->row.mover->metric, BY_MAN);
    for (size_t i = 0; i < work->row.words; i++)
        for (uint64_t left = (won[i] | lost[i]) & empty[i] & work->calm[i]; left != 0; left &= left - 1) {
            int bit = bit_lowest(left);
            size_t column = i * 64 + (size_t)bit;
            uint8_t after = move->values.distance == NULL ? 0 : move->values.distance[column];
            note_distance(work, column, won[i] >> bit & 1, lost[i] >> bit & 1,
                          plies_before(ends_phase, after));
        }
}

/* Quiet moves of men out of the class: `won` gets the positions in which one of them wins, `kept` those in
   which one does not lose. */
static inline void row_man_moves(const struct row_work *work, uint64_t *won, uint64_t *kept)
{
    const struct row *row = &work->row;
    for (square_set men = row->men; men != 0; men &= men - 1)
        for (int direction = 0; direction < DIRECTIONS_DOWN; direction++) {
            struct man_move move;
            if (!man_leaves(row, bit_lowest(men), direction, &move))
                continue;
            const uint64_t *their_won = move.values.won, *their_lost = move.values.lost;
            const uint64_t *empty = row->columns->empty[theirs(move.to)];
            for (size_t i = 0; i < row->words; i++) {
                won[i] |= their_lost[i] & empty[i];
                kept[i] |= ~their_won[i] & empty[i];
            }
            if (metric_has_plies(row->mover->metric))
                note_man_move(work, &move, empty);
        }
}

#endif
