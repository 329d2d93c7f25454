/* Draughts on all 64 squares: counts of perft, moves against the positions after them, and the bounds of the
   search. */
#include <string.h>

#include "altdeutsch/perft.h"
#include "base/bits.h"
#include "base/tree.h"
#include "check.h"

static uint64_t random_state = 88172645463325252u;

static uint64_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static struct move_rules rules_with(bool flying_kings, enum priority priority)
{
    struct move_rules rules = *altdeutsch_rules_at(0)->moves;
    rules.flying_kings = flying_kings;
    rules.landing = flying_kings ? LANDING_ANY : LANDING_NEXT;
    rules.must_go_on = flying_kings && priority == PRIORITY_FREE;
    rules.priority = priority;
    return rules;
}

/* ---- perft ---- */

static const struct position START = {.own_men = 0xFFFF, .other_men = UINT64_C(0xFFFF000000000000)};

static void test_perft(void)
{
    static const uint64_t moves[] = {1, 14, 196, 2940, 44100, 694358};
    for (int flying = 0; flying < 2; flying++)
        for (int most = 0; most < 2; most++)
            for (int depth = 0; depth < 6; depth++) {
                const struct move_rules rules = rules_with(flying, most ? PRIORITY_MOST : PRIORITY_FREE);
                leaf_count count = 0;
                CHECK(altdeutsch_perft(&rules, &START, depth, false, NULL, &count) == DAME_OK);
                CHECK(count == moves[depth]);
            }
}

static void test_arguments(void)
{
    const struct move_rules *rules = altdeutsch_rules_at(0)->moves;
    const struct position crowded = {.own_men = 0x1FFFF, .other_men = bit_at(60)};
    leaf_count count = 0;
    const atomic_bool cancel = true;
    CHECK(altdeutsch_perft(rules, &START, -1, false, NULL, &count) == DAME_BAD_ARGUMENT);
    CHECK(altdeutsch_perft(rules, &START, TREE_DEPTH_MAX + 1, false, NULL, &count) == DAME_TOO_LARGE);
    CHECK(altdeutsch_perft(rules, &START, 40, false, &cancel, &count) == DAME_CANCELLED);
    CHECK(altdeutsch_perft(rules, &crowded, 1, false, NULL, &count) == DAME_BAD_POSITION);
    const struct move_rules other = rules_with(false, PRIORITY_ITALIAN);
    CHECK(altdeutsch_perft(&other, &START, 1, false, NULL, &count) == DAME_NOT_SUPPORTED);
}

static void test_table(void)
{
    CHECK(altdeutsch_rules_at(-1) == NULL && altdeutsch_rules_find("english") == NULL);
    for (int i = 0; altdeutsch_rules_at(i) != NULL; i++) {
        CHECK(altdeutsch_rules_find(altdeutsch_rules_at(i)->id) == altdeutsch_rules_at(i));
        CHECK(altdeutsch_supports(altdeutsch_rules_at(i)->moves));
    }
}

/* ---- random positions ---- */

static uint64_t random_squares(int most, uint64_t taken)
{
    uint64_t squares = 0;
    for (int left = (int)(next_random() % (uint64_t)(most + 1)); left > 0; left--)
        squares |= bit_at((int)(next_random() % 64));
    return squares & ~taken;
}

static struct position random_position(int most)
{
    struct position position;
    position.own_kings = random_squares(most / 2, 0);
    position.own_men = random_squares(most / 2, position.own_kings | UINT64_C(0xFF) << 56);
    position.other_kings = random_squares(most / 2, position.own_kings | position.own_men);
    position.other_men =
        random_squares(most / 2, position.own_kings | position.own_men | position.other_kings | 0xFF);
    return position;
}

/* Every move starts and ends where it can, and is there once; perft says the same. */
static void check_position(const struct move_rules *rules, const struct position *position,
                           struct altdeutsch_moves *list)
{
    const uint64_t own = position->own_men | position->own_kings;
    const uint64_t other = position->other_men | position->other_kings;
    leaf_count leaves = 0, count = 0;
    CHECK(altdeutsch_moves(rules, position, list) == DAME_OK);
    for (int i = 0; i < list->count; i++) {
        const struct altdeutsch_move *move = &list->moves[i];
        const struct position after = altdeutsch_position_after(position, move);
        const int end = move->path[move->length - 1];
        CHECK((own & bit_at(move->path[0])) != 0);
        CHECK(((own | other) & ~bit_at(move->path[0]) & bit_at(end)) == 0);
        CHECK((move->captured & ~other) == 0);
        CHECK(move->length == (move->captured == 0 ? 2 : 1 + bit_count(move->captured)));
        CHECK((move->captured != 0) == (list->moves[0].captured != 0));
        CHECK(bit_count(after.own_men | after.own_kings) == bit_count(other) - bit_count(move->captured));
        CHECK(bit_count(after.other_men | after.other_kings) == bit_count(own));
        CHECK(altdeutsch_perft(rules, &after, 1, false, NULL, &count) == DAME_OK);
        leaves += count;
        for (int j = 0; j < i; j++)
            CHECK(memcmp(list->moves[j].path, move->path, sizeof move->path) != 0);
    }
    CHECK(altdeutsch_perft(rules, position, 2, false, NULL, &count) == DAME_OK && count == leaves);
}

static void test_random_positions(void)
{
    struct altdeutsch_moves list = {0};
    for (int i = 0; i < 4000; i++) {
        const struct move_rules rules = rules_with(i & 1, i & 2 ? PRIORITY_MOST : PRIORITY_FREE);
        const struct position position = random_position(i & 1 ? 10 : 16);
        check_position(&rules, &position, &list);
    }
    altdeutsch_moves_free(&list);
}

/* The worst positions that hill climbing found: one king among sixteen pieces. */
static void test_many_paths(void)
{
    struct altdeutsch_moves list = {0};
    struct move_rules rules = rules_with(false, PRIORITY_FREE);
    const struct position walking = {.own_kings = bit_at(42), .other_kings = UINT64_C(0x81E2A3F0A000000)};
    CHECK(altdeutsch_moves(&rules, &walking, &list) == DAME_OK && list.count == 1340);
    uint32_t paths = 0;
    for (int i = 0; i < list.count; i++)
        paths += list.moves[i].paths;
    CHECK(paths == 73336);
    rules = rules_with(true, PRIORITY_FREE);
    const struct position flying = {.own_kings = bit_at(4), .other_kings = UINT64_C(0x206A000404708F08)};
    CHECK(altdeutsch_moves(&rules, &flying, &list) == DAME_TOO_LARGE);
    rules = rules_with(true, PRIORITY_MOST); /* shorter paths are not kept, and count all the same */
    CHECK(altdeutsch_moves(&rules, &flying, &list) == DAME_TOO_LARGE);
    altdeutsch_moves_free(&list);
    altdeutsch_moves_free(&list); /* twice does no harm */
}

int main(void)
{
    test_perft();
    test_arguments();
    test_table();
    test_random_positions();
    test_many_paths();
    return check_result();
}
