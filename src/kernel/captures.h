/* All captures of one side: a recursion over jumps that keeps every move once.

   Which captures are legal when there is a choice is one ordering key for each rule set: only those with the
   greatest key are kept. The key grows with every jump:

        bits 48..  captured pieces | bit 40  by a king | bits 32..39  captured kings | bits 0..31  their order

   A rule set uses the fields that its priority names and leaves the others zero; "free" uses none. */
#ifndef DAME_KERNEL_CAPTURES_H
#define DAME_KERNEL_CAPTURES_H

#include <stddef.h>

#include "kernel/moves.h"
#include "position/move.h"

struct capture {
    word origin, end, captured;
    uint64_t paths; /* orders of the jumps that are this one move */
    bool crowned;
};

struct capture_list {
    int count;
    uint64_t key; /* of every capture in the list */
    struct capture captures[MOVES_MAX];
};

struct capture_search {
    struct board_position position;
    word free; /* empty squares and the one the capturing piece came from */
    word origin;
    bool down, by_king;
    enum dame_status status;
    struct capture_list *list;
    struct move *moves;           /* the same captures with their paths; may be NULL */
    word trail[MOVE_SQUARES_MAX]; /* squares of the present path */
};

static inline uint64_t key_at_start(bool by_king)
{
    const bool counts = RULES.priority == PRIORITY_ITALIAN || RULES.priority == PRIORITY_KING_FIRST;
    return counts && by_king ? bit_at(40) : 0;
}

static inline uint64_t key_after(uint64_t key, bool king)
{
    if (RULES.priority == PRIORITY_FREE || RULES.priority == PRIORITY_KING_FIRST)
        return key;
    key += bit_at(48);
    if (RULES.priority != PRIORITY_MOST && king)
        key += bit_at(32);
    if (RULES.priority == PRIORITY_ITALIAN) {
        const uint64_t order = key & bits_below(32);
        key = (key ^ order) | order << 1 | king;
    }
    return key;
}

static inline void keep_path(const struct capture_search *search, int index, int jumps)
{
    struct move *move = &search->moves[index];
    *move = (struct move){
        .captured = board_pack(search->list->captures[index].captured),
        .length = (uint8_t)(jumps + 1),
        .by_king = search->by_king,
        .crowned = search->list->captures[index].crowned,
        .paths = 1,
    };
    for (int i = 0; i <= jumps; i++)
        move->path[i] = square_index(search->trail[i]);
}

/* A path is complete: trail[0..jumps]. */
static inline void keep_capture(struct capture_search *search, word captured, uint64_t key, int jumps,
                                bool crowned)
{
    struct capture_list *list = search->list;
    const word end = search->trail[jumps];
    if (key != list->key) {
        if (key < list->key)
            return;
        list->key = key;
        list->count = 0;
    }
    for (int i = list->count - 1; i >= 0 && list->captures[i].origin == search->origin; i--) {
        struct capture *same = &list->captures[i];
        if (same->captured == captured && same->end == end && same->crowned == crowned) {
            same->paths++;
            if (search->moves != NULL)
                search->moves[i].paths++;
            return;
        }
    }
    if (list->count == MOVES_MAX) {
        search->status = DAME_TOO_LARGE;
        return;
    }
    list->captures[list->count] = (struct capture){
        .origin = search->origin,
        .end = end,
        .captured = captured,
        .paths = 1,
        .crowned = crowned,
    };
    if (search->moves != NULL)
        keep_path(search, list->count, jumps);
    list->count++;
}

static ALWAYS_INLINE word free_squares(const struct capture_search *search, word captured)
{
    return RULES.removal == REMOVAL_AT_ONCE ? search->free | captured : search->free;
}

static void king_lands(struct capture_search *search, word land, int step, word captured, uint64_t key,
                       int jumps, bool crowned);

/* Follows the jump of a king on `at` = trail[jumps] in the direction of `step`, if there is one. */
static inline bool king_jumps(struct capture_search *search, word at, int step, word captured, uint64_t key,
                              int jumps, bool crowned)
{
    const word free = free_squares(search, captured);
    word over = stepped(at, step);
    while (RULES.flying_kings && (over & free) != 0)
        over = stepped(over, step);
    const word land = stepped(over, step);
    if ((over & search->position.other & ~captured) == 0 || (land & free) == 0)
        return false;
    const bool king = (over & search->position.kings) != 0;
    king_lands(search, land, step, captured | over, key_after(key, king), jumps + 1, crowned);
    return true;
}

/* A king has jumped in the direction of `step` and may land on `land` or, flying, further on. A straight
   run is followed from the last square only: from any of them it would be the same move. */
static void king_lands(struct capture_search *search, word land, int step, word captured, uint64_t key,
                       int jumps, bool crowned)
{
    const word free = free_squares(search, captured);
    const int turn = step == STEP_SHORT || step == -STEP_SHORT ? STEP_LONG : STEP_SHORT;
    const bool flies_on = RULES.flying_kings && RULES.landing == LANDING_ANY;
    word run = 0;
    word last = land;
    word turned = 0;
    for (word square = land; (square & free) != 0; square = stepped(square, step)) {
        run |= square;
        last = square;
        search->trail[jumps] = square;
        const bool left = king_jumps(search, square, turn, captured, key, jumps, crowned);
        const bool right = king_jumps(search, square, -turn, captured, key, jumps, crowned);
        if (left || right)
            turned |= square;
        if (!flies_on)
            break;
    }
    search->trail[jumps] = last;
    bool straight = king_jumps(search, last, step, captured, key, jumps, crowned);
    if (RULES.removal == REMOVAL_AT_ONCE) {
        search->trail[jumps] = land;
        straight |= king_jumps(search, land, -step, captured, key, jumps, crowned);
    }
    if (straight || (RULES.must_go_on && turned != 0))
        return;
    for (word square = land; (square & run) != 0; square = stepped(square, step)) {
        search->trail[jumps] = square;
        if ((square & turned) == 0)
            keep_capture(search, captured, key, jumps, crowned);
    }
}

static void man_lands(struct capture_search *search, word land, int step, word captured, uint64_t key,
                      int jumps);

/* Follows the jumps of a man on `at` = trail[jumps]; false if there are none. */
static inline bool man_jumps(struct capture_search *search, word at, word captured, uint64_t key, int jumps)
{
    const int left = forwards(STEP_SHORT, search->down);
    const int right = forwards(STEP_LONG, search->down);
    const int steps[4] = {left, right, -left, -right};
    const word targets = man_targets(search->position) & ~captured;
    bool found = false;
    for (int i = 0; i < (RULES.men_capture_backwards ? 4 : 2); i++) {
        const word over = stepped(at, steps[i]) & targets;
        const word land = stepped(over, steps[i]) & search->free;
        if (land == 0)
            continue;
        const bool king = (over & search->position.kings) != 0;
        man_lands(search, land, steps[i], captured | over, key_after(key, king), jumps + 1);
        found = true;
    }
    return found;
}

static void man_lands(struct capture_search *search, word land, int step, word captured, uint64_t key,
                      int jumps)
{
    search->trail[jumps] = land;
    const bool last_row = (land & crown_row(search->down)) != 0;
    if (last_row && RULES.crowning == CROWNING_GOES_KING) {
        king_lands(search, land, step, captured, key, jumps, true);
        return;
    }
    if (!(last_row && RULES.crowning == CROWNING_STOPS) && man_jumps(search, land, captured, key, jumps))
        return;
    keep_capture(search, captured, key, jumps, last_row);
}

static inline void search_origin(struct capture_search *search, word origin, bool by_king)
{
    search->origin = origin;
    search->by_king = by_king;
    search->free = empties(search->position) | origin;
    search->trail[0] = origin;
    const uint64_t key = key_at_start(by_king);
    if (!by_king) {
        man_jumps(search, origin, 0, key, 0);
        return;
    }
    king_jumps(search, origin, STEP_SHORT, 0, key, 0, false);
    king_jumps(search, origin, STEP_LONG, 0, key, 0, false);
    king_jumps(search, origin, -STEP_SHORT, 0, key, 0, false);
    king_jumps(search, origin, -STEP_LONG, 0, key, 0, false);
}

/* Every legal capture, each once, and with `moves` also a path of each. The work is bounded by the number of
   pieces that can be captured: the worst positions that a search for them found (twenty pieces a side on 100
   squares) have 13,000 landings, a third of a millisecond. */
static inline enum dame_status find_captures(struct board_position position, bool down,
                                             struct capture_list *list, struct move *moves)
{
    struct capture_search search;
    search.position = position;
    search.down = down;
    search.status = DAME_OK;
    search.list = list;
    search.moves = moves;
    list->count = 0;
    list->key = 0;
    if (bit_count(position.other) >= MOVE_SQUARES_MAX)
        return DAME_TOO_LARGE;
    const word kings = position.own & position.kings;
    for (word men = walking_jumpers(position, down) & ~kings; men != 0; men &= men - 1)
        search_origin(&search, men & -men, false);
    for (word left = kings; left != 0; left &= left - 1)
        search_origin(&search, left & -left, true);
    return search.status;
}

#endif
