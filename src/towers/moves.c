#include "towers/moves.h"

#include <string.h>

/* A capture on its way. The stack that jumps is in the hand, not on the board. */
struct search {
    struct tower_position board; /* as it is after the jumps so far */
    struct stack hand;
    bool jump_again;
    uint32_t jumped; /* squares of stacks that were jumped */
    struct tower_move move;
    int landings; /* of the whole search */
    enum dame_status status;
    struct tower_moves *out;
};

static bool has_top_of(const struct tower_position *board, int square, bool white)
{
    return !square_is_empty(board, square) && stack_top(board->stacks[square]).white == white;
}

/* Where the piece in the hand, standing on `square`, can jump in a direction: the square of the stack, or
   NOWHERE. */
static int find_jump(const struct search *search, int square, int direction)
{
    int over = square_next(square, direction);
    if (stack_top(search->hand).king)
        while (over != NOWHERE && square_is_empty(&search->board, over))
            over = square_next(over, direction);
    if (over == NOWHERE || !has_top_of(&search->board, over, !search->board.white_to_move))
        return NOWHERE;
    if (!search->jump_again && (search->jumped >> over & 1) != 0)
        return NOWHERE;
    const int behind = square_next(over, direction);
    return behind != NOWHERE && square_is_empty(&search->board, behind) ? over : NOWHERE;
}

static void keep(struct search *search)
{
    struct tower_moves *out = search->out;
    const struct tower_move *move = &search->move;
    for (int i = out->count - 1; i >= 0 && out->moves[i].path[0] == move->path[0]; i--) {
        struct tower_move *same = &out->moves[i];
        if (same->jumps != move->jumps || tower_move_end(same) != tower_move_end(move) ||
            same->crowned != move->crowned || !stack_equal(same->stack, search->hand))
            continue;
        int8_t times[TOWER_SQUARES] = {0}; /* how much more often the one jumps a stack than the other */
        for (int j = 0; j < move->jumps; j++) {
            times[move->jumped[j]]++;
            times[same->jumped[j]]--;
        }
        bool equal = true;
        for (int j = 0; j < move->jumps; j++)
            equal = equal && times[move->jumped[j]] == 0;
        if (equal) {
            same->paths++;
            return;
        }
    }
    if (out->count == TOWER_MOVES_MAX) {
        search->status = DAME_TOO_LARGE;
        return;
    }
    out->moves[out->count] = *move;
    out->moves[out->count].stack = search->hand;
    out->moves[out->count].paths = 1;
    out->count++;
}

/* Where the piece in the hand stands in the middle of a move. */
struct stand {
    int square;
    int came;         /* the direction of the last jump, NOWHERE before the first one */
    bool first, last; /* of the landing squares of that jump */
};

static bool jump_on(struct search *search, struct stand stand);

static void land(struct search *search, int square)
{
    search->move.path[search->move.jumps] = (uint8_t)square;
    if (++search->landings > TOWER_LANDINGS_MAX)
        search->status = DAME_TOO_LARGE;
}

/* Whether the piece in the hand may jump on in a direction. A king does not turn back, unless the same stack
   may be jumped again. Straight on, every landing square before the next stack means the same, and so it does
   straight back; the last one is named, or the first. */
static bool may_turn(const struct search *search, struct stand stand, int direction)
{
    if (stand.came == NOWHERE || !stack_top(search->hand).king)
        return true;
    if (direction == opposite(stand.came))
        return search->jump_again && stand.first;
    return direction != stand.came || stand.last;
}

/* Whether a king that came in a direction finds a jump from the square. */
static bool goes_on(const struct search *search, int square, int came)
{
    const struct stand stand = {.square = square, .came = came, .first = true, .last = true};
    for (int direction = 0; direction < DIRECTIONS; direction++)
        if (may_turn(search, stand, direction) && find_jump(search, square, direction) != NOWHERE)
            return true;
    return false;
}

/* Land behind the stack that was just jumped, and go on. */
static void land_king(struct search *search, int over, int direction)
{
    const int first = square_next(over, direction);
    bool must_go_on = false;
    int last = first;
    for (int at = first; at != NOWHERE && square_is_empty(&search->board, at);
         at = square_next(at, direction)) {
        last = at;
        must_go_on = must_go_on || goes_on(search, at, direction);
    }
    for (int at = over; at != last && search->status == DAME_OK;) {
        at = square_next(at, direction);
        land(search, at);
        if (must_go_on)
            jump_on(search, (struct stand){at, direction, at == first, at == last});
        else
            keep(search);
    }
}

static void land_man(struct search *search, int over, int direction)
{
    const int at = square_next(over, direction);
    const bool white = search->board.white_to_move;
    land(search, at);
    if (square_crowns(at, white)) { /* it goes on as a king */
        search->hand.kings |= 1;
        search->move.crowned = true;
    }
    if (search->status == DAME_OK && !jump_on(search, (struct stand){at, direction, true, true}))
        keep(search);
    if (search->move.crowned) {
        search->hand.kings &= ~UINT32_C(1);
        search->move.crowned = false;
    }
}

static void jump(struct search *search, int over, int direction)
{
    struct tower_move *move = &search->move;
    const struct stack victim = search->board.stacks[over], hand = search->hand;
    const uint32_t jumped = search->jumped;
    assert(move->jumps + 1 < TOWER_PATH_MAX); /* each jump lengthens the hand */
    stack_put_under(&search->hand, stack_take(&search->board.stacks[over]));
    search->jumped |= UINT32_C(1) << over;
    move->jumped[move->jumps++] = (uint8_t)over;
    if (stack_top(hand).king)
        land_king(search, over, direction);
    else
        land_man(search, over, direction);
    move->jumps--;
    search->jumped = jumped;
    search->board.stacks[over] = victim;
    search->hand = hand;
}

/* Follow every jump from there; false if there is none. */
static bool jump_on(struct search *search, struct stand stand)
{
    bool found = false;
    for (int direction = 0; direction < DIRECTIONS && search->status == DAME_OK; direction++) {
        if (!may_turn(search, stand, direction))
            continue;
        const int over = find_jump(search, stand.square, direction);
        if (over == NOWHERE)
            continue;
        jump(search, over, direction);
        found = true;
    }
    return found;
}

static enum dame_status find_captures(const struct tower_rules *rules, const struct tower_position *position,
                                      struct tower_moves *out)
{
    struct search search = {.board = *position, .jump_again = rules->jump_again, .out = out};
    for (int origin = 0; origin < TOWER_SQUARES && search.status == DAME_OK; origin++) {
        if (!has_top_of(position, origin, position->white_to_move))
            continue;
        search.hand = position->stacks[origin];
        search.board.stacks[origin] = (struct stack){0};
        search.move.path[0] = (uint8_t)origin;
        search.move.by_king = stack_top(search.hand).king;
        jump_on(&search, (struct stand){origin, NOWHERE, true, true});
        search.board.stacks[origin] = search.hand;
    }
    return search.status;
}

static enum dame_status find_quiet_moves(const struct tower_position *position, struct tower_moves *out)
{
    const bool white = position->white_to_move;
    for (int origin = 0; origin < TOWER_SQUARES; origin++) {
        if (!has_top_of(position, origin, white))
            continue;
        const struct stack stack = position->stacks[origin];
        const bool king = stack_top(stack).king;
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            if (!king && (direction < 2) != white)
                continue;
            for (int at = square_next(origin, direction); at != NOWHERE && square_is_empty(position, at);
                 at = square_next(at, direction)) {
                if (out->count == TOWER_MOVES_MAX)
                    return DAME_TOO_LARGE;
                struct tower_move *move = &out->moves[out->count++];
                *move = (struct tower_move){.path = {(uint8_t)origin, (uint8_t)at},
                                            .by_king = king,
                                            .crowned = !king && square_crowns(at, white),
                                            .stack = stack,
                                            .paths = 1};
                if (move->crowned)
                    move->stack.kings |= 1;
                if (!king)
                    break;
            }
        }
    }
    return DAME_OK;
}

enum dame_status tower_moves(const struct tower_rules *rules, const struct tower_position *position,
                             struct tower_moves *out)
{
    int pieces = 0;
    for (int square = 0; square < TOWER_SQUARES; square++)
        pieces += position->stacks[square].height;
    if (pieces > TOWER_PIECES_MAX)
        return DAME_BAD_POSITION;
    out->count = 0;
    const enum dame_status status = find_captures(rules, position, out);
    return status != DAME_OK || out->count > 0 ? status : find_quiet_moves(position, out);
}

struct tower_position tower_position_after(const struct tower_position *position,
                                           const struct tower_move *move)
{
    struct tower_position after = *position;
    after.stacks[move->path[0]] = (struct stack){0};
    for (int i = 0; i < move->jumps; i++)
        stack_take(&after.stacks[move->jumped[i]]);
    assert(square_is_empty(&after, tower_move_end(move)));
    after.stacks[tower_move_end(move)] = move->stack;
    after.white_to_move = !position->white_to_move;
    return after;
}
