/* All captures of a row: the jumps of one piece are followed for all positions of the row together, and split
   where only some of them have the next one.

   Where the rules choose among captures they are walked through twice (priority.h). */
#ifndef DAME_KERNEL_ROWS_CAPTURES_H
#define DAME_KERNEL_ROWS_CAPTURES_H

#include "kernel/rows/priority.h"

enum {
    RUN_MAX = 8,                   /* squares on which a flying king may land after one jump */
    WALK_ROWS = 4,                 /* of a jump: those that get there, what is taken, the way, who goes on */
    FLYING_ROWS = 2 * RUN_MAX + 2, /* a flying king besides: squares reached, those that turn, stops, turns */
    CAPTURE_ROWS = WALK_ROWS + FLYING_ROWS
};

/* The rows of a jump at `depth`. */
struct capture_rows {
    uint64_t *reach, *taken, *way, *further;
    uint64_t *run, *turned; /* [RUN_MAX] of flying kings */
    uint64_t *stop, *turns;
};

static inline struct capture_rows capture_rows(const struct row_work *work, int depth)
{
    const size_t words = work->row.words, rows = RULES.flying_kings ? CAPTURE_ROWS : WALK_ROWS;
    uint64_t *at = work->scratch + (size_t)depth * rows * words;
    return (struct capture_rows){
        .reach = at,
        .taken = at + words,
        .way = at + 2 * words,
        .further = at + 3 * words,
        .run = at + 4 * words,
        .turned = at + (4 + RUN_MAX) * words,
        .stop = at + (4 + 2 * RUN_MAX) * words,
        .turns = at + (5 + 2 * RUN_MAX) * words,
    };
}

static void piece_lands(const struct row_work *work, const struct row_capture *capture, int square,
                        int direction, int depth);

/* Squares that stay in the way of the capturing piece: the mover's others, and captured pieces until they
   are removed. */
static inline square_set obstacles(const struct row_capture *capture)
{
    const square_set own = capture->men | capture->kings;
    return RULES.removal == REMOVAL_AT_ONCE ? own : own | capture->taken;
}

/* A captured piece has vanished from `square` already. */
static inline bool has_vanished(const struct row_capture *capture, int square)
{
    return RULES.removal == REMOVAL_AT_ONCE && (capture->taken >> square & 1) != 0;
}

/* The capturing piece jumps over `over` to `landing` in those positions on the `way` that have a piece
   there; they are added to `jumped`. */
static inline void row_jumps_over(const struct row_work *work, const struct row_capture *capture, int over,
                                  int landing, int direction, const uint64_t *way, int depth,
                                  uint64_t *jumped)
{
    const struct columns *columns = work->row.columns;
    const size_t words = work->row.words;
    const struct capture_rows here = capture_rows(work, depth), next_rows = capture_rows(work, depth + 1);
    const bool kings_left = bit_count(capture->taken_kings) < work->row.mover->other->kings;
    for (int king = 0; king < 2; king++) { /* the piece jumped over: a man, a king */
        if (king == 0 ? !(columns->maybe_men >> theirs(over) & 1) : !kings_left)
            continue;
        if (king == 1 && !capture->king && !RULES.men_capture_kings)
            continue;
        const uint64_t *piece = king == 0 ? columns->man[theirs(over)] : columns->king[theirs(over)];
        if (!(has_vanished(capture, landing)
                  ? row_and(next_rows.reach, way, piece, words)
                  : row_and3(next_rows.reach, way, piece, columns->empty[theirs(landing)], words)))
            continue;
        row_and(next_rows.taken, here.taken, piece, words);
        row_or_into(jumped, next_rows.reach, words);
        struct row_capture next = *capture;
        next.taken |= square_bit(over);
        if (king == 0)
            next.taken_men |= square_bit(theirs(over));
        else
            next.taken_kings |= square_bit(theirs(over));
        next.key = key_after(capture->key, king == 1);
        piece_lands(work, &next, landing, direction, depth + 1);
    }
}

/* The jump of the capturing piece in one direction, over the first piece from `over` on. */
static NEVER_INLINE void row_jumps_from(const struct row_work *work, const struct row_capture *capture,
                                        int over, int direction, const uint64_t *reach, int depth,
                                        uint64_t *jumped)
{
    const struct columns *columns = work->row.columns;
    const struct steps *steps = work->row.mover->steps;
    const square_set blocked = obstacles(capture);
    const bool flies = RULES.flying_kings && capture->king;
    const uint64_t *way = reach;
    for (; over >= 0; over = steps->next[over][direction]) {
        if (blocked >> over & 1)
            return;
        const int landing = steps->next[over][direction];
        if (landing < 0)
            return;
        const bool maybe_empty = has_vanished(capture, landing) || !(columns->all_men >> theirs(landing) & 1);
        if (!(blocked >> landing & 1) && maybe_empty && !has_vanished(capture, over))
            row_jumps_over(work, capture, over, landing, direction, way, depth, jumped);
        if (!flies)
            return;
        if (has_vanished(capture, over))
            continue;
        uint64_t *further = capture_rows(work, depth).way;
        const uint64_t *empty = columns->empty[theirs(over)];
        if (!(way == further ? row_and_into(further, empty, work->row.words)
                             : row_and(further, way, empty, work->row.words)))
            return;
        way = further;
    }
}

/* The jump of the capturing piece, which stands on `from` in the positions of `reach`, in one direction.
   Most end before they begin. */
static ALWAYS_INLINE void row_jumps(const struct row_work *work, const struct row_capture *capture, int from,
                                    int direction, const uint64_t *reach, int depth, uint64_t *jumped)
{
    const int8_t (*next)[DIRECTIONS] = work->row.mover->steps->next;
    const int over = next[from][direction];
    if (over >= 0 && next[over][direction] >= 0 && !(obstacles(capture) >> over & 1))
        row_jumps_from(work, capture, over, direction, reach, depth, jumped);
}

/* A piece that does not fly has landed on `square`: it goes on where it can, and the capture ends elsewhere.
   At depth 0 it has not jumped yet. */
static inline void walker_lands(const struct row_work *work, const struct row_capture *capture, int square,
                                int depth)
{
    const struct capture_rows rows = capture_rows(work, depth);
    const bool all = capture->king || RULES.men_capture_backwards;
    row_clear(rows.further, work->row.words);
    for (int direction = 0; direction < (all ? DIRECTIONS : DIRECTIONS_DOWN); direction++)
        row_jumps(work, capture, square, direction, rows.reach, depth, rows.further);
    if (depth == 0)
        return;
    uint64_t any = 0;
    for (size_t i = 0; i < work->row.words; i++) {
        rows.reach[i] &= ~rows.further[i];
        any |= rows.reach[i];
    }
    if (any != 0)
        path_ends(work, capture, square, rows.reach, rows.taken);
}

/* The squares behind the piece that a flying king has jumped over, the positions in which it can land on each
   of them, and those in which it turns there and captures more. Returns how many squares there are. */
static inline int follow_run(const struct row_work *work, const struct row_capture *capture, int landing,
                             int direction, int depth, int squares[RUN_MAX])
{
    const struct capture_rows rows = capture_rows(work, depth);
    const square_set blocked = obstacles(capture);
    const size_t words = work->row.words;
    const int sideways[2] = {direction ^ 1, DIRECTIONS - 1 - (direction ^ 1)};
    int count = 0;
    memcpy(rows.run, rows.reach, words * sizeof *rows.run);
    row_clear(rows.turns, words);
    for (int square = landing;;) {
        uint64_t *run = rows.run + (size_t)count * words, *turned = rows.turned + (size_t)count * words;
        row_clear(turned, words);
        for (int i = 0; i < 2; i++)
            row_jumps(work, capture, square, sideways[i], run, depth, turned);
        row_or_into(rows.turns, turned, words);
        squares[count++] = square;
        square = work->row.mover->steps->next[square][direction];
        if (RULES.landing != LANDING_ANY || square < 0 || (blocked >> square & 1) != 0)
            return count;
        assert(count < RUN_MAX);
        if (has_vanished(capture, square))
            memcpy(run + words, run, words * sizeof *run);
        else if (!row_and(run + words, run, work->row.columns->empty[theirs(square)], words))
            return count;
    }
}

/* A flying king has jumped and may land on `landing` or, if the rules say so, further on. A straight run is
   followed from the first square only: from any of them it would be the same move. */
static inline void flyer_lands(const struct row_work *work, const struct row_capture *capture, int landing,
                               int direction, int depth)
{
    const struct capture_rows rows = capture_rows(work, depth);
    const size_t words = work->row.words;
    int squares[RUN_MAX];
    const int count = follow_run(work, capture, landing, direction, depth, squares);
    row_clear(rows.stop, words);
    row_jumps(work, capture, landing, direction, rows.reach, depth, rows.stop);
    if (RULES.removal == REMOVAL_AT_ONCE)
        row_jumps(work, capture, landing, DIRECTIONS - 1 - direction, rows.reach, depth, rows.stop);
    if (RULES.must_go_on)
        row_or_into(rows.stop, rows.turns, words);
    for (int k = 0; k < count; k++) {
        uint64_t *run = rows.run + (size_t)k * words, *turned = rows.turned + (size_t)k * words, any = 0;
        for (size_t i = 0; i < words; i++) {
            run[i] &= ~(turned[i] | rows.stop[i]);
            any |= run[i];
        }
        if (any != 0)
            path_ends(work, capture, squares[k], run, rows.taken);
    }
}

/* The capturing piece has jumped to `landing`; the rows of this depth say in which positions, and with what
   taken. */
static void piece_lands(const struct row_work *work, const struct row_capture *capture, int landing,
                        int direction, int depth)
{
    if (!capture->king && on_crown_row(landing)) {
        if (RULES.crowning == CROWNING_STOPS) {
            const struct capture_rows rows = capture_rows(work, depth);
            path_ends(work, capture, landing, rows.reach, rows.taken);
            return;
        }
        if (RULES.crowning == CROWNING_GOES_KING) {
            struct row_capture crowned = *capture;
            crowned.king = crowned.crowned = true;
            piece_lands(work, &crowned, landing, direction, depth);
            return;
        }
    }
    if (RULES.flying_kings && capture->king)
        flyer_lands(work, capture, landing, direction, depth);
    else
        walker_lands(work, capture, landing, depth);
}

/* The captures of all pieces of the mover: which positions have one is added to `captures`. */
static inline void walk_captures(const struct row_work *work, const uint64_t *valid, uint64_t *captures)
{
    const struct capture_rows rows = capture_rows(work, 0);
    for (square_set pieces = work->row.men | work->row.kings; pieces != 0; pieces &= pieces - 1) {
        const int square = bit_lowest(pieces);
        const square_set bit = square_bit(square);
        const bool king = (work->row.kings & bit) != 0;
        const struct row_capture capture = {.men = work->row.men & ~bit,
                                            .kings = work->row.kings & ~bit,
                                            .king = king,
                                            .key = key_at_start(king)};
        for (size_t i = 0; i < work->row.words; i++) {
            rows.reach[i] = valid[i];
            rows.taken[i] = ~UINT64_C(0);
        }
        walker_lands(work, &capture, square, 0);
        row_or_into(captures, rows.further, work->row.words);
    }
}

/* All captures of the row: which positions have one (`captures`), and in work->won and work->kept what they
   give. */
static inline void row_captures(const struct row_work *work, const uint64_t *valid, uint64_t *captures)
{
    row_clear(captures, work->row.words);
    if (!rules_choose()) {
        walk_captures(work, valid, captures);
        return;
    }
    work->choice->count = 0;
    work->choice->decided = false;
    walk_captures(work, valid, captures);
    if (work->choice->count == 0)
        return;
    decide_keys(work, work->choice->chosen);
    walk_captures(work, valid, captures);
}

#endif
