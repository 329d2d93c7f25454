/* dame_probe_moves: every legal move with what it leads to. The order is that of dame_fast/perfect.py. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "api/error.h"
#include "api/handle.h"
#include "api/position.h"
#include "base/bits.h"
#include "position/outcome.h"
#include "probe/distance.h"
#include "probe/value.h"

_Static_assert((int)DAME_MOVES_MAX == MOVES_MAX && (int)DAME_PATH_MAX == MOVE_SQUARES_MAX,
               "one size in both");
_Static_assert((int)DAME_NO_PLIES == NO_PLIES, "one number in both");

/* What a probe that fails leaves behind. */
struct failure {
    struct missing_table missing;
    char detail[DETAIL_MAX];
};

/* What moves are compared by, smaller is better: value, then length or traps, then whether the game ends. */
struct rank {
    int group, length, late;
};

/* The move as it lies on the board, without its value. */
static struct dame_move describe(const struct board *board, const struct move *move,
                                 const struct position *after, int side)
{
    struct dame_move out = {
        .after = position_to_public(board, after, 1 - side),
        .captured = side == DAME_BLACK ? move->captured : bits_reverse(move->captured, board->squares),
        .length = move->length,
        .crowned = move->crowned,
        .zeroing = move->captured != 0 || !move->by_king,
        .wdl = DAME_NO_VALUE,
        .dtw = DAME_NO_PLIES,
        .dtz = DAME_NO_PLIES,
        .status = DAME_STATUS_NO_TABLE,
    };
    for (int i = 0; i < move->length; i++) {
        const int square = move->path[i];
        out.path[i] = (uint8_t)(side == DAME_BLACK ? square + 1 : board->squares - square);
    }
    return out;
}

/* Plies of the opponent after a move as those of the mover before it. */
static int plies_before(int plies)
{
    return plies == NO_PLIES ? NO_PLIES : plies + 1;
}

/* Value and distances of the move that has led to `after`: from distances if there are any, else from the
   values alone. */
static enum dame_status judge(const struct dame_tables *tables, const struct position *after, int clock,
                              struct dame_move *move, struct failure *failure)
{
    const struct library *library = tables->library;
    enum dame_status by_dtw = DAME_NO_TABLE, by_dtz = DAME_NO_TABLE, by_wdl = DAME_OK;
    int theirs = 0, plies;
    if (tables->has[METRIC_DTW])
        by_dtw = probe_plies(library, METRIC_DTW, after, clock, &theirs, &plies, &failure->missing,
                             failure->detail);
    if (by_dtw == DAME_OK)
        move->dtw = plies_before(plies);
    else if (by_dtw != DAME_NO_TABLE)
        return by_dtw;
    if (tables->has[METRIC_DTZ])
        by_dtz = probe_plies(library, METRIC_DTZ, after, clock, &theirs, &plies, &failure->missing,
                             failure->detail);
    if (by_dtz == DAME_OK)
        move->dtz = plies_before(plies);
    else if (by_dtz != DAME_NO_TABLE)
        return by_dtz;
    if (by_dtw != DAME_OK && by_dtz != DAME_OK)
        by_wdl = probe_wdl_clock(library, after, clock, &theirs, &failure->missing, failure->detail);
    if (by_wdl != DAME_OK)
        return by_wdl;
    if (move->zeroing && (tables->has[METRIC_DTZ] || tables->draw_rule.plies != 0))
        move->dtz = theirs != 0 ? 1 : DAME_NO_PLIES;
    move->wdl = (int8_t)-theirs;
    move->status = DAME_STATUS_OK;
    return DAME_OK;
}

/* How many replies to a move that draws would lose, and whether there are any replies at all. */
static enum dame_status look_at_replies(const struct dame_tables *tables, const struct position *after,
                                        int clock, const struct dame_move *move, struct rank *rank,
                                        struct failure *failure)
{
    const struct kernel *kernel = library_kernel(tables->library);
    struct position_list replies;
    enum dame_status status = kernel->successors(after, &replies);
    if (status != DAME_OK)
        return status;
    rank->late = replies.count != 0 || move->wdl < 0;
    for (int i = 0; i < replies.count && move->wdl == 0; i++) {
        const struct position *reply = &replies.positions[i];
        const struct move_nature made = move_nature(kernel->board, after, reply);
        const int then = draw_rule_clock_after(tables->draw_rule, clock, made.capture, made.man_move);
        int wdl;
        status = probe_wdl_clock(tables->library, reply, then, &wdl, &failure->missing, failure->detail);
        if (status == DAME_OK && wdl > 0)
            rank->length--;
        else if (status != DAME_OK && status != DAME_NO_TABLE)
            return status;
    }
    return DAME_OK;
}

/* Put lengths into the ranks of all wins (or losses): dtw, or dtz if some have no dtw, or none. */
static void rank_by_length(const struct dame_move *moves, int count, int wdl, struct rank *ranks)
{
    bool dtw = true, dtz = true;
    for (int i = 0; i < count; i++)
        if (moves[i].wdl == wdl) {
            dtw = dtw && moves[i].dtw != DAME_NO_PLIES;
            dtz = dtz && moves[i].dtz != DAME_NO_PLIES;
        }
    for (int i = 0; i < count && (dtw || dtz); i++)
        if (moves[i].wdl == wdl)
            ranks[i].length = wdl * (dtw ? moves[i].dtw : moves[i].dtz);
}

static bool is_better(struct rank a, struct rank b)
{
    if (a.group != b.group)
        return a.group < b.group;
    if (a.length != b.length)
        return a.length < b.length;
    return a.late < b.late;
}

/* Insertion keeps the order of what is equal. */
static void sort_moves(struct dame_move *moves, struct rank *ranks, int count)
{
    for (int i = 1; i < count; i++) {
        const struct dame_move move = moves[i];
        const struct rank rank = ranks[i];
        int at = i;
        for (; at > 0 && is_better(rank, ranks[at - 1]); at--) {
            moves[at] = moves[at - 1];
            ranks[at] = ranks[at - 1];
        }
        moves[at] = move;
        ranks[at] = rank;
    }
}

/* One move with its value and rank. DAME_NO_TABLE: it has no value, and stands behind all others. */
static enum dame_status probe_move(const struct dame_tables *tables, const struct position *after, int clock,
                                   struct dame_move *move, struct rank *rank, struct failure *failure)
{
    const bool capture = move->captured != 0;
    const int then = draw_rule_clock_after(tables->draw_rule, clock, capture, move->zeroing != 0 && !capture);
    *rank = (struct rank){.group = 2};
    enum dame_status status = judge(tables, after, then, move, failure);
    if (status == DAME_OK)
        status = look_at_replies(tables, after, then, move, rank, failure);
    if (status == DAME_OK)
        rank->group = -move->wdl;
    return status;
}

static enum dame_status check(const struct dame_tables *tables, const struct dame_position *position,
                              int clock, struct position *seen, char *detail)
{
    const struct board *board = library_kernel(tables->library)->board;
    const int rule = tables->draw_rule.plies;
    enum dame_status status = position_from_public(board, position, seen, detail);
    if (status == DAME_OK)
        status = position_check(board, seen, detail);
    if (status == DAME_OK && (clock < 0 || (rule != 0 && clock > rule)))
        status = detail_fail(detail, DAME_BAD_ARGUMENT, "clock %d", clock);
    return status;
}

static dame_status probe_moves(const struct dame_tables *tables, const struct position *seen, int side,
                               int clock, const struct move_list *list, struct dame_move *moves,
                               struct dame_error *error)
{
    const struct board *board = library_kernel(tables->library)->board;
    struct rank ranks[MOVES_MAX];
    dame_status result = DAME_STATUS_OK;
    for (int i = 0; i < list->count; i++) {
        struct failure failure = {.detail = ""};
        const struct position after = position_after(seen, &list->moves[i], board->squares);
        moves[i] = describe(board, &list->moves[i], &after, side);
        const enum dame_status status = probe_move(tables, &after, clock, &moves[i], &ranks[i], &failure);
        if (status == DAME_OK || (status == DAME_NO_TABLE && result != DAME_STATUS_OK))
            continue;
        char where[8 + DAME_MOVE_TEXT_MAX] = "after ";
        dame_move_text(&moves[i], where + strlen(where));
        result = error_from_probe(error, status, where, &failure.missing, tables->draw_rule, failure.detail);
        if (status != DAME_NO_TABLE)
            return result;
    }
    for (int wdl = -1; wdl <= 1; wdl += 2)
        rank_by_length(moves, list->count, wdl, ranks);
    sort_moves(moves, ranks, list->count);
    return result;
}

dame_status dame_probe_moves(const struct dame_tables *tables, const struct dame_position *position,
                             int clock, struct dame_move *moves, size_t capacity, size_t *count,
                             struct dame_error *error)
{
    char detail[DETAIL_MAX] = "";
    struct position seen;
    struct move_list list;
    error_clear(error);
    enum dame_status status = check(tables, position, clock, &seen, detail);
    if (status == DAME_OK)
        status = library_kernel(tables->library)->moves(&seen, &list);
    if (status != DAME_OK)
        return error_from(error, status, NULL, detail);
    *count = (size_t)list.count;
    if (*count > capacity)
        return error_fail(error, DAME_STATUS_TOO_LARGE, "%d moves", list.count);
    return probe_moves(tables, &seen, position->side, clock, &list, moves, error);
}

_Static_assert(DAME_MOVE_TEXT_MAX > 3 * DAME_PATH_MAX, "two digits and a separator for each square");

char *dame_move_text(const struct dame_move *move, char *text)
{
    size_t at = 0;
    for (int i = 0; i < move->length && i < DAME_PATH_MAX; i++)
        at += (size_t)snprintf(text + at, DAME_MOVE_TEXT_MAX - at, "%s%u",
                               i == 0                ? ""
                               : move->captured != 0 ? "x"
                                                     : "-",
                               move->path[i] % 100U);
    return text;
}
