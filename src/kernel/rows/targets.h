/* Where the moves inside a class lead from one row, and what they give for all its positions. */
#ifndef DAME_KERNEL_ROWS_TARGETS_H
#define DAME_KERNEL_ROWS_TARGETS_H

#include "kernel/rows/half.h"
#include "planes/king_moves.h"

/* A flying king reaches at most 17 squares on 100. */
enum { TARGETS_MAX = PIECES_MAX * 17 };

/* Where the moves of one row lead inside its class. */
struct row_targets {
    int count;
    bool stale;              /* one of the rows has changed since the last sweep */
    bool first[TARGETS_MAX]; /* not further on the way of the target before */
    size_t at[TARGETS_MAX];  /* first word of the row in the matrices of this half */
    const uint64_t *won[TARGETS_MAX], *lost[TARGETS_MAX], *empty[TARGETS_MAX];
};

static inline void add_target(const struct half_view *view, uint64_t row, int to, bool first,
                              struct row_targets *out)
{
    assert(out->count < TARGETS_MAX && row < view->rows);
    size_t at = (size_t)row * view->words;
    out->first[out->count] = first;
    out->at[out->count] = at;
    out->won[out->count] = view->half->seen_won + at;
    out->lost[out->count] = view->half->seen_lost + at;
    out->empty[out->count] = view->columns->empty[theirs(to)];
    out->count++;
    out->stale |= view->half->stale[row];
}

static inline void add_man_targets(const struct half_view *view, square_set men, square_set kings,
                                   struct row_targets *out)
{
    const struct mover *mover = view->mover;
    for (square_set left = men; left != 0; left &= left - 1) {
        int from = bit_lowest(left);
        for (int direction = 0; direction < DIRECTIONS_DOWN; direction++) {
            int to = mover->steps->next[from][direction];
            if (to < 0 || ((men | kings) >> to & 1) || on_crown_row(to))
                continue;
            const square_set moved = (men & ~square_bit(from)) | square_bit(to);
            add_target(view, side_row(mover->own, mover->own_class, moved, kings), to, true, out);
        }
    }
}

static inline void find_targets(const struct half_view *view, uint64_t number, struct row_targets *out)
{
    const struct mover *mover = view->mover;
    const square_set men = men_of_row(mover, number);
    uint32_t rank = (uint32_t)(number % mover->own->king_sets);
    uint64_t base = number - rank;
    bool is_blocked = false; /* a man of the mover stands on the way of a flying king */
    out->count = 0;
    out->stale = false;
    for (uint32_t i = mover->king_moves->start[rank]; i < mover->king_moves->start[rank + 1]; i++) {
        uint32_t move = mover->king_moves->moves[i];
        const int to = (int)(move & KING_MOVE_SQUARE);
        const bool first = (move & KING_MOVE_FIRST) != 0;
        is_blocked = (RULES.flying_kings && !first && is_blocked) || (men >> to & 1) != 0;
        if (!is_blocked)
            add_target(view, base + (move >> KING_MOVE_SHIFT), to, first, out);
    }
    if (mover->own->partition == PARTITION_WHOLE)
        add_man_targets(view, men, kings_of_row(mover, number), out);
}

/* `n` words of a row from word `i` on: in which positions some move inside the class wins, and in which all
   of them lose. A flying king needs all squares on its way empty. */
static ALWAYS_INLINE void sum_targets(const struct row_targets *targets, size_t i, size_t n,
                                      uint64_t *restrict some, uint64_t *restrict all)
{
    uint64_t way[8];
    for (size_t k = 0; k < n; k++) {
        some[k] = 0;
        all[k] = way[k] = ~UINT64_C(0);
    }
    for (int t = 0; t < targets->count; t++)
        for (size_t k = 0; k < n; k++) {
            uint64_t empty = targets->empty[t][i + k];
            if (RULES.flying_kings) {
                empty &= targets->first[t] ? ~UINT64_C(0) : way[k];
                way[k] = empty;
            }
            some[k] |= targets->lost[t][i + k] & empty;
            all[k] &= targets->won[t][i + k] | ~empty;
        }
}

#endif
