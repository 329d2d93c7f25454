#include "custom/custom.h"

#include <stdlib.h>

#include "base/bits.h"
#include "base/tree.h"
#include "boards/steps.h"

enum { LIST_START = 64, OFF_BOARD = -1 };

/* What stays the same for all positions. */
struct custom_game {
    const struct move_rules *rules;
    const struct board *board;
    struct steps steps;
};

/* The captures of one position. `jumps`, `path`, `captured`, `king_order` and `crowned` describe the way that
   the piece has gone so far. */
struct custom_search {
    const struct custom_game *game;
    const struct position *position;
    struct custom_list *list;
    int first;           /* moves before it are not of this position */
    uint64_t rank;       /* of the captures in the list */
    uint64_t pieces;     /* all but the piece that captures: its square counts as empty */
    bool by_king;        /* the piece was a king before the move */
    bool crowned;        /* it was a man and has become a king */
    int jumps;           /* jumps made */
    int work;            /* done so far, see CUSTOM_WORK_MAX */
    uint64_t captured;   /* the pieces it has jumped */
    uint32_t king_order; /* a bit for each of them, the latest is the lowest: it was a king */
    uint8_t path[MOVE_SQUARES_MAX];
    enum dame_status status;
};

/* False as soon as the search has to end. */
static bool may_work(struct custom_search *search)
{
    if (search->status == DAME_OK && search->work++ == CUSTOM_WORK_MAX)
        search->status = DAME_TOO_LARGE;
    return search->status == DAME_OK;
}

static bool on_square(uint64_t pieces, int square)
{
    return (pieces >> square & 1) != 0;
}

/* ---- the board ---- */

static int8_t neighbour(const struct board *board, int square, int direction)
{
    const int row = square / board->columns + (direction < DIRECTIONS_DOWN ? 1 : -1);
    const int column = board_column(board, square) + (direction % 2 == 0 ? -1 : 1);
    if (row < 0 || row >= board->rows || column < 0 || column >= 2 * board->columns)
        return OFF_BOARD;
    return (int8_t)(row * board->columns + column / 2);
}

static enum dame_status start_game(struct custom_game *game, const struct move_rules *rules,
                                   const struct board *board)
{
    if (board->squares > STEPS_SQUARES)
        return DAME_TOO_LARGE;
    game->rules = rules;
    game->board = board;
    for (int square = 0; square < board->squares; square++)
        for (int direction = 0; direction < DIRECTIONS; direction++)
            game->steps.next[square][direction] = neighbour(board, square, direction);
    return DAME_OK;
}

static enum dame_status check_position(const struct board *board, const struct position *p)
{
    const enum dame_status status = position_check(board, p, NULL);
    const int own = bit_count(p->own_men | p->own_kings), other = bit_count(p->other_men | p->other_kings);
    if (status == DAME_OK && (own >= MOVE_SQUARES_MAX || other >= MOVE_SQUARES_MAX))
        return DAME_TOO_LARGE;
    return status;
}

static bool is_crown_square(const struct custom_game *game, int square)
{
    return square >= game->board->men_squares;
}

/* ---- the list ---- */

/* A new place at the end of the list, NULL if there is none. */
static struct move *add_move(struct custom_list *list, enum dame_status *status)
{
    if (list->count == list->capacity) {
        const int capacity = list->capacity == 0 ? LIST_START : 2 * list->capacity;
        struct move *moves = realloc(list->moves, (size_t)capacity * sizeof *moves);
        if (moves == NULL) {
            *status = DAME_NO_MEMORY;
            return NULL;
        }
        list->moves = moves;
        list->capacity = capacity;
    }
    return &list->moves[list->count++];
}

void custom_list_free(struct custom_list *list)
{
    free(list->moves);
    *list = (struct custom_list){0};
}

/* ---- captures ---- */

/* Only captures of the greatest rank are legal. */
static uint64_t rank_of(const struct custom_search *search)
{
    const uint64_t jumps = (uint64_t)search->jumps;
    const uint64_t kings = (uint64_t)bit_count(search->king_order);
    const uint64_t by_king = search->by_king ? 1 : 0;
    switch (search->game->rules->priority) {
    case PRIORITY_FREE:
        return 0;
    case PRIORITY_MOST:
        return jumps;
    case PRIORITY_MOST_KINGS:
        return jumps * MOVE_SQUARES_MAX + kings;
    case PRIORITY_ITALIAN:
        return ((jumps * 2 + by_king) * MOVE_SQUARES_MAX + kings) << MOVE_SQUARES_MAX | search->king_order;
    case PRIORITY_KING_FIRST:
        return by_king;
    }
    return 0;
}

/* For two captures of the same piece. */
static bool is_same(const struct move *move, const struct custom_search *search, int end, bool crowned)
{
    return move->captured == search->captured && move->path[move->length - 1] == end &&
           move->crowned == crowned;
}

/* The capture ends on `end`. */
static void keep_capture(struct custom_search *search, int end, bool crowned)
{
    struct custom_list *list = search->list;
    const uint64_t rank = rank_of(search);
    if (rank < search->rank)
        return;
    if (rank > search->rank) {
        search->rank = rank;
        list->count = search->first;
    }
    for (int i = list->count - 1; i >= search->first && may_work(search); i--) {
        struct move *other = &list->moves[i];
        if (other->path[0] != search->path[0])
            break;
        if (is_same(other, search, end, crowned)) {
            other->paths++;
            return;
        }
    }
    struct move *kept = add_move(list, &search->status);
    if (kept == NULL)
        return;
    *kept = (struct move){
        .captured = search->captured,
        .length = (uint8_t)(search->jumps + 1),
        .by_king = search->by_king,
        .crowned = crowned,
        .paths = 1,
    };
    for (int i = 0; i < search->jumps; i++)
        kept->path[i] = search->path[i];
    kept->path[search->jumps] = (uint8_t)end;
}

static bool is_free(const struct custom_search *search, int square)
{
    if (square == OFF_BOARD)
        return false;
    const bool vanished =
        search->game->rules->removal == REMOVAL_AT_ONCE && on_square(search->captured, square);
    return vanished || !on_square(search->pieces, square);
}

static bool can_be_jumped(const struct custom_search *search, int square, bool king)
{
    if (square == OFF_BOARD || on_square(search->captured, square))
        return false;
    return on_square(search->position->other_men, square) ||
           (on_square(search->position->other_kings, square) &&
            (king || search->game->rules->men_capture_kings));
}

static void man_lands(struct custom_search *search, int square, int direction);
static void king_lands(struct custom_search *search, int square, int direction);

/* Follows the jump from `square` in one direction, if there is one. */
static bool jump(struct custom_search *search, int square, int direction, bool king)
{
    const struct custom_game *game = search->game;
    int victim = game->steps.next[square][direction];
    while (king && game->rules->flying_kings && is_free(search, victim))
        victim = game->steps.next[victim][direction];
    if (!can_be_jumped(search, victim, king))
        return false;
    const int landing = game->steps.next[victim][direction];
    if (!is_free(search, landing))
        return false;
    if (!may_work(search))
        return true;
    const uint32_t order = search->king_order;
    search->path[search->jumps++] = (uint8_t)square;
    search->captured |= bit_at(victim);
    search->king_order = order << 1 | (on_square(search->position->other_kings, victim) ? 1U : 0U);
    if (king)
        king_lands(search, landing, direction);
    else
        man_lands(search, landing, direction);
    search->king_order = order;
    search->captured &= ~bit_at(victim);
    search->jumps--;
    return true;
}

/* Follows every jump of a man; false if there is none. */
static bool man_jumps(struct custom_search *search, int square)
{
    const int directions = search->game->rules->men_capture_backwards ? DIRECTIONS : DIRECTIONS_DOWN;
    bool found = false;
    for (int direction = 0; direction < directions; direction++)
        found |= jump(search, square, direction, false);
    return found;
}

static void man_lands(struct custom_search *search, int square, int direction)
{
    const enum crowning crowning = search->game->rules->crowning;
    const bool last_row = is_crown_square(search->game, square);
    if (last_row && crowning == CROWNING_GOES_KING) {
        search->crowned = true;
        king_lands(search, square, direction);
        search->crowned = false;
        return;
    }
    if (last_row && crowning == CROWNING_STOPS)
        keep_capture(search, square, true);
    else if (!man_jumps(search, square))
        keep_capture(search, square, last_row);
}

/* A king has jumped a piece and may land on `landing` or, flying, on the free squares after it. */
static void king_lands(struct custom_search *search, int landing, int direction)
{
    const struct move_rules *rules = search->game->rules;
    const int8_t (*next)[DIRECTIONS] = search->game->steps.next;
    const bool flies_on = rules->flying_kings && rules->landing == LANDING_ANY;
    const int turn = direction == 0 || direction == 3 ? 1 : 0;
    uint64_t dead_ends = 0;
    bool goes_on = false;
    int last = landing;
    for (int square = landing; is_free(search, square); square = next[square][direction]) {
        const bool left = jump(search, square, turn, true);
        const bool right = jump(search, square, 3 - turn, true);
        if (left || right)
            goes_on = true;
        else
            dead_ends |= bit_at(square);
        last = square;
        if (!flies_on)
            break;
    }
    /* Along the line the next piece is the same for all the squares, so it is jumped once. */
    const bool straight = jump(search, last, direction, true);
    const bool back = rules->removal == REMOVAL_AT_ONCE && jump(search, landing, 3 - direction, true);
    if (straight || back || (goes_on && rules->must_go_on))
        return;
    for (; dead_ends != 0; dead_ends &= dead_ends - 1)
        keep_capture(search, bit_lowest(dead_ends), search->crowned);
}

static enum dame_status add_captures(const struct custom_game *game, const struct position *position,
                                     struct custom_list *out)
{
    const uint64_t own = position->own_men | position->own_kings;
    struct custom_search search = {.game = game, .position = position, .list = out, .first = out->count};
    for (uint64_t left = own; left != 0; left &= left - 1) {
        const int square = bit_lowest(left);
        search.by_king = on_square(position->own_kings, square);
        search.pieces = (own | position->other_men | position->other_kings) & ~bit_at(square);
        if (search.by_king)
            for (int direction = 0; direction < DIRECTIONS; direction++)
                jump(&search, square, direction, true);
        else
            man_jumps(&search, square);
    }
    return search.status;
}

/* ---- quiet moves ---- */

static enum dame_status add_quiet_moves(const struct custom_game *game, const struct position *position,
                                        struct custom_list *out)
{
    const uint64_t own = position->own_men | position->own_kings;
    const uint64_t pieces = own | position->other_men | position->other_kings;
    enum dame_status status = DAME_OK;
    for (uint64_t left = own; left != 0; left &= left - 1) {
        const int from = bit_lowest(left);
        const bool king = on_square(position->own_kings, from);
        for (int direction = 0; direction < (king ? DIRECTIONS : DIRECTIONS_DOWN); direction++) {
            int to = game->steps.next[from][direction];
            while (to != OFF_BOARD && !on_square(pieces, to)) {
                struct move *added = add_move(out, &status);
                if (added == NULL)
                    return status;
                *added = (struct move){
                    .path = {(uint8_t)from, (uint8_t)to},
                    .length = 2,
                    .by_king = king,
                    .crowned = !king && is_crown_square(game, to),
                    .paths = 1,
                };
                if (!king || !game->rules->flying_kings)
                    break;
                to = game->steps.next[to][direction];
            }
        }
    }
    return DAME_OK;
}

static enum dame_status add_moves(const struct custom_game *game, const struct position *position,
                                  struct custom_list *out)
{
    const int before = out->count;
    const enum dame_status status = add_captures(game, position, out);
    if (status != DAME_OK || (out->count > before && !game->rules->capture_optional))
        return status;
    return add_quiet_moves(game, position, out);
}

enum dame_status custom_moves(const struct move_rules *rules, const struct board *board,
                              const struct position *position, struct custom_list *out)
{
    struct custom_game game;
    enum dame_status status = start_game(&game, rules, board);
    if (status == DAME_OK)
        status = check_position(board, position);
    return status == DAME_OK ? add_moves(&game, position, out) : status;
}

/* ---- perft ---- */

struct ply {
    struct position position;
    struct custom_list list;
};

static enum dame_status list_moves(const void *game, void *ply, int *count)
{
    struct ply *at = ply;
    at->list.count = 0;
    const enum dame_status status = add_moves(game, &at->position, &at->list);
    *count = at->list.count;
    return status;
}

static uint32_t move_paths(const void *ply, int move)
{
    return ((const struct ply *)ply)->list.moves[move].paths; /* at most CUSTOM_WORK_MAX */
}

static void play(const void *game, const void *ply, int move, void *next)
{
    const struct ply *at = ply;
    const int squares = ((const struct custom_game *)game)->board->squares;
    ((struct ply *)next)->position = position_after(&at->position, &at->list.moves[move], squares);
}

enum dame_status custom_perft(const struct move_rules *rules, const struct board *board,
                              const struct position *position, int depth, bool paths,
                              const atomic_bool *cancel, leaf_count *count)
{
    static const struct tree_game GAME = {sizeof(struct ply), list_moves, move_paths, play};
    if (depth < 0)
        return DAME_BAD_ARGUMENT;
    if (depth > TREE_DEPTH_MAX)
        return DAME_TOO_LARGE;
    struct custom_game game;
    enum dame_status status = start_game(&game, rules, board);
    if (status == DAME_OK)
        status = check_position(board, position);
    if (status != DAME_OK)
        return status;
    const int plies = depth == 0 ? 1 : depth;
    struct ply *run = calloc((size_t)plies, sizeof *run);
    if (run == NULL)
        return DAME_NO_MEMORY;
    run[0].position = *position;
    status = tree_perft(&GAME, &game, run, depth, paths, cancel, count);
    for (int i = 0; i < plies; i++)
        custom_list_free(&run[i].list);
    free(run);
    return status;
}
