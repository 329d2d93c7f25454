/* Solving one unit with distances: ply by ply, both sides from the state of the ply before, so that the
   number of the ply at which a position is decided is its distance.

   Moves out of the unit (captures, moves of men to other classes) are seeds: the shortest win they give and
   the longest loss, as bytes for every column. A position is won at the ply of its shortest win, be it a seed
   or a move inside; it is lost when all moves inside lead to positions that are won by then, but not before
   its longest seed. Rows are looked at again when a neighbour has changed or a seed falls due. */
#ifndef DAME_KERNEL_ROWS_SOLVE_PLIES_H
#define DAME_KERNEL_ROWS_SOLVE_PLIES_H

#include "kernel/rows/solve.h"

/* The columns of one word whose byte is `ply`. */
static inline uint64_t bytes_equal(const uint8_t bytes[64], uint8_t ply)
{
    const uint64_t low = UINT64_C(0x7F7F7F7F7F7F7F7F), high = ~low;
    uint64_t mask = 0;
    for (int i = 0; i < 8; i++) {
        uint64_t eight;
        memcpy(&eight, bytes + 8 * i, sizeof eight);
        eight ^= ply * UINT64_C(0x0101010101010101);
        uint64_t zero = ~(((eight & low) + low) | eight | low); /* the high bit of every byte that is zero */
        mask |= bits_extract(zero, high) << 8 * i;
    }
    return mask;
}

/* The smallest byte above `ply`. */
static inline uint8_t next_above(const uint8_t *bytes, size_t count, uint8_t ply)
{
    uint8_t next = PLY_NEVER;
    for (size_t i = 0; i < count; i++) {
        uint8_t later = bytes[i] > ply ? bytes[i] : PLY_NEVER;
        next = later < next ? later : next;
    }
    return next;
}

/* Nothing is decided yet: what seed_row found won or lost by moves out of the unit stands in the bytes. */
static inline void begin_plies(const struct half_view *view)
{
    size_t words = (size_t)view->rows * view->words;
    for (size_t i = 0; i < words; i++) {
        view->half->cornered[i] |= view->half->lost[i];
        view->half->won[i] = view->half->lost[i] = 0;
    }
    memset(view->half->due, 0, row_padded(view->rows));
    memset(view->half->changed, 0, row_padded(view->rows));
    memset(view->half->stale, 0, row_padded(view->rows));
    size_t all = row_padded(view->rows) * view->words;
    row_clear(view->half->seen_won, all);
    row_clear(view->half->seen_lost, all);
}

/* Decide what can be decided of one row at this ply. */
static inline bool ply_row(const struct half_view *view, uint64_t number, const struct row_targets *targets,
                           uint8_t ply)
{
    struct half *half = view->half;
    size_t at = (size_t)number * view->words;
    bool is_due = half->due[number] == ply;
    uint8_t due = PLY_NEVER;
    uint64_t any = 0;
    for (size_t i = 0; i < view->words; i++) {
        uint64_t some, all, open = ~(half->won[at + i] | half->lost[at + i]);
        sum_targets(targets, i, 1, &some, &all);
        uint8_t *win_in = half->win_in + 64 * (at + i), *lose_in = half->lose_in + 64 * (at + i);
        uint64_t inside = half->quiet[at + i] & some & open, wins = inside;
        if (is_due)
            wins |= bytes_equal(win_in, ply) & open;
        for (; inside != 0; inside &= inside - 1)
            win_in[bit_lowest(inside)] = ply;
        uint64_t losses = 0;
        uint64_t ready = half->cornered[at + i] & open & ~wins & (all | ~half->quiet[at + i]);
        for (; ready != 0; ready &= ready - 1) {
            int bit = bit_lowest(ready);
            if (lose_in[bit] > ply)
                due = lose_in[bit] < due ? lose_in[bit] : due;
            else {
                lose_in[bit] = ply;
                losses |= bit_at(bit);
            }
        }
        half->won[at + i] |= wins;
        half->lost[at + i] |= losses;
        any |= wins | losses;
    }
    uint8_t next = next_above(half->win_in + 64 * at, 64 * view->words, ply);
    half->due[number] = next < due ? next : due;
    return any != 0;
}

/* One ply for all rows of one side. */
static inline bool ply_half(const struct unit *unit, struct unit_memory *memory, int side, uint8_t ply)
{
    struct half_view view = view_half(unit, memory, side);
    bool any = false;
    for (uint64_t row = 0; row < view.rows; row++) {
        struct row_targets targets;
        find_targets(&view, row, &targets);
        if (!targets.stale && view.half->due[row] != ply)
            continue;
        if (ply_row(&view, row, &targets, ply)) {
            view.half->changed[row] = 1;
            any = true;
        }
    }
    memset(view.half->stale, 0, row_padded(view.rows));
    return any;
}

/* The next ply at which a row of either side falls due. */
static inline int next_due(const struct unit *unit, struct unit_memory *memory, int ply)
{
    int next = PLY_NEVER;
    for (int side = 0; side < 2; side++) {
        struct half_view view = view_half(unit, memory, side);
        int due = next_above(view.half->due, (size_t)view.rows, (uint8_t)ply);
        next = due < next ? due : next;
    }
    return next;
}

/* Write the distances of one half into the block of its values: rows there are columns here. */
static inline void write_distances(const struct unit *unit, struct unit_memory *memory, int side)
{
    struct half_view view = view_half(unit, memory, side);
    struct planes *planes = unit->results[side];
    const struct mover *mover = view.mover;
    size_t stride = 64 * planes_row_words(planes, mover->own_class);
    uint8_t *block = planes_rows(planes, mover->other_class, mover->own_class, 0).distance;
    for (uint64_t strip = 0; strip < view.rows; strip += 64)
        for (size_t i = 0; i < view.words; i++)
            for (uint64_t row = strip; row < view.rows && row < strip + 64; row++) {
                size_t at = (size_t)row * view.words + i;
                uint64_t won = view.half->won[at];
                for (uint64_t left = won | view.half->lost[at]; left != 0; left &= left - 1) {
                    int bit = bit_lowest(left);
                    size_t cell = 64 * at + (size_t)bit;
                    bool is_won = won >> bit & 1;
                    block[(64 * i + (size_t)bit) * stride + row] =
                        is_won ? view.half->win_in[cell] : view.half->lose_in[cell];
                }
            }
}

static enum dame_status solve_plies(const struct unit *unit, struct unit_memory *memory)
{
    for (int side = 0; side < 2; side++) {
        enum dame_status status = seed_half(unit, memory, side, false);
        if (status != DAME_OK)
            return status;
        struct half_view view = view_half(unit, memory, side);
        begin_plies(&view);
    }
    int ply = 0;
    while (ply <= unit->plies && ply != PLY_NEVER) {
        if (is_cancelled(unit))
            return DAME_CANCELLED;
        bool any = ply_half(unit, memory, 0, (uint8_t)ply);
        any |= ply_half(unit, memory, 1, (uint8_t)ply);
        if (any && ply == PLIES_MAX && unit->plies == PLIES_MAX)
            return DAME_TOO_LARGE;
        show_other(unit, memory, 0);
        show_other(unit, memory, 1);
        ply = any ? ply + 1 : next_due(unit, memory, ply);
    }
    for (int side = 0; side < 2; side++) {
        write_block(unit, memory, side, false);
        write_distances(unit, memory, side);
    }
    return DAME_OK;
}

/* The captures of a unit whose quiet positions are known: what has been loaded from files. */
static enum dame_status add_captures(const struct unit *unit, struct unit_memory *memory)
{
    for (int side = 0; side < 2; side++) {
        enum dame_status status = seed_half(unit, memory, side, true);
        if (status != DAME_OK)
            return status;
        show_other(unit, memory, side);
    }
    for (int side = 0; side < unit_sides(unit); side++) {
        write_block(unit, memory, side, true);
        if (metric_has_plies(unit->movers[side].metric))
            write_distances(unit, memory, side);
    }
    return DAME_OK;
}

#endif
