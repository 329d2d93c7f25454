/* Quiet moves of men out of their class, for a whole row of positions at once: what a move needs of the board
   is a row of bits, and the value of the position it leads to is a row of another block. */
#ifndef DAME_KERNEL_ROWMOVES_H
#define DAME_KERNEL_ROWMOVES_H

#include "kernel/row.h"

/* A move of a man to a square that is `empty` in these positions leads to the row at `start`. */
static inline void note_man_move(const struct row_work *work, const struct planes *planes, size_t start,
                                 const uint64_t *empty)
{
    const uint64_t *won = planes->won + start, *lost = planes->lost + start;
    for (size_t i = 0; i < work->row.words; i++)
        for (uint64_t left = (won[i] | lost[i]) & empty[i] & work->calm[i]; left != 0; left &= left - 1) {
            int bit = bit_lowest(left);
            size_t column = i * 64 + (size_t)bit;
            uint8_t after = planes->distance == NULL ? 0 : planes->distance[64 * start + column];
            note_distance(work, column, won[i] >> bit & 1, lost[i] >> bit & 1, after);
        }
}

/* Quiet moves of men out of the class: `won` gets the positions in which one of them wins, `kept` those in
   which one does not lose. They lead to a more advanced class of the same slice, or to a slice with one man
   less. */
static inline void row_man_moves(const struct row_work *work, uint64_t *won, uint64_t *kept)
{
    const struct mover *mover = work->row.mover;
    square_set own = work->row.men | work->row.kings;
    for (square_set men = work->row.men; men != 0; men &= men - 1) {
        int from = bit_lowest(men);
        for (int direction = 0; direction < DIRECTIONS_DOWN; direction++) {
            int to = mover->steps->next[from][direction];
            if (to < 0 || (own >> to & 1) || (work->row.columns->all_men >> theirs(to) & 1))
                continue;
            bool crowned = on_crown_row(to);
            if (!crowned && mover->own->kind == SIDE_WHOLE)
                continue;
            const square_set rest = work->row.men & ~square_bit(from), bit = square_bit(to);
            const struct planes *planes = mover->after[crowned][0][0];
            size_t start = row_after(planes, crowned ? rest : rest | bit,
                                     crowned ? work->row.kings | bit : work->row.kings, mover->other_class);
            const uint64_t *their_won = planes->won + start, *their_lost = planes->lost + start;
            const uint64_t *empty = work->row.columns->empty[theirs(to)];
            for (size_t i = 0; i < work->row.words; i++) {
                won[i] |= their_lost[i] & empty[i];
                kept[i] |= ~their_won[i] & empty[i];
            }
            if (mover->distance != DISTANCE_NONE)
                note_man_move(work, planes, start, empty);
        }
    }
}

#endif
