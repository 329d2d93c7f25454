/* The seed of a unit: what captures and moves of men out of their class decide, row by row, and which
   positions wait for the moves inside. */
#ifndef DAME_KERNEL_ROWS_SEED_H
#define DAME_KERNEL_ROWS_SEED_H

#include "kernel/rows/captures.h"
#include "kernel/rows/half.h"
#include "kernel/rows/moves.h"

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
    struct row_work work = {
        /* Field by field: with a copy of row_of the whole seed is slower. */
        .row = {.mover = mover,
                .columns = view->columns,
                .words = words,
                .men = men_of_row(mover, number),
                .kings = kings_of_row(mover, number)},
        .won = view->half->won + at,
        .kept = scratch,
        .their_won = scratch + (SEED_ROWS - 2) * words,
        .their_lost = scratch + (SEED_ROWS - 1) * words + SPARE,
        .scratch = scratch + SEED_ROWS * words + 2 * SPARE,
        .calm = scratch + 2 * words, /* as soon as captures are known */
    };
    if (metric_has_plies(mover->metric)) {
        work.win_in = view->half->win_in + 64 * at;
        work.lose_in = view->half->lose_in + 64 * at;
        work.their_distance = (uint8_t *)work.scratch;
        work.scratch += DISTANCE_ROWS * (words + 1);
        memset(work.win_in, PLY_NEVER, 64 * words);
        memset(work.lose_in, 0, 64 * words);
    }
    if (rules_choose()) {
        work.scratch = lay_priority(mover, words, work.scratch, choice);
        work.choice = choice;
    }
    return work;
}

/* In giveaway: a side without a move has won, and the game is over. */
static inline void win_blocked(const struct row_work *work, const uint64_t *calm, uint64_t *blocked)
{
    row_blocked(&work->row, calm, blocked);
    row_or_into(work->won, blocked, work->row.words);
    for (size_t i = 0; i < work->row.words && metric_has_plies(work->row.mover->metric); i++)
        for (uint64_t left = blocked[i]; left != 0; left &= left - 1)
            work->win_in[i * 64 + (size_t)bit_lowest(left)] = 0;
}

/* Captures, man moves and placements of one row, into the matrices of its half. Returns the number of
   placements. */
static inline uint64_t seed_row(const struct half_view *view, uint64_t number, uint64_t *scratch,
                                bool captures_only)
{
    const struct mover *mover = view->mover;
    size_t words = view->words, at = (size_t)number * words;
    struct row_priority choice;
    const struct row_work work = row_work(view, number, scratch, &choice);
    uint64_t *kept = scratch + words, *valid = scratch + 2 * words, *blocked = scratch + 3 * words;
    uint64_t *lost = view->half->lost + at, *quiet = view->half->quiet + at;
    uint64_t *cornered = view->half->cornered + at;
    uint64_t *captures = lost; /* until the end */
    row_clear(work.won, words);
    if (!row_placements(work.row.columns, work.row.men, work.row.kings, valid, words) ||
        (captures_only && RULES.capture_optional)) { /* files have the values of all positions then */
        row_clear(lost, words);
        row_clear(quiet, words);
        row_clear(cornered, words);
        return 0;
    }
    row_clear(work.kept, words);
    row_captures(&work, valid, captures);
    if (RULES.capture_optional) /* then a capture is a move like any other, and every position is quiet */
        row_clear(captures, words);
    if (captures_only) {
        for (size_t i = 0; i < words; i++)
            lost[i] = captures[i] & ~work.kept[i];
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
    row_man_moves(&work, man_won, kept);
    if (mover->misere)
        win_blocked(&work, valid, blocked);
    bool more = side_moves_inside(mover->own);
    for (size_t i = 0; i < words; i++) {
        uint64_t calm = valid[i];
        uint64_t corner = calm & ~(kept[i] | blocked[i] | work.kept[i]);
        work.won[i] |= man_won[i] & calm;
        lost[i] = (captures[i] & ~work.kept[i]) | (more ? 0 : corner);
        quiet[i] = calm;
        cornered[i] = corner;
    }
    return placements;
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
    change_all(&view);
    return DAME_OK;
}

#endif
