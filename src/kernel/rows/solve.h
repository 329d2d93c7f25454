/* Solving one unit: seed every row from finished slices and units, then sweep the moves inside the classes of
   both sides in turn until nothing changes. */
#ifndef DAME_KERNEL_ROWS_SOLVE_H
#define DAME_KERNEL_ROWS_SOLVE_H

#include "kernel/rows/seed.h"
#include "kernel/rows/targets.h"

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
    memset(view.half->stale, 0, row_padded(view.rows));
    return any;
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
