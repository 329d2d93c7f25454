/* Solving one unit: seed every row from finished slices and units, then sweep the moves inside the classes of
   both sides in turn until nothing changes. */
#ifndef DAME_KERNEL_SOLVE_H
#define DAME_KERNEL_SOLVE_H

#include <string.h>

#include "kernel/rowcaptures.h"
#include "kernel/rowmoves.h"
#include "slices/king_moves.h"
#include "slices/transpose.h"

static void fill_steps(struct steps *out)
{
    static const int STEPS[DIRECTIONS] = {STEP_SHORT, STEP_LONG, -STEP_LONG, -STEP_SHORT};
    for (int square = 0; square < BOARD.squares; square++)
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            int bit = bit_lowest(board_spread(bit_at(square))) + STEPS[direction];
            bool on_board = bit >= 0 && (BOARD_SQUARES >> bit & 1) != 0;
            out->next[square][direction] = (int8_t)(on_board ? bit_lowest(board_pack(bit_at(bit))) : -1);
        }
}

static inline uint64_t padded(uint64_t rows)
{
    return (rows + 63) / 64 * 64;
}

/* The rows of one half, with what stays the same for all of them. */
struct half_view {
    const struct mover *mover;
    const struct columns *columns;
    struct half *half;
    uint64_t rows;
    size_t words;
};

static inline struct half_view view_half(const struct unit *unit, struct unit_memory *memory, int side)
{
    const struct mover *mover = &unit->movers[side];
    const struct columns *columns = &mover->other->columns[mover->other_class];
    return (struct half_view){.mover = mover,
                              .columns = columns,
                              .half = &memory->halves[side],
                              .rows = side_width(mover->own, mover->own_class),
                              .words = row_words(columns->width)};
}

static inline square_set men_of_row(const struct mover *mover, uint64_t row)
{
    uint64_t inside = row / mover->own->king_sets;
    return (square_set)mover->own->men_set[mover->own->class_start[mover->own_class] + inside];
}

static inline square_set kings_of_row(const struct mover *mover, uint64_t row)
{
    return (square_set)mover->own->king_set[row % mover->own->king_sets];
}

enum {
    SEED_ROWS = 6,     /* of seed_row; find_threats needs no more */
    DISTANCE_ROWS = 8, /* a byte for each bit */
    SPARE = 2          /* words behind a row that is read or written two words at a time */
};

static size_t scratch_words(int men, int kings, size_t words)
{
    const size_t keys = keys_most(men, kings), depths = (size_t)(men + kings) + 2;
    const size_t rows = SEED_ROWS + DISTANCE_ROWS + (rules_choose() ? 1 + keys : 0) +
                        depths * (RULES.flying_kings ? CAPTURE_ROWS : WALK_ROWS);
    return rows * words + 2 * keys + 2 * SPARE + DISTANCE_ROWS;
}

/* Lay out what the choice among captures needs; returns the scratch memory behind it. */
static inline uint64_t *lay_priority(const struct mover *mover, size_t words, uint64_t *scratch,
                                     struct row_priority *out)
{
    const size_t keys = keys_most(mover->other->men, mover->other->kings);
    *out = (struct row_priority){.most = (int)keys,
                                 .keys = scratch,
                                 .number = (int *)(void *)(scratch + keys),
                                 .chosen = scratch + 2 * keys,
                                 .rows = scratch + 2 * keys + words};
    return scratch + 2 * keys + (1 + keys) * words;
}

/* The mover's pieces of one row, and its scratch memory. */
static inline struct row_work row_work(const struct half_view *view, uint64_t number, uint64_t *scratch,
                                       struct row_priority *choice)
{
    const struct mover *mover = view->mover;
    const size_t words = view->words, at = (size_t)number * words;
    struct row_work row = {
        .mover = mover,
        .columns = view->columns,
        .words = words,
        .own_men = men_of_row(mover, number),
        .own_kings = kings_of_row(mover, number),
        .won = view->half->won + at,
        .kept = scratch,
        .their_won = scratch + (SEED_ROWS - 2) * words,
        .their_lost = scratch + (SEED_ROWS - 1) * words + SPARE,
        .scratch = scratch + SEED_ROWS * words + 2 * SPARE,
        .calm = scratch + 2 * words, /* as soon as captures are known */
    };
    if (mover->distance != DISTANCE_NONE) {
        row.win_in = view->half->win_in + 64 * at;
        row.lose_in = view->half->lose_in + 64 * at;
        row.their_distance = (uint8_t *)row.scratch;
        row.scratch += DISTANCE_ROWS * (words + 1);
        memset(row.win_in, PLY_NEVER, 64 * words);
        memset(row.lose_in, 0, 64 * words);
    }
    if (rules_choose()) {
        row.scratch = lay_priority(mover, words, row.scratch, choice);
        row.choice = choice;
    }
    return row;
}

/* Who has no move has won: that ends the game at once. */
static inline void win_blocked(const struct row_work *row, const uint64_t *calm, uint64_t *blocked)
{
    row_blocked(row, calm, blocked);
    row_or_into(row->won, blocked, row->words);
    for (size_t i = 0; i < row->words && row->mover->distance != DISTANCE_NONE; i++)
        for (uint64_t left = blocked[i]; left != 0; left &= left - 1)
            row->win_in[i * 64 + (size_t)bit_lowest(left)] = 0;
}

/* Captures, man moves and placements of one row, into the matrices of its half. Returns the number of
 * placements. */
static inline uint64_t seed_row(const struct half_view *view, uint64_t number, uint64_t *scratch,
                                bool captures_only)
{
    const struct mover *mover = view->mover;
    size_t words = view->words, at = (size_t)number * words;
    struct row_priority choice;
    const struct row_work row = row_work(view, number, scratch, &choice);
    uint64_t *kept = scratch + words, *valid = scratch + 2 * words, *blocked = scratch + 3 * words;
    uint64_t *lost = view->half->lost + at, *quiet = view->half->quiet + at;
    uint64_t *cornered = view->half->cornered + at;
    uint64_t *captures = lost; /* until the end */
    row_clear(row.won, words);
    if (!row_placements(row.columns, row.own_men, row.own_kings, valid, words)) {
        row_clear(lost, words);
        row_clear(quiet, words);
        row_clear(cornered, words);
        return 0;
    }
    row_clear(row.kept, words);
    row_captures(&row, valid, captures);
    if (captures_only) {
        for (size_t i = 0; i < words; i++)
            lost[i] = captures[i] & ~row.kept[i];
        return 0;
    }
    uint64_t placements = 0;
    for (size_t i = 0; i < words; i++) {
        placements += (uint64_t)bit_count(valid[i]);
        valid[i] &= ~captures[i];
    }
    uint64_t *man_won = quiet; /* until the end */
    row_clear(man_won, words);
    row_clear(kept, words);
    row_clear(blocked, words);
    row_man_moves(&row, man_won, kept);
    if (mover->misere)
        win_blocked(&row, valid, blocked);
    bool more = side_moves_inside(mover->own);
    for (size_t i = 0; i < words; i++) {
        uint64_t calm = valid[i];
        uint64_t corner = calm & ~(kept[i] | blocked[i]);
        row.won[i] |= man_won[i] & calm;
        lost[i] = (captures[i] & ~row.kept[i]) | (more ? 0 : corner);
        quiet[i] = calm;
        cornered[i] = corner;
    }
    return placements;
}

enum { CANCEL_ROWS = 256 };

static inline bool is_cancelled(const struct unit *unit)
{
    return unit->cancel != NULL && atomic_load_explicit(unit->cancel, memory_order_relaxed);
}

static inline enum dame_status seed_half(const struct unit *unit, struct unit_memory *memory, int side,
                                         bool captures_only)
{
    struct half_view view = view_half(unit, memory, side);
    memory->placements[side] = 0;
    for (uint64_t row = 0; row < view.rows; row++) {
        if (row % CANCEL_ROWS == 0 && is_cancelled(unit))
            return DAME_CANCELLED;
        memory->placements[side] += seed_row(&view, row, memory->scratch, captures_only);
    }
    size_t used = (size_t)view.rows * view.words, all = (size_t)padded(view.rows) * view.words;
    row_clear(view.half->won + used, all - used);
    row_clear(view.half->lost + used, all - used);
    memset(view.half->changed, 1, (size_t)padded(view.rows));
    return DAME_OK;
}

/* Transpose 64 rows of one matrix into a column of words; rows of `to` that change become stale. */
static inline void transpose_strip(const uint64_t *from, size_t words, uint64_t *to, size_t to_words,
                                   size_t strip, uint8_t *stale)
{
    from += strip * 64 * words;
    for (size_t j = 0; j < words; j++) {
        uint64_t block[64];
        uint64_t any = 0;
        for (size_t i = 0; i < 64; i++) {
            block[i] = from[i * words + j];
            any |= block[i];
        }
        uint64_t *target = to + j * 64 * to_words + strip;
        if (any == 0) { /* values are never taken back, so nothing stood there */
            for (size_t i = 0; i < 64; i++)
                target[i * to_words] = 0;
            continue;
        }
        transpose_64(block);
        for (size_t i = 0; i < 64; i++) {
            stale[j * 64 + i] |= target[i * to_words] != block[i];
            target[i * to_words] = block[i];
        }
    }
}

/* Show the other half what has changed in this one. */
static inline void show_other(const struct unit *unit, struct unit_memory *memory, int side)
{
    struct half_view view = view_half(unit, memory, side);
    struct half *other = &memory->halves[1 - side];
    size_t to_words = row_words(view.rows);
    for (size_t strip = 0; strip < to_words; strip++) {
        uint8_t *changed = view.half->changed + strip * 64;
        if (memchr(changed, 1, 64) == NULL)
            continue;
        memset(changed, 0, 64);
        transpose_strip(view.half->won, view.words, other->seen_won, to_words, strip, other->stale);
        transpose_strip(view.half->lost, view.words, other->seen_lost, to_words, strip, other->stale);
    }
}

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
    if (mover->own->kind == SIDE_WHOLE)
        add_man_targets(view, men, kings_of_row(mover, number), out);
}

/* `n` words of a row from word `i` on: in which positions some move inside the class wins, and in which all
 * of them lose. A flying king needs all squares on its way empty. */
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

/* Some move inside the class wins, or all of them lose: one step of the iteration for one row. */
static inline bool sweep_row(const struct half_view *view, uint64_t number, const struct row_targets *targets)
{
    size_t at = (size_t)number * view->words;
    uint64_t *won = view->half->won + at, *lost = view->half->lost + at;
    const uint64_t *quiet = view->half->quiet + at, *cornered = view->half->cornered + at;
    uint64_t any = 0;
    for (size_t i = 0; i < view->words; i += 8) {
        uint64_t some[8], all[8];
        size_t n = view->words - i < 8 ? view->words - i : 8;
        if (n == 8)
            sum_targets(targets, i, 8, some, all);
        else
            sum_targets(targets, i, n, some, all);
        for (size_t k = 0; k < n; k++) {
            uint64_t wins = quiet[i + k] & some[k] & ~won[i + k];
            uint64_t losses = cornered[i + k] & all[k] & ~(won[i + k] | wins | lost[i + k]);
            won[i + k] |= wins;
            lost[i + k] |= losses;
            any |= wins | losses;
        }
    }
    return any != 0;
}

static inline bool row_is_settled(const struct half_view *view, uint64_t number)
{
    size_t at = (size_t)number * view->words;
    for (size_t i = at; i < at + view->words; i++)
        if ((view->half->quiet[i] & ~(view->half->won[i] | view->half->lost[i])) != 0)
            return false;
    return true;
}

/* One pass over all rows of one side. `first`: look at rows without a changed neighbour as well. */
static inline bool sweep_half(const struct unit *unit, struct unit_memory *memory, int side, bool first)
{
    struct half_view view = view_half(unit, memory, side);
    bool any = false;
    for (uint64_t row = 0; row < view.rows; row++) {
        struct row_targets targets;
        find_targets(&view, row, &targets);
        if (!(first || targets.stale) || row_is_settled(&view, row))
            continue;
        if (sweep_row(&view, row, &targets)) {
            view.half->changed[row] = 1;
            any = true;
        }
    }
    memset(view.half->stale, 0, (size_t)padded(view.rows));
    return any;
}

/* A block of the results: what the other half has been shown, without the padding. */
static inline void write_block(const struct unit *unit, struct unit_memory *memory, int side, bool add)
{
    const struct mover *reader = &unit->movers[1 - side];
    const struct half *half = &memory->halves[1 - side];
    struct planes *planes = unit->results[side];
    size_t start = planes_at(planes, reader->own_class, reader->other_class, 0);
    size_t words =
        (size_t)side_width(reader->own, reader->own_class) * planes_row_words(planes, reader->other_class);
    if (add) {
        row_or_into(planes->won + start, half->seen_won, words);
        row_or_into(planes->lost + start, half->seen_lost, words);
    } else {
        memcpy(planes->won + start, half->seen_won, words * sizeof *planes->won);
        memcpy(planes->lost + start, half->seen_lost, words * sizeof *planes->lost);
    }
}

static enum dame_status solve_unit(const struct unit *unit, struct unit_memory *memory)
{
    for (int side = 0; side < 2; side++) {
        enum dame_status status = seed_half(unit, memory, side, false);
        if (status != DAME_OK)
            return status;
    }
    for (int side = 0; side < 2; side++)
        show_other(unit, memory, side);
    bool moves[2] = {side_moves_inside(unit->movers[0].own), side_moves_inside(unit->movers[1].own)};
    for (int side = 0, idle = 0, sweeps = 0; idle < 2; side = 1 - side, sweeps++) {
        if (is_cancelled(unit))
            return DAME_CANCELLED;
        idle++;
        if (moves[side] && sweep_half(unit, memory, side, sweeps < 2)) {
            show_other(unit, memory, side);
            idle = 0;
        }
    }
    write_block(unit, memory, 0, false);
    write_block(unit, memory, 1, false);
    return DAME_OK;
}

#endif
