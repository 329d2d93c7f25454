/* Moves by rules known at run time: against every compiled page of rules, published perft counts, switches
   that no page has, and the limits. */
#include <string.h>

#include "check.h"
#include "custom/custom.h"
#include "kernel/kernel.h"

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static int random_below(uint64_t *state, int n)
{
    return (int)(next_random(state) % (uint64_t)n);
}

static uint64_t bit(int square)
{
    return UINT64_C(1) << square;
}

/* ---- against the compiled kernels ---- */

static bool same_move(const struct move *a, const struct move *b)
{
    return a->captured == b->captured && a->path[0] == b->path[0] && a->length == b->length &&
           a->path[a->length - 1] == b->path[b->length - 1] && a->by_king == b->by_king &&
           a->crowned == b->crowned;
}

/* The same set of moves; with one order of jumps only, the same path. Their number is returned. */
static int check_moves(const struct kernel *kernel, const struct position *position)
{
    static struct move_list compiled;
    struct custom_list custom = {0};
    CHECK(kernel->moves(position, &compiled) == DAME_OK);
    CHECK(custom_moves(kernel->rules->moves, kernel->board, position, &custom) == DAME_OK);
    CHECK(custom.count == compiled.count);
    for (int i = 0; i < custom.count; i++) {
        const struct move *move = &custom.moves[i];
        int j = 0;
        while (j < compiled.count && !same_move(move, &compiled.moves[j]))
            j++;
        CHECK(j < compiled.count);
        CHECK(j == compiled.count || move->paths == compiled.moves[j].paths);
        if (j < compiled.count && move->paths == 1)
            CHECK(memcmp(move->path, compiled.moves[j].path, move->length) == 0);
    }
    custom_list_free(&custom);
    return compiled.count;
}

static void check_perft(const struct kernel *kernel, const struct position *position, int depth)
{
    for (int paths = 0; paths < 2; paths++) {
        leaf_count compiled = 1, custom = 2;
        CHECK(kernel->perft(position, depth, paths != 0, 0, NULL, &compiled) == DAME_OK);
        CHECK(custom_perft(kernel->rules->moves, kernel->board, position, depth, paths != 0, NULL, &custom) ==
              DAME_OK);
        CHECK(custom == compiled);
    }
}

static struct position start_position(const struct kernel *kernel)
{
    const uint64_t men = bit(kernel->rules->men_at_start) - 1;
    return (struct position){men, 0, men << (kernel->board->squares - kernel->rules->men_at_start), 0};
}

static void test_games(const struct kernel *kernel, int games)
{
    static struct position_list next;
    uint64_t random = 1;
    for (int game = 0; game < games; game++) {
        struct position position = start_position(kernel);
        for (int ply = 0; ply < 120 && check_moves(kernel, &position) > 0; ply++) {
            CHECK(kernel_list_successors(kernel, &position, &next) == DAME_OK);
            position = next.positions[random_below(&random, next.count)];
        }
    }
}

/* Any number of pieces on either side, none to all of them kings. */
static struct position random_position(uint64_t *random, const struct kernel *kernel)
{
    const struct board *board = kernel->board;
    const int kings = random_below(random, 5);
    struct position position = {0};
    uint64_t taken = 0;
    for (int side = 0; side < 2; side++) {
        for (int left = 1 + random_below(random, kernel->rules->men_at_start); left > 0; left--) {
            const int square = random_below(random, board->squares);
            const bool crown_row =
                side == 0 ? square >= board->men_squares : square < board->squares - board->men_squares;
            const bool king = crown_row || random_below(random, 4) < kings;
            if ((taken & bit(square)) != 0)
                continue;
            taken |= bit(square);
            *(side == 0 ? (king ? &position.own_kings : &position.own_men)
                        : (king ? &position.other_kings : &position.other_men)) |= bit(square);
        }
    }
    return position;
}

static void test_random_positions(const struct kernel *kernel, int positions)
{
    uint64_t random = UINT64_C(0x9E3779B97F4A7C15);
    for (int i = 0; i < positions; i++) {
        const struct position position = random_position(&random, kernel);
        check_moves(kernel, &position);
        if (i % 16 == 0)
            check_perft(kernel, &position, 3);
    }
}

static void test_pages(void)
{
    const struct move_rules *page = NULL;
    for (int i = 0; i < kernel_count(); i++) {
        const struct kernel *kernel = kernel_at(i);
        if (kernel->rules->moves == page)
            continue;
        page = kernel->rules->moves;
        const struct position start = start_position(kernel);
        check_perft(kernel, &start, 6);
        test_games(kernel, 20);
        test_random_positions(kernel, 3000);
    }
}

/* ---- published counts ---- */

static const struct {
    const char *variant;
    int depth;
    uint64_t leaves;
} PERFT[] = {
    {"english", 9, 3963680},
    {"russian", 8, 929899},
    {"international", 7, 1049442},
};

static void test_perft(void)
{
    for (size_t i = 0; i < sizeof PERFT / sizeof PERFT[0]; i++) {
        const struct kernel *kernel = kernel_find(PERFT[i].variant);
        const struct position start = start_position(kernel);
        leaf_count count = 0;
        CHECK(custom_perft(kernel->rules->moves, kernel->board, &start, PERFT[i].depth, false, NULL,
                           &count) == DAME_OK);
        CHECK(count == PERFT[i].leaves);
    }
}

/* ---- switches that no page has ---- */

/* Number of moves of one position by the rules of `variant` with the changes that a test has made. */
static int count_moves(const struct move_rules *rules, const char *variant, struct position position)
{
    struct custom_list list = {0};
    CHECK(custom_moves(rules, kernel_find(variant)->board, &position, &list) == DAME_OK);
    const int count = list.count;
    custom_list_free(&list);
    return count;
}

static void test_switches(void)
{
    /* King 1 may jump 6 and land on 10, 15, 19, 24 or 28; from 15 only, it goes on over 11. */
    const struct position king = {0, bit(0), bit(5) | bit(10), 0};
    struct move_rules rules = *kernel_find("russian")->rules->moves;
    const int with = count_moves(&rules, "russian", king);
    rules.must_go_on = false;
    const int without = count_moves(&rules, "russian", king);
    CHECK(without > with);
    rules.priority = PRIORITY_MOST;
    CHECK(count_moves(&rules, "russian", king) == with);
    rules.capture_optional = true;
    CHECK(count_moves(&rules, "russian", king) > with);

    /* Man 1 could capture king 6 and has the quiet move 1-5. */
    const struct position man = {bit(0), 0, 0, bit(5)};
    rules = *kernel_find("english")->rules->moves;
    CHECK(count_moves(&rules, "english", man) == 1);
    rules.capture_optional = true;
    CHECK(count_moves(&rules, "english", man) == 2);
    rules.men_capture_kings = false;
    CHECK(count_moves(&rules, "english", man) == 1);

    /* Man 22 jumps 25 to 29 and is crowned; as a king it could go on over nothing, as a man neither. */
    const struct position last_row = {bit(21), 0, bit(25) | bit(26), 0};
    rules = *kernel_find("english")->rules->moves;
    const int stops = count_moves(&rules, "english", last_row);
    rules.crowning = CROWNING_GOES_KING;
    CHECK(count_moves(&rules, "english", last_row) == stops);
}

/* ---- limits ---- */

static void test_arguments(void)
{
    const struct kernel *english = kernel_find("english");
    const struct move_rules *rules = english->rules->moves;
    const struct position start = start_position(english);
    const struct position off_board = {bit(32), 0, bit(31), 0};
    const struct position twice = {bit(0), bit(0), bit(31), 0};
    const struct position nothing = {0};
    struct custom_list list = {0};
    leaf_count count = 7;
    const atomic_bool cancel = true;
    CHECK(custom_moves(rules, english->board, &off_board, &list) == DAME_BAD_POSITION);
    CHECK(custom_moves(rules, english->board, &twice, &list) == DAME_BAD_POSITION);
    CHECK(custom_moves(rules, english->board, &nothing, &list) == DAME_BAD_POSITION);
    CHECK(custom_perft(rules, english->board, &twice, 3, false, NULL, &count) == DAME_BAD_POSITION);
    CHECK(custom_perft(rules, english->board, &start, -1, false, NULL, &count) == DAME_BAD_ARGUMENT);
    CHECK(custom_perft(rules, english->board, &start, 1001, false, NULL, &count) == DAME_TOO_LARGE);
    CHECK(custom_perft(rules, english->board, &start, 40, false, &cancel, &count) == DAME_CANCELLED);
    CHECK(count == 7);
    CHECK(custom_perft(rules, english->board, &start, 0, false, NULL, &count) == DAME_OK && count == 1);
    CHECK(custom_moves(rules, english->board, &start, &list) == DAME_OK && list.count == 7);
    CHECK(custom_moves(rules, english->board, &start, &list) == DAME_OK && list.count == 14);
    custom_list_free(&list);
}

static void test_too_large(void)
{
    const struct board *board = kernel_find("international")->board;
    struct move_rules rules = *kernel_find("international")->rules->moves;
    const struct position crowded = {0, bit(0), 0, (bit(50) - 1) ^ (bit(26) - 1)};
    const struct position most = {0, bit(0), 0, (bit(50) - 1) ^ (bit(27) - 1)};
    struct custom_list list = {0};
    leaf_count count = 0;
    CHECK(custom_moves(&rules, board, &crowded, &list) == DAME_TOO_LARGE);
    CHECK(custom_perft(&rules, board, &crowded, 2, false, NULL, &count) == DAME_TOO_LARGE);
    CHECK(custom_moves(&rules, board, &most, &list) == DAME_OK);

    /* Pieces that vanish under a king that may turn anywhere: more ways than can be followed. */
    const struct position endless = {0, 0x202000000001, 0, 0xF03E8162E80};
    rules.priority = PRIORITY_FREE;
    rules.removal = REMOVAL_AT_ONCE;
    rules.must_go_on = false;
    CHECK(custom_moves(&rules, board, &endless, &list) == DAME_TOO_LARGE);
    CHECK(custom_perft(&rules, board, &endless, 2, false, NULL, &count) == DAME_TOO_LARGE);
    custom_list_free(&list);
}

int main(void)
{
    test_pages();
    test_perft();
    test_switches();
    test_arguments();
    test_too_large();
    return check_result();
}
