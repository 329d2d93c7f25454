/* dame_probe_moves: every legal move with what it leads to (probe/moves.h), as dame.h has them. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "api/error.h"
#include "api/handle.h"
#include "api/position.h"
#include "base/bits.h"
#include "position/outcome.h"
#include "probe/moves.h"

_Static_assert((int)DAME_MOVES_MAX == MOVES_MAX && (int)DAME_PATH_MAX == MOVE_SQUARES_MAX,
               "one size in both");
_Static_assert((int)DAME_NO_PLIES == NO_PLIES, "one number in both");

/* The move as it lies on the board, with its value. */
static struct dame_move to_public(const struct board *board, const struct move *move,
                                  const struct move_value *value, const struct position *after, int side)
{
    const bool known = value->wdl != MOVE_UNKNOWN;
    struct dame_move out = {
        .after = position_to_public(board, after, 1 - side),
        .captured = side == DAME_BLACK ? move->captured : bits_reverse(move->captured, board->squares),
        .length = move->length,
        .crowned = move->crowned,
        .zeroing = move->captured != 0 || !move->by_king,
        .wdl = (int8_t)(known ? value->wdl : DAME_NO_VALUE),
        .dtw = value->plies[METRIC_DTW],
        .dtz = value->plies[METRIC_DTZ],
        .dtc = value->plies[METRIC_DTC],
        .status = known ? DAME_STATUS_OK : DAME_STATUS_NO_TABLE,
    };
    for (int i = 0; i < move->length; i++) {
        const int square = move->path[i];
        out.path[i] = (uint8_t)(side == DAME_BLACK ? square + 1 : board->squares - square);
    }
    return out;
}

/* What is returned if some move is unknown: the first of them, in the order of the generator. */
static dame_status report_unknown(const struct dame_tables *tables, const struct move_value *values,
                                  const int *order, int count, const struct dame_move *moves,
                                  struct dame_error *error)
{
    int first = count; /* unknown ones are last, in their own order */
    while (first > 0 && moves[first - 1].status != DAME_STATUS_OK)
        first--;
    if (first == count)
        return DAME_STATUS_OK;
    char where[8 + DAME_MOVE_TEXT_MAX] = "after ";
    dame_move_text(&moves[first], where + strlen(where));
    return error_from_probe(error, DAME_NO_TABLE, where, &values[order[first]].missing, tables, "");
}

dame_status dame_probe_moves(const struct dame_tables *tables, const struct dame_position *position,
                             int clock, struct dame_move *moves, size_t capacity, size_t *count,
                             struct dame_error *error)
{
    const struct board *board = library_kernel(tables->library)->board;
    char detail[DETAIL_MAX] = "";
    struct position seen;
    struct move_list list;
    struct move_value values[MOVES_MAX];
    int order[MOVES_MAX];
    error_clear(error);
    enum dame_status status = position_from_public(board, position, &seen, detail);
    if (status == DAME_OK)
        status = moves_probe(tables->library, &seen, clock, &list, values, detail);
    if (status != DAME_OK)
        return error_from(error, status, NULL, detail);
    *count = (size_t)list.count;
    if (*count > capacity)
        return error_fail(error, DAME_STATUS_TOO_LARGE, "%d moves", list.count);
    moves_order(values, list.count, order);
    for (int i = 0; i < list.count; i++) {
        const struct move *move = &list.moves[order[i]];
        const struct position after = position_after(&seen, move, board->squares);
        moves[i] = to_public(board, move, &values[order[i]], &after, position->side);
    }
    return report_unknown(tables, values, order, list.count, moves, error);
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
