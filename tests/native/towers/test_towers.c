/* Towers: counts of perft, moves against the positions after them, the bounds of the search, and the search
   for the position with the most moves that TOWER_MOVES_MAX relies on. */
#include <string.h>

#include "base/tree.h"
#include "check.h"
#include "towers/perft.h"

static uint64_t random_state = 88172645463325252u;

static int random_below(int n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (int)(random_state % (uint64_t)n);
}

static struct tower_position start(void)
{
    struct tower_position position = {.white_to_move = true};
    for (int square = 0; square < TOWER_SQUARES; square++)
        if (square < 12 || square >= 20)
            stack_put_under(&position.stacks[square], (struct tower_piece){.white = square >= 20});
    return position;
}

static void put(struct tower_position *position, int number, const char *stack)
{
    for (; *stack != 0; stack++)
        stack_put_under(&position->stacks[number - 1],
                        (struct tower_piece){.white = strchr("wW", *stack) != NULL,
                                             .king = strchr("WB", *stack) != NULL});
}

/* ---- stacks ---- */

static void test_stacks(void)
{
    struct stack stack = {0};
    stack_put_under(&stack, (struct tower_piece){.white = false, .king = true});
    stack_put_under(&stack, (struct tower_piece){.white = false, .king = false});
    stack_put_under(&stack, (struct tower_piece){.white = true, .king = false});
    CHECK(
        stack_equal(stack, (struct stack){.white = 4, .kings = 1, .height = 3})); /* the drawing of stack.h */
    CHECK(stack_take(&stack).king && stack.height == 2);
    CHECK(!stack_take(&stack).white && stack_take(&stack).white && stack.height == 0);
}

static void test_directions(void)
{
    for (int square = 0; square < TOWER_SQUARES; square++)
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            const int next = square_next(square, direction);
            CHECK(next == NOWHERE || square_next(next, opposite(direction)) == square);
        }
    CHECK(square_next(0, 2) == 4 && square_next(0, 3) == 5 && square_next(0, 0) == NOWHERE);
}

/* ---- perft ---- */

static void test_perft(void)
{
    static const uint64_t paths[] = {1, 7, 49, 302, 1469, 7482, 37908, 189912};
    const struct tower_position position = start();
    for (int variant = 0; tower_rules_at(variant) != NULL; variant++)
        for (int depth = 0; depth < 8; depth++) {
            leaf_count count = 0;
            CHECK(tower_perft(tower_rules_at(variant), &position, depth, true, NULL, &count) == DAME_OK);
            CHECK(count == paths[depth]);
        }
    leaf_count count = 0;
    CHECK(tower_perft(tower_rules_find("bashni"), &position, 8, true, NULL, &count) == DAME_OK);
    CHECK(count == 925868);
    CHECK(tower_perft(tower_rules_find("bashni_again"), &position, 8, true, NULL, &count) == DAME_OK);
    CHECK(count == 925945);
}

static void test_perft_arguments(void)
{
    const struct tower_rules *rules = tower_rules_at(0);
    struct tower_position position = start();
    leaf_count count = 0;
    const atomic_bool cancel = true;
    CHECK(tower_perft(rules, &position, -1, false, NULL, &count) == DAME_BAD_ARGUMENT);
    CHECK(tower_perft(rules, &position, TREE_DEPTH_MAX + 1, false, NULL, &count) == DAME_TOO_LARGE);
    CHECK(tower_perft(rules, &position, 40, false, &cancel, &count) == DAME_CANCELLED);
    put(&position, 18, "w");
    CHECK(tower_perft(rules, &position, 1, false, NULL, &count) == DAME_BAD_POSITION);
}

/* A side without a move ends the line, which adds nothing. */
static void test_a_line_that_ends(void)
{
    struct tower_position position = {.white_to_move = true};
    put(&position, 29, "w");
    put(&position, 25, "b");
    put(&position, 22, "b");
    leaf_count count = 1;
    CHECK(tower_perft(tower_rules_at(0), &position, TREE_DEPTH_MAX, false, NULL, &count) == DAME_OK);
    CHECK(count == 0);
}

static void test_table(void)
{
    CHECK(tower_rules_at(-1) == NULL && tower_rules_find("english") == NULL);
    for (int i = 0; tower_rules_at(i) != NULL; i++)
        CHECK(tower_rules_find(tower_rules_at(i)->rules.id) == tower_rules_at(i));
}

/* ---- random positions ---- */

static struct tower_position random_position(int most)
{
    struct tower_position position = {.white_to_move = random_below(2) == 0};
    for (int side = 0; side < 2; side++)
        for (int pieces = 1 + random_below(most); pieces > 0; pieces--)
            stack_put_under(&position.stacks[random_below(TOWER_SQUARES)],
                            (struct tower_piece){.white = side == 0, .king = random_below(2) == 0});
    return position;
}

static int count_pieces(const struct tower_position *position, bool white)
{
    int count = 0;
    for (int square = 0; square < TOWER_SQUARES; square++)
        for (struct stack stack = position->stacks[square]; stack.height > 0;)
            count += stack_take(&stack).white == white;
    return count;
}

/* Every move is of the side to move, leaves all pieces on the board, and is there once. */
static void check_position(const struct tower_rules *rules, const struct tower_position *position)
{
    static struct tower_moves list;
    CHECK(tower_moves(rules, position, &list) == DAME_OK);
    leaf_count leaves = 0, count = 0;
    for (int i = 0; i < list.count; i++) {
        const struct tower_move *move = &list.moves[i];
        const struct tower_position after = tower_position_after(position, move);
        CHECK(stack_top(position->stacks[move->path[0]]).white == position->white_to_move);
        CHECK(count_pieces(&after, true) == count_pieces(position, true));
        CHECK(count_pieces(&after, false) == count_pieces(position, false));
        CHECK(after.white_to_move != position->white_to_move);
        CHECK((move->jumps > 0) == (list.moves[0].jumps > 0));
        CHECK(stack_equal(after.stacks[tower_move_end(move)], move->stack));
        CHECK(tower_perft(rules, &after, 1, false, NULL, &count) == DAME_OK);
        leaves += count;
        for (int j = 0; j < i; j++)
            CHECK(memcmp(list.moves[j].path, move->path, sizeof move->path) != 0);
    }
    CHECK(tower_perft(rules, position, 2, false, NULL, &count) == DAME_OK && count == leaves);
}

static void test_random_positions(void)
{
    for (int i = 0; i < 3000; i++) {
        const struct tower_position position = random_position(12);
        check_position(tower_rules_find("bashni"), &position);
        const struct tower_position small = random_position(8);
        check_position(tower_rules_find("bashni_again"), &small);
    }
}

/* Hill climbing: pieces are moved as long as that does not make the moves fewer. The most it ever found is
   145. */
static void test_most_moves(void)
{
    static struct tower_moves list;
    int most = 0;
    for (int round = 0; round < 20; round++) {
        struct tower_position best = random_position(12);
        int best_count = 0;
        for (int step = 0; step < 3000; step++) {
            struct tower_position next = best;
            const int from = random_below(TOWER_SQUARES);
            if (square_is_empty(&next, from))
                continue;
            const struct tower_piece piece = stack_take(&next.stacks[from]);
            stack_put_under(&next.stacks[random_below(TOWER_SQUARES)], piece);
            CHECK(tower_moves(tower_rules_at(0), &next, &list) == DAME_OK);
            if (list.count >= best_count) {
                best_count = list.count;
                best = next;
            }
        }
        most = best_count > most ? best_count : most;
    }
    CHECK(most > 60 && most <= TOWER_MOVES_MAX / 2);
}

int main(void)
{
    test_stacks();
    test_directions();
    test_perft();
    test_perft_arguments();
    test_a_line_that_ends();
    test_table();
    test_random_positions();
    test_most_moves();
    return check_result();
}
