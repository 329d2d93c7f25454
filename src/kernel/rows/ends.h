/* Where captures end: values of smaller slices, read as a row of this one. */
#ifndef DAME_KERNEL_ROWS_ENDS_H
#define DAME_KERNEL_ROWS_ENDS_H

#include "kernel/rows/row.h"

/* A capture under way: the rest of the mover's pieces, and what it has taken so far. */
struct row_capture {
    square_set men, kings;  /* the mover's pieces without the capturing one */
    square_set taken;       /* squares jumped over */
    square_set taken_men;   /* those of them that held men, in the other side's squares */
    square_set taken_kings; /* and kings */
    uint64_t key;           /* its order among captures (captures.h) */
    bool king;              /* what captures is a king by now */
    bool crowned;           /* and became one on the way */
};

/* A run of neighbouring arrangements in one class of a slice, without those that use a captured piece's
   square with a piece like it: they came from no arrangement of the larger slice. */
struct smaller_row {
    const struct columns *columns;
    uint64_t from, width;
    square_set without_men, without_kings;
};

/* Which of `count` arrangements from `at` on they are. */
static inline uint64_t smaller_gone(const struct smaller_row *smaller, uint64_t at, int count)
{
    uint64_t gone = 0;
    for (square_set men = smaller->without_men; men != 0; men &= men - 1)
        gone |= row_bits(smaller->columns->man[bit_lowest(men)], smaller->from + at, count);
    for (square_set kings = smaller->without_kings; kings != 0; kings &= kings - 1)
        gone |= row_bits(smaller->columns->king[bit_lowest(kings)], smaller->from + at, count);
    return gone;
}

/* Keep only those arrangements, without gaps. The word behind the last one is cleared, too. */
static inline void compress_row(const struct smaller_row *smaller, const uint64_t *won, const uint64_t *lost,
                                uint64_t *won_out, uint64_t *lost_out)
{
    size_t filled = 0;
    won_out[0] = lost_out[0] = 0;
    for (uint64_t at = 0; at < smaller->width; at += 64) {
        int count = smaller->width - at < 64 ? (int)(smaller->width - at) : 64;
        uint64_t from = smaller->from + at;
        uint64_t keep = ~smaller_gone(smaller, at, count) & bits_below(count);
        uint64_t won_bits = bits_extract(row_bits(won, from, count), keep);
        uint64_t lost_bits = bits_extract(row_bits(lost, from, count), keep);
        size_t i = filled / 64;
        int shift = (int)(filled % 64);
        won_out[i] |= won_bits << shift;
        lost_out[i] |= lost_bits << shift;
        won_out[i + 1] = shift == 0 ? 0 : won_bits >> (64 - shift);
        lost_out[i + 1] = shift == 0 ? 0 : lost_bits >> (64 - shift);
        filled += (size_t)bit_count(keep);
    }
}

/* Distances of a smaller row without gaps, as compress_row does it with bits. */
static inline void compress_distances(const struct smaller_row *smaller, const uint8_t *distance,
                                      uint8_t *out)
{
    for (uint64_t at = 0; at < smaller->width; at += 64) {
        int count = smaller->width - at < 64 ? (int)(smaller->width - at) : 64;
        uint64_t keep = ~smaller_gone(smaller, at, count) & bits_below(count);
        const uint8_t *from = distance + smaller->from + at;
        if (keep == ~UINT64_C(0)) {
            for (int i = 0; i < 64; i++)
                *out++ = from[i];
            continue;
        }
        for (; keep != 0; keep &= keep - 1)
            *out++ = from[bit_lowest(keep)];
    }
}

/* The positions in `reach` have a capture that ends where their_won, their_lost and their_distance say. */
static inline void note_captures(const struct row_work *work, const uint64_t *reach, const uint64_t *taken)
{
    const bool ends_phase = metric_ends_phase(work->row.mover->metric, BY_CAPTURE);
    uint64_t from = 0;
    for (size_t i = 0; i < work->row.words; i++) {
        for (uint64_t left = reach[i]; left != 0; left &= left - 1) {
            int bit = bit_lowest(left);
            uint64_t at = from + (uint64_t)bit_count(taken[i] & bits_below(bit));
            bool won = work->their_won[at / 64] >> at % 64 & 1,
                 lost = work->their_lost[at / 64] >> at % 64 & 1;
            note_distance(work, i * 64 + (size_t)bit, won, lost,
                          plies_before(ends_phase, work->their_distance[at]));
        }
        from += (uint64_t)bit_count(taken[i]);
    }
}

/* Nothing is left of the other side: the game ends, as a win, in giveaway as a loss. */
static inline void game_ends(const struct row_work *work, const uint64_t *reach)
{
    const bool misere = work->row.mover->misere;
    if (!misere) {
        row_or_into(work->won, reach, work->row.words);
        row_or_into(work->kept, reach, work->row.words);
    }
    for (size_t i = 0; i < work->row.words && metric_has_plies(work->row.mover->metric); i++)
        for (uint64_t left = reach[i]; left != 0; left &= left - 1)
            note_distance(work, i * 64 + (size_t)bit_lowest(left), misere, !misere, 1);
}

/* The row of the smaller slice that holds what is left of the other side, and its class. */
static inline struct smaller_row find_smaller(const struct mover *mover, const struct row_capture *capture,
                                              const struct side *other, uint32_t *class_out)
{
    struct smaller_row smaller = {.without_men = capture->taken_men, .without_kings = capture->taken_kings};
    uint32_t class;
    if (mover->other->partition == PARTITION_SINGLE) {
        uint64_t rank = subset_rank(mover->other_men & ~capture->taken_men);
        class = other->class_of[rank];
        smaller.from = (uint64_t)(other->place[rank] - other->class_start[class]) * other->king_sets;
        smaller.width = other->king_sets;
    } else if (mover->other->partition == PARTITION_WHOLE) { /* then what is left of it is whole, too */
        class = 0;
        smaller.width = side_width(other, class);
    } else {
        uint32_t advance = mover->other->advance[mover->other_class];
        for (square_set men = capture->taken_men; men != 0; men &= men - 1)
            advance -= (uint32_t)(bit_lowest(men) / BOARD.columns);
        uint32_t first = other->group_start[advance], end = other->group_start[advance + 1];
        class = other->partition == PARTITION_WHOLE ? 0 : advance - other->advance[0];
        smaller.from = (uint64_t)(first - other->class_start[class]) * other->king_sets;
        smaller.width = (uint64_t)(end - first) * other->king_sets;
    }
    smaller.columns = &other->columns[class];
    *class_out = class;
    return smaller;
}

/* The path ends on `square` for the positions in `reach`. The values stand in a smaller slice, whose row is
   that of the arrangements without the captured pieces; `taken` marks the arrangements that hold them, in the
   same order. */
static inline void capture_ends(const struct row_work *work, const struct row_capture *capture, int square,
                                const uint64_t *reach, const uint64_t *taken)
{
    const struct mover *mover = work->row.mover;
    const bool crowned = capture->crowned || (!capture->king && on_crown_row(square));
    const struct planes *planes =
        mover->after[crowned][bit_count(capture->taken_men)][bit_count(capture->taken_kings)];
    if (planes == NULL) {
        game_ends(work, reach);
        return;
    }
    uint32_t class;
    const struct smaller_row smaller = find_smaller(mover, capture, planes->columns, &class);
    square_set men = capture->men, kings = capture->kings;
    if (capture->king || crowned)
        kings |= square_bit(square);
    else
        men |= square_bit(square);
    const struct plane_rows values = row_after(planes, men, kings, class);
    compress_row(&smaller, values.won, values.lost, work->their_won, work->their_lost);
    uint64_t from = 0;
    for (size_t i = 0; i < work->row.words; i++) {
        int count = bit_count(taken[i]);
        if (count == 0)
            continue;
        work->won[i] |= reach[i] & bits_deposit(row_bits(work->their_lost, from, count), taken[i]);
        work->kept[i] |= reach[i] & ~bits_deposit(row_bits(work->their_won, from, count), taken[i]);
        from += (uint64_t)count;
    }
    if (!metric_has_plies(mover->metric))
        return;
    if (!metric_ends_phase(mover->metric, BY_CAPTURE))
        compress_distances(&smaller, values.distance, work->their_distance);
    note_captures(work, reach, taken);
}

#endif
