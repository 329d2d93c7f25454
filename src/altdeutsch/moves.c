#include "altdeutsch/moves.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"

enum { WIDTH = 8, NOWHERE = -1, NO_DIRECTION = -1, DIRECTIONS = 8 };

/* Board rows and columns of one step. The order is chosen so that men walk in the first two directions and
   capture in the first five. */
static const struct {
    int8_t row, column;
} STEPS[DIRECTIONS] = {{1, -1}, {1, 1}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {-1, 1}, {-1, 0}};

enum { MAN_WALKS = 2, MAN_CAPTURES = 5 };

/* A capture on its way. */
struct search {
    const struct move_rules *rules;
    uint64_t occupied; /* captured pieces stay; the piece that captures is in the hand */
    uint64_t targets;  /* pieces of the other side */
    struct altdeutsch_move move;
    int landings;
    enum dame_status status;
    struct altdeutsch_moves *out;
};

static int square_next(int square, int direction)
{
    const int row = square / WIDTH + STEPS[direction].row;
    const int column = square % WIDTH + STEPS[direction].column;
    return row < 0 || row >= WIDTH || column < 0 || column >= WIDTH ? NOWHERE : WIDTH * row + column;
}

static bool holds(uint64_t squares, int square)
{
    return (squares & bit_at(square)) != 0;
}

static bool is_free(const struct search *search, int square)
{
    return square != NOWHERE && !holds(search->occupied, square);
}

/* Where the piece, standing on `square`, can jump in a direction: the square of the piece to capture, or
   NOWHERE. */
static int find_jump(const struct search *search, int square, int direction)
{
    int over = square_next(square, direction);
    if (search->move.by_king && search->rules->flying_kings)
        while (is_free(search, over))
            over = square_next(over, direction);
    if (over == NOWHERE || !holds(search->targets & ~search->move.captured, over))
        return NOWHERE;
    return is_free(search, square_next(over, direction)) ? over : NOWHERE;
}

/* One more move at the end of the list. */
static enum dame_status append(struct altdeutsch_moves *list, const struct altdeutsch_move *move)
{
    if (list->count == list->capacity) {
        const int capacity = list->capacity == 0 ? 64 : 2 * list->capacity;
        struct altdeutsch_move *grown = realloc(list->moves, (size_t)capacity * sizeof *grown);
        if (grown == NULL)
            return DAME_NO_MEMORY;
        list->moves = grown;
        list->capacity = capacity;
    }
    list->moves[list->count++] = *move;
    return DAME_OK;
}

/* A path is complete. */
static void keep(struct search *search)
{
    struct altdeutsch_moves *out = search->out;
    const int length = search->move.length;
    if (search->status != DAME_OK)
        return;
    if (search->rules->priority == PRIORITY_MOST && out->count > 0) {
        if (length < out->moves[0].length)
            return;
        if (length > out->moves[0].length)
            out->count = 0;
    }
    search->status = append(out, &search->move);
}

static int end_of(const struct altdeutsch_move *move)
{
    return move->path[move->length - 1];
}

/* By what makes captures the same move. */
static int compare_moves(const struct altdeutsch_move *a, const struct altdeutsch_move *b)
{
    if (a->path[0] != b->path[0])
        return a->path[0] < b->path[0] ? -1 : 1;
    if (end_of(a) != end_of(b))
        return end_of(a) < end_of(b) ? -1 : 1;
    if (a->crowned != b->crowned)
        return a->crowned ? 1 : -1;
    return (a->captured > b->captured) - (a->captured < b->captured);
}

static int compare_paths(const void *left, const void *right)
{
    const struct altdeutsch_move *a = left, *b = right;
    const int order = compare_moves(a, b);
    return order != 0 ? order : memcmp(a->path, b->path, sizeof a->path);
}

/* Captures that differ in the order of their jumps become one. */
static void merge(struct altdeutsch_moves *list)
{
    int kept = 0;
    qsort(list->moves, (size_t)list->count, sizeof *list->moves, compare_paths);
    for (int i = 0; i < list->count; i++) {
        if (kept > 0 && compare_moves(&list->moves[kept - 1], &list->moves[i]) == 0)
            list->moves[kept - 1].paths++;
        else
            list->moves[kept++] = list->moves[i];
    }
    list->count = kept;
}

static bool jump_on(struct search *search, int square, int came, bool straight);

/* Whether a flying king that came in a direction finds a jump from the square. */
static bool goes_on(const struct search *search, int square, int came, bool straight)
{
    for (int direction = 0; direction < DIRECTIONS; direction++)
        if ((direction != came || straight) && find_jump(search, square, direction) != NOWHERE)
            return true;
    return false;
}

/* Stand on a landing square. */
static void land(struct search *search, int square)
{
    search->move.path[search->move.length - 1] = (uint8_t)square;
    if (++search->landings > ALTDEUTSCH_LANDINGS_MAX)
        search->status = DAME_TOO_LARGE;
}

/* Land behind a captured piece, and go on. Straight on, every landing square of a flying king before the next
   piece means the same; the last one is named. */
static void land_flying(struct search *search, int over, int direction)
{
    bool must_go_on = false;
    int last = square_next(over, direction);
    if (search->rules->landing == LANDING_ANY)
        while (is_free(search, square_next(last, direction)))
            last = square_next(last, direction);
    for (int at = over; at != last && search->rules->must_go_on;) {
        at = square_next(at, direction);
        must_go_on = must_go_on || goes_on(search, at, direction, true);
    }
    for (int at = over; at != last && search->status == DAME_OK;) {
        at = square_next(at, direction);
        land(search, at);
        if (!jump_on(search, at, direction, at == last) && !must_go_on &&
            !goes_on(search, at, direction, true))
            keep(search);
    }
}

static void land_walking(struct search *search, int over, int direction)
{
    const int at = square_next(over, direction);
    land(search, at);
    search->move.crowned = !search->move.by_king && at / WIDTH == WIDTH - 1;
    if (search->move.crowned || !jump_on(search, at, direction, true))
        keep(search);
    search->move.crowned = false;
}

static void jump(struct search *search, int over, int direction)
{
    assert(search->move.length < ALTDEUTSCH_PATH_MAX); /* no piece is captured twice */
    search->move.captured |= bit_at(over);
    search->move.length++;
    if (search->move.by_king && search->rules->flying_kings)
        land_flying(search, over, direction);
    else
        land_walking(search, over, direction);
    search->move.path[--search->move.length] = 0;
    search->move.captured ^= bit_at(over);
}

/* Follow every jump from the square; false if there is none. */
static bool jump_on(struct search *search, int square, int came, bool straight)
{
    bool found = false;
    const int directions = search->move.by_king ? DIRECTIONS : MAN_CAPTURES;
    for (int direction = 0; direction < directions && search->status == DAME_OK; direction++) {
        if (direction == came && !straight)
            continue;
        const int over = find_jump(search, square, direction);
        if (over == NOWHERE)
            continue;
        jump(search, over, direction);
        found = true;
    }
    return found;
}

static enum dame_status find_captures(const struct move_rules *rules, const struct position *position,
                                      struct altdeutsch_moves *out)
{
    const uint64_t own = position->own_men | position->own_kings;
    struct search search = {
        .rules = rules, .targets = position->other_men | position->other_kings, .out = out};
    for (uint64_t left = own; left != 0 && search.status == DAME_OK; left &= left - 1) {
        const int origin = bit_lowest(left);
        search.occupied = (own | search.targets) & ~bit_at(origin);
        search.move = (struct altdeutsch_move){.path = {(uint8_t)origin},
                                               .length = 1,
                                               .by_king = holds(position->own_kings, origin),
                                               .paths = 1};
        jump_on(&search, origin, NO_DIRECTION, true);
    }
    return search.status;
}

static enum dame_status find_quiet_moves(const struct move_rules *rules, const struct position *position,
                                         struct altdeutsch_moves *out)
{
    const uint64_t own = position->own_men | position->own_kings;
    const uint64_t occupied = own | position->other_men | position->other_kings;
    for (uint64_t left = own; left != 0; left &= left - 1) {
        const int origin = bit_lowest(left);
        const bool king = holds(position->own_kings, origin);
        for (int direction = 0; direction < (king ? DIRECTIONS : MAN_WALKS); direction++) {
            for (int at = square_next(origin, direction); at != NOWHERE && !holds(occupied, at);
                 at = square_next(at, direction)) {
                const struct altdeutsch_move move = {
                    .path = {(uint8_t)origin, (uint8_t)at},
                    .length = 2,
                    .by_king = king,
                    .crowned = !king && at / WIDTH == WIDTH - 1,
                    .paths = 1,
                };
                const enum dame_status status = append(out, &move);
                if (status != DAME_OK)
                    return status;
                if (!king || !rules->flying_kings)
                    break;
            }
        }
    }
    return DAME_OK;
}

enum dame_status altdeutsch_moves(const struct move_rules *rules, const struct position *position,
                                  struct altdeutsch_moves *out)
{
    if (!altdeutsch_supports(rules))
        return DAME_NOT_SUPPORTED;
    if (bit_count(position->own_men | position->own_kings) > ALTDEUTSCH_SIDE_MAX ||
        bit_count(position->other_men | position->other_kings) > ALTDEUTSCH_SIDE_MAX)
        return DAME_BAD_POSITION;
    out->count = 0;
    const enum dame_status status = find_captures(rules, position, out);
    if (status != DAME_OK)
        return status;
    if (out->count == 0)
        return find_quiet_moves(rules, position, out);
    merge(out);
    return DAME_OK;
}

void altdeutsch_moves_free(struct altdeutsch_moves *list)
{
    free(list->moves);
    *list = (struct altdeutsch_moves){0};
}

struct position altdeutsch_position_after(const struct position *position, const struct altdeutsch_move *move)
{
    const uint64_t from = bit_at(move->path[0]), to = bit_at(move->path[move->length - 1]);
    return position_turned(
        position_moved(*position, from, to, move->captured, move->by_king || move->crowned), 64);
}
