/* Moves for a whole row of positions at once. The mover's pieces are fixed; the row has one bit for every
   arrangement of the other side's pieces in one class (slices/side.h). What a move needs of the board becomes
   a row of bits, and the value of the position it leads to is a row of another slice.

   Squares are the mover's (it moves down); rows of the other side are indexed by its own squares, hence
   THEIRS. Compiled for rule sets with short kings and free choice among captures. */
#ifndef DAME_KERNEL_ROWMOVES_H
#define DAME_KERNEL_ROWMOVES_H

#include <assert.h>
#include <string.h>

#include "boards/steps.h"
#include "kernel/unit.h"
#include "slices/rows.h"

static inline int theirs(int square)
{
    return BOARD.squares - 1 - square;
}

static inline bool on_crown_row(int square)
{
    return square >= BOARD.men_squares;
}

/* One row of the mover: its pieces, and what is found out about the row. */
struct row_work {
    const struct mover *mover;
    const struct columns *columns;
    size_t words;
    uint32_t own_men, own_kings;
    uint64_t *won, *kept;             /* captures: some path wins; some path does not lose */
    uint64_t *their_won, *their_lost; /* values where a capture ends, without gaps */
    /* With distances: the shortest win and the longest loss by moves out of the class, for every column. */
    uint8_t *win_in, *lose_in;
    uint8_t *their_distance; /* like their_won */
    const uint64_t *calm;    /* positions without a capture, when moves of men are looked at */
    uint64_t *scratch;       /* CAPTURE_ROWS rows for each jump */
};

/* Values in `planes` with the mover's pieces (men, kings), the other side to move. */
static inline size_t row_after(const struct planes *planes, uint32_t men, uint32_t kings,
                               uint32_t other_class)
{
    const struct side *side = planes->rows;
    uint32_t class = side_class_of(side, men);
    return planes_at(planes, class, other_class, side_row(side, class, men, kings));
}

/* The placements of a row: no two pieces share a square. False if the mover's own men and kings do. */
static inline bool row_placements(const struct columns *columns, uint32_t men, uint32_t kings,
                                  uint64_t *restrict valid, size_t words)
{
    if ((men & kings) != 0) {
        row_clear(valid, words);
        return false;
    }
    memcpy(valid, columns->sound, words * sizeof *valid);
    for (uint32_t own = men | kings; own != 0; own &= own - 1)
        row_and_into(valid, columns->empty[theirs(bit_lowest(own))], words);
    return true;
}

/* A capture under way: the rest of the mover's pieces, and what it has taken so far. */
struct row_capture {
    uint32_t men, kings; /* the mover's pieces without the capturing one */
    bool king;           /* what captures */
    uint32_t taken;      /* squares jumped over */
    uint32_t taken_men;  /* those of them that held men, in the other side's squares */
    uint32_t taken_kings;
};

/* A run of neighbouring arrangements in one class of a slice, without those that use a captured piece's
   square with a piece of its kind: they came from no arrangement of the larger slice. */
struct smaller_row {
    const struct columns *columns;
    uint64_t from, width;
    uint32_t without_men, without_kings;
};

/* Which of `count` arrangements from `at` on they are. */
static inline uint64_t smaller_gone(const struct smaller_row *smaller, uint64_t at, int count)
{
    uint64_t gone = 0;
    for (uint32_t men = smaller->without_men; men != 0; men &= men - 1)
        gone |= row_bits(smaller->columns->man[bit_lowest(men)], smaller->from + at, count);
    for (uint32_t kings = smaller->without_kings; kings != 0; kings &= kings - 1)
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

/* One ply more than the position after the move; moves out of the class are zeroing moves. */
static inline uint8_t ply_before(const struct mover *mover, uint8_t after)
{
    if (mover->distance == DISTANCE_DTZ)
        return 1;
    return after < PLIES_MAX ? (uint8_t)(after + 1) : PLY_NEVER;
}

/* A move of the position in `column` leads to a position lost or won for the other side in `after` plies. */
static inline void note_distance(const struct row_work *row, size_t column, bool won, bool lost,
                                 uint8_t after)
{
    uint8_t plies = ply_before(row->mover, after);
    if (lost && plies < row->win_in[column])
        row->win_in[column] = plies;
    if (won && plies > row->lose_in[column])
        row->lose_in[column] = plies;
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
static inline void note_captures(const struct row_work *row, const uint64_t *reach, const uint64_t *taken)
{
    uint64_t from = 0;
    for (size_t i = 0; i < row->words; i++) {
        for (uint64_t left = reach[i]; left != 0; left &= left - 1) {
            int bit = bit_lowest(left);
            uint64_t at = from + (uint64_t)bit_count(taken[i] & bits_below(bit));
            bool won = row->their_won[at / 64] >> at % 64 & 1, lost = row->their_lost[at / 64] >> at % 64 & 1;
            note_distance(row, i * 64 + (size_t)bit, won, lost, row->their_distance[at]);
        }
        from += (uint64_t)bit_count(taken[i]);
    }
}

/* The path ends on `square` for the positions in `reach`. The values stand in a smaller slice, whose row is
   that of the arrangements without the captured pieces; `taken` marks the arrangements that hold them, in the
   same order. */
static inline void capture_ends(const struct row_work *row, const struct row_capture *capture, int square,
                                bool crowned, const uint64_t *reach, const uint64_t *taken)
{
    const struct mover *mover = row->mover;
    int taken_men = bit_count(capture->taken_men);
    const struct planes *planes = mover->after[crowned][taken_men][bit_count(capture->taken_kings)];
    if (planes == NULL) { /* nothing is left of the other side */
        row_or_into(row->won, reach, row->words);
        row_or_into(row->kept, reach, row->words);
        for (size_t i = 0; i < row->words && mover->distance != DISTANCE_NONE; i++)
            for (uint64_t left = reach[i]; left != 0; left &= left - 1)
                row->win_in[i * 64 + (size_t)bit_lowest(left)] = 1;
        return;
    }
    const struct side *other = planes->columns;
    struct smaller_row smaller = {.without_men = capture->taken_men, .without_kings = capture->taken_kings};
    uint32_t class;
    if (mover->other->kind == SIDE_SINGLE) {
        uint64_t rank = subset_rank(mover->other_men & ~capture->taken_men);
        class = other->class_of[rank];
        smaller.from = (uint64_t)(other->place[rank] - other->class_start[class]) * other->king_sets;
        smaller.width = other->king_sets;
    } else if (mover->other->kind == SIDE_WHOLE) { /* then what is left of it is whole, too */
        class = 0;
        smaller.width = side_width(other, class);
    } else {
        uint32_t advance = mover->other->advance[mover->other_class];
        for (uint32_t men = capture->taken_men; men != 0; men &= men - 1)
            advance -= (uint32_t)(bit_lowest(men) / BOARD.columns);
        uint32_t first = other->group_start[advance], end = other->group_start[advance + 1];
        class = other->kind == SIDE_WHOLE ? 0 : advance - other->advance[0];
        smaller.from = (uint64_t)(first - other->class_start[class]) * other->king_sets;
        smaller.width = (uint64_t)(end - first) * other->king_sets;
    }
    smaller.columns = &other->columns[class];
    uint32_t men = capture->men, kings = capture->kings;
    if (capture->king || crowned)
        kings |= UINT32_C(1) << square;
    else
        men |= UINT32_C(1) << square;
    size_t start = row_after(planes, men, kings, class);
    compress_row(&smaller, planes->won + start, planes->lost + start, row->their_won, row->their_lost);
    uint64_t from = 0;
    for (size_t i = 0; i < row->words; i++) {
        int count = bit_count(taken[i]);
        if (count == 0)
            continue;
        row->won[i] |= reach[i] & bits_deposit(row_bits(row->their_lost, from, count), taken[i]);
        row->kept[i] |= reach[i] & ~bits_deposit(row_bits(row->their_won, from, count), taken[i]);
        from += (uint64_t)count;
    }
    if (mover->distance == DISTANCE_NONE)
        return;
    if (mover->distance == DISTANCE_DTW)
        compress_distances(&smaller, planes->distance + 64 * start, row->their_distance);
    note_captures(row, reach, taken);
}

enum { CAPTURE_ROWS = 3 };

/* All jumps from `square` at `depth`; the rows of this depth lie in scratch: the positions that reach this
   point, the arrangements that hold the taken pieces, and (filled here) the positions in which the capture
   goes on. */
static inline void capture_goes_on(const struct row_work *row, const struct row_capture *capture, int square,
                                   int depth)
{
    const struct columns *columns = row->columns;
    size_t words = row->words;
    uint64_t *reach = row->scratch + (size_t)depth * CAPTURE_ROWS * words;
    uint64_t *taken = reach + words, *further = taken + words;
    uint64_t *next_reach = further + words, *next_taken = next_reach + words;
    uint32_t own = capture->men | capture->kings | capture->taken;
    bool kings_left = bit_count(capture->taken_kings) < row->mover->other->kings;
    row_clear(further, words);
    for (int direction = 0; direction < (capture->king ? DIRECTIONS : DIRECTIONS_DOWN); direction++) {
        int over = row->mover->steps->next[square][direction];
        if (over < 0 || (own >> over & 1))
            continue;
        int landing = row->mover->steps->next[over][direction];
        if (landing < 0 || (own >> landing & 1) || (columns->all_men >> theirs(landing) & 1))
            continue;
        for (int kind = 0; kind < 2; kind++) { /* the piece jumped over: a man, a king */
            if (kind == 0 ? !(columns->maybe_men >> theirs(over) & 1) : !kings_left)
                continue;
            const uint64_t *piece = kind == 0 ? columns->man[theirs(over)] : columns->king[theirs(over)];
            if (!row_and3(next_reach, reach, piece, columns->empty[theirs(landing)], words))
                continue;
            row_and(next_taken, taken, piece, words);
            row_or_into(further, next_reach, words);
            struct row_capture next = *capture;
            next.taken |= UINT32_C(1) << over;
            if (kind == 0)
                next.taken_men |= UINT32_C(1) << theirs(over);
            else
                next.taken_kings |= UINT32_C(1) << theirs(over);
            if (!capture->king && on_crown_row(landing))
                capture_ends(row, &next, landing, true, next_reach, next_taken);
            else
                capture_goes_on(row, &next, landing, depth + 1);
        }
    }
    if (depth == 0)
        return;
    uint64_t any = 0;
    for (size_t i = 0; i < words; i++) {
        reach[i] &= ~further[i];
        any |= reach[i];
    }
    if (any != 0)
        capture_ends(row, capture, square, false, reach, taken);
}

/* All captures of the row: which positions have one (`captures`), and in row->won and row->kept what they
 * give. */
static inline void row_captures(const struct row_work *row, const uint64_t *valid, uint64_t *captures)
{
    uint64_t *reach = row->scratch, *taken = reach + row->words, *further = taken + row->words;
    row_clear(captures, row->words);
    for (uint32_t pieces = row->own_men | row->own_kings; pieces != 0; pieces &= pieces - 1) {
        int square = bit_lowest(pieces);
        uint32_t bit = UINT32_C(1) << square;
        struct row_capture capture = {
            .men = row->own_men & ~bit, .kings = row->own_kings & ~bit, .king = (row->own_kings & bit) != 0};
        for (size_t i = 0; i < row->words; i++) {
            reach[i] = valid[i];
            taken[i] = ~UINT64_C(0);
        }
        capture_goes_on(row, &capture, square, 0);
        row_or_into(captures, further, row->words);
    }
}

/* A move of a man to a square that is `empty` in these positions leads to the row at `start`. */
static inline void note_man_move(const struct row_work *row, const struct planes *planes, size_t start,
                                 const uint64_t *empty)
{
    const uint64_t *won = planes->won + start, *lost = planes->lost + start;
    for (size_t i = 0; i < row->words; i++)
        for (uint64_t left = (won[i] | lost[i]) & empty[i] & row->calm[i]; left != 0; left &= left - 1) {
            int bit = bit_lowest(left);
            size_t column = i * 64 + (size_t)bit;
            uint8_t after = planes->distance == NULL ? 0 : planes->distance[64 * start + column];
            note_distance(row, column, won[i] >> bit & 1, lost[i] >> bit & 1, after);
        }
}

/* Quiet moves of men out of the class: `won` gets the positions in which one of them wins, `kept` those in
   which one does not lose. They lead to a more advanced class of the same slice, or to a slice with one man
   less. */
static inline void row_man_moves(const struct row_work *row, uint64_t *won, uint64_t *kept)
{
    const struct mover *mover = row->mover;
    uint32_t own = row->own_men | row->own_kings;
    for (uint32_t men = row->own_men; men != 0; men &= men - 1) {
        int from = bit_lowest(men);
        for (int direction = 0; direction < DIRECTIONS_DOWN; direction++) {
            int to = mover->steps->next[from][direction];
            if (to < 0 || (own >> to & 1) || (row->columns->all_men >> theirs(to) & 1))
                continue;
            bool crowned = on_crown_row(to);
            if (!crowned && mover->own->kind == SIDE_WHOLE)
                continue;
            uint32_t rest = row->own_men & ~(UINT32_C(1) << from), bit = UINT32_C(1) << to;
            const struct planes *planes = mover->after[crowned][0][0];
            size_t start = row_after(planes, crowned ? rest : rest | bit,
                                     crowned ? row->own_kings | bit : row->own_kings, mover->other_class);
            const uint64_t *their_won = planes->won + start, *their_lost = planes->lost + start;
            const uint64_t *empty = row->columns->empty[theirs(to)];
            for (size_t i = 0; i < row->words; i++) {
                won[i] |= their_lost[i] & empty[i];
                kept[i] |= ~their_won[i] & empty[i];
            }
            if (mover->distance != DISTANCE_NONE)
                note_man_move(row, planes, start, empty);
        }
    }
}

#endif
