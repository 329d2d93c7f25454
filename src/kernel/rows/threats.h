/* Which values a table needs to hold, and back again what the others are.

   Positions of two sorts need no value of their own, since a probe finds it by playing:

       captures   the side to move must capture: its captures are played out
       threats    it need not, but the other side could capture if it were to move, and one ply answers it:
                  a move wins at once, or every move leads to a position that is known at once

   Known at once is a position in which a capture is pending, or none threatens. A threat that is not answered
   like that has its value in the table.

   As everywhere in the rows, `own` pieces are fixed and the bits are arrangements of the other side. */
#ifndef DAME_KERNEL_ROWS_THREATS_H
#define DAME_KERNEL_ROWS_THREATS_H

#include "kernel/rows/solve.h"

/* One piece of the mover could capture in one direction. Bits of impossible placements are of no meaning,
   here and below. */
static inline void add_own_captures(const struct row *row, int square, int direction, uint64_t *out)
{
    const struct steps *steps = row->mover->steps;
    const square_set own = row->men | row->kings;
    const bool king = (row->kings >> square & 1) != 0, flies = RULES.flying_kings && king;
    const bool men_only = !king && !RULES.men_capture_kings;
    for (size_t i = 0; i < row->words; i++) {
        uint64_t way = ~UINT64_C(0), found = 0;
        for (int over = steps->next[square][direction]; over >= 0 && way != 0;
             over = steps->next[over][direction]) {
            const int landing = steps->next[over][direction];
            if (landing < 0 || ((own >> over | own >> landing) & 1) != 0)
                break;
            const uint64_t empty = row->columns->empty[theirs(over)][i];
            const uint64_t piece = men_only ? row->columns->man[theirs(over)][i] : ~empty;
            found |= way & piece & row->columns->empty[theirs(landing)][i];
            if (!flies)
                break;
            way &= empty;
        }
        out[i] |= found;
    }
}

static inline void row_own_captures(const struct row *row, uint64_t *out)
{
    row_clear(out, row->words);
    for (square_set pieces = row->men | row->kings; pieces != 0; pieces &= pieces - 1) {
        const int square = bit_lowest(pieces);
        const bool all = (row->kings >> square & 1) != 0 || RULES.men_capture_backwards;
        for (int direction = 0; direction < (all ? DIRECTIONS : DIRECTIONS_DOWN); direction++)
            add_own_captures(row, square, direction, out);
    }
}

/* The other side could capture the piece on `over`, coming from one direction. */
static inline void add_other_captures(const struct row *row, int over, int direction, uint64_t *out)
{
    const struct steps *steps = row->mover->steps;
    const square_set own = row->men | row->kings;
    const int near = steps->next[over][direction], landing = steps->next[over][DIRECTIONS - 1 - direction];
    if (near < 0 || landing < 0 || ((own >> near | own >> landing) & 1) != 0)
        return;
    const uint64_t *empty = row->columns->empty[theirs(landing)];
    /* A man comes from below, upwards. */
    const bool by_man = (direction < DIRECTIONS_DOWN || RULES.men_capture_backwards) &&
                        (RULES.men_capture_kings || (row->men >> over & 1) != 0);
    const uint64_t *man = row->columns->man[theirs(near)];
    for (size_t i = 0; i < row->words; i++) {
        uint64_t found = by_man ? man[i] : 0, way = ~UINT64_C(0);
        for (int from = near; from >= 0 && (own >> from & 1) == 0; from = steps->next[from][direction]) {
            found |= way & row->columns->king[theirs(from)][i];
            if (!RULES.flying_kings)
                break;
            way &= row->columns->empty[theirs(from)][i];
        }
        out[i] |= found & empty[i];
    }
}

static inline void row_other_captures(const struct row *row, uint64_t *out)
{
    row_clear(out, row->words);
    for (square_set pieces = row->men | row->kings; pieces != 0; pieces &= pieces - 1)
        for (int direction = 0; direction < DIRECTIONS; direction++)
            add_other_captures(row, bit_lowest(pieces), direction, out);
}

/* With the other side to move: known at once. Uses `scratch`. */
static inline void row_known(const struct row *row, uint64_t *known, uint64_t *scratch)
{
    row_other_captures(row, known);
    row_own_captures(row, scratch);
    for (size_t i = 0; i < row->words; i++)
        known[i] |= ~scratch[i];
}

/* What moves lead to: a known loss or a known draw for the other side, and positions not known at once. */
struct threat_sums {
    uint64_t *wins, *holds, *unknown;
};

static inline void add_answer(const struct threat_sums *sums, const uint64_t *won, const uint64_t *lost,
                              const uint64_t *known, const uint64_t *empty, size_t words)
{
    for (size_t i = 0; i < words; i++) {
        sums->wins[i] |= lost[i] & known[i] & empty[i];
        sums->holds[i] |= ~won[i] & known[i] & empty[i];
        sums->unknown[i] |= ~known[i] & empty[i];
    }
}

/* Whether a move can still change what is known of a threat: it is not answered yet, and the move wins, or is
   the first one that may lead to what is not known at once. */
static inline bool answer_matters(const struct threat_sums *sums, const uint64_t *quiet,
                                  const uint64_t *threat, const uint64_t *lost, const uint64_t *empty,
                                  size_t words)
{
    uint64_t any = 0;
    for (size_t i = 0; i < words; i++)
        any |= quiet[i] & threat[i] & empty[i] & ~sums->wins[i] & (lost[i] | ~sums->unknown[i]);
    return any != 0;
}

/* Quiet moves of men out of the class. Uses two rows of `scratch`. */
static inline void add_man_answers(const struct row *row, const uint64_t *quiet, const uint64_t *threat,
                                   const struct threat_sums *sums, uint64_t *scratch)
{
    uint64_t *known = scratch;
    for (square_set men = row->men; men != 0; men &= men - 1)
        for (int direction = 0; direction < DIRECTIONS_DOWN; direction++) {
            struct man_move move;
            if (!man_leaves(row, bit_lowest(men), direction, &move))
                continue;
            const uint64_t *empty = row->columns->empty[theirs(move.to)];
            if (!answer_matters(sums, quiet, threat, move.values.lost, empty, row->words))
                continue;
            struct row after = *row;
            after.men = move.men;
            after.kings = move.kings;
            row_known(&after, known, scratch + row->words);
            add_answer(sums, move.values.won, move.values.lost, known, empty, row->words);
        }
}

/* Moves inside the class. Uses a row of `scratch`. */
static inline void add_inner_answers(const struct unit *unit, int side, const struct half_view *view,
                                     uint64_t number, const struct threat_sums *sums, uint64_t *scratch)
{
    const struct planes *planes = unit->results[1 - side];
    const struct plane_rows block = planes_rows(planes, view->mover->own_class, view->mover->other_class, 0);
    struct row_targets targets;
    find_targets(view, number, &targets);
    for (int t = 0; t < targets.count; t++) {
        size_t at = targets.at[t];
        const uint64_t *empty = targets.empty[t];
        if (RULES.flying_kings) { /* all squares on the way */
            for (size_t i = 0; i < view->words; i++)
                scratch[i] = empty[i] & (targets.first[t] ? ~UINT64_C(0) : scratch[i]);
            empty = scratch;
        }
        add_answer(sums, block.won + at, block.lost + at, view->half->seen_won + at, empty, view->words);
    }
}

/* quiet: no capture for the mover; cornered: the other side threatens one; seen_won: with the other side to
   move it would be known at once. */
static inline void look_at_row(const struct half_view *view, uint64_t number, uint64_t *scratch)
{
    size_t words = view->words, at = (size_t)number * words;
    uint64_t *quiet = view->half->quiet + at, *threat = view->half->cornered + at;
    uint64_t *known = view->half->seen_won + at, *captures = scratch;
    const struct row row = row_of(view, number);
    if (!row_placements(row.columns, row.men, row.kings, quiet, words)) {
        row_clear(threat, words);
        row_clear(known, words);
        return;
    }
    row_own_captures(&row, captures);
    row_other_captures(&row, threat);
    if (RULES.capture_optional) { /* no position is known by captures */
        row_clear(captures, words);
        row_clear(threat, words);
    }
    for (size_t i = 0; i < words; i++) {
        known[i] = threat[i] | ~captures[i];
        quiet[i] &= ~captures[i];
    }
}

/* In giveaway: a side without a move has won. Uses a row of `scratch`. */
static inline void add_blocked(const struct row *row, const uint64_t *quiet, const struct threat_sums *sums,
                               uint64_t *scratch)
{
    row_blocked(row, quiet, scratch);
    row_or_into(sums->wins, scratch, row->words);
}

/* What the task asks for, into the rows of won and lost. */
static inline void finish_row(const struct unit *unit, const struct half_view *view, uint64_t number,
                              const struct threat_sums *sums)
{
    size_t at = (size_t)number * view->words;
    const uint64_t *quiet = view->half->quiet + at, *threat = view->half->cornered + at;
    uint64_t *first = view->half->won + at, *second = view->half->lost + at;
    for (size_t i = 0; i < view->words; i++) {
        uint64_t answered = quiet[i] & threat[i] & (sums->wins[i] | ~sums->unknown[i]);
        switch (unit->threats) {
        case THREATS_QUIET:
            first[i] = quiet[i];
            break;
        case THREATS_STORED:
            first[i] = quiet[i] & ~answered;
            break;
        case THREATS_VALUES:
            first[i] = answered & sums->wins[i];
            second[i] = answered & ~sums->wins[i] & ~sums->holds[i];
            break;
        }
    }
}

static inline void work_on_threats(const struct unit *unit, int side, const struct half_view *view,
                                   uint64_t number, uint64_t *scratch)
{
    size_t words = view->words, at = (size_t)number * words;
    uint64_t any = 0;
    for (size_t i = 0; i < words; i++)
        any |= view->half->quiet[at + i] & view->half->cornered[at + i];
    struct threat_sums sums = {scratch, scratch + words, scratch + 2 * words};
    row_clear(scratch, 3 * words);
    if (any != 0 && unit->threats != THREATS_QUIET) {
        const struct row row = row_of(view, number);
        add_inner_answers(unit, side, view, number, &sums, scratch + 3 * words);
        add_man_answers(&row, view->half->quiet + at, view->half->cornered + at, &sums, scratch + 3 * words);
        if (row.mover->misere)
            add_blocked(&row, view->half->quiet + at, &sums, scratch + 3 * words);
    }
    finish_row(unit, view, number, &sums);
}

/* The results of one side, transposed into the planes. */
static inline void write_threats(const struct unit *unit, struct unit_memory *memory, int side)
{
    if (unit->threats == THREATS_VALUES) {
        write_block(unit, memory, side, true);
        return;
    }
    memcpy(unit->stored[side], memory->halves[1 - side].seen_won,
           result_words(unit, side) * sizeof *unit->stored[side]);
}

/* One of the tasks of `enum threats` for a unit. */
static enum dame_status find_threats(const struct unit *unit, struct unit_memory *memory)
{
    for (int side = 0; side < unit_sides(unit); side++) {
        if (unit->threats != THREATS_VALUES && unit->stored[side] == NULL)
            continue;
        struct half_view view = view_half(unit, memory, side);
        for (uint64_t row = 0; row < view.rows; row++) {
            if (row % CANCEL_ROWS == 0 && is_cancelled(unit))
                return DAME_CANCELLED;
            look_at_row(&view, row, memory->scratch);
        }
        row_clear(view.half->lost, (size_t)view.rows * view.words); /* only THREATS_VALUES writes it */
        change_all(&view);
        for (uint64_t row = 0; row < view.rows; row++) {
            if (row % CANCEL_ROWS == 0 && is_cancelled(unit))
                return DAME_CANCELLED;
            work_on_threats(unit, side, &view, row, memory->scratch);
        }
        show_other(unit, memory, side);
        write_threats(unit, memory, side);
    }
    return DAME_OK;
}

#endif
