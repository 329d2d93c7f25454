/* The per-position kernels: published perft counts, every compiled instruction set against the others,
   moves against successors, and the search for the position with the most moves that MOVES_MAX relies on. */
#include <stdlib.h>
#include <string.h>

#include "base/tree.h"
#include "check.h"
#include "kernel/kernel.h"
#include "small_stack.h"

/* The pages of rules for the instruction sets that every machine of an architecture has. */
#define PAGES(each)                                                                                          \
    each(english) each(english_optional) each(german_schmidt) each(german_ass) each(dame_meister)            \
        each(dame_meister_optional) each(russian) each(pool) each(brazilian) each(international)             \
            each(italian) each(spanish) each(czech) each(thai)

#define DECLARE_BASE(page) extern const struct kernel kernels_##page##_base[FAMILY_MAX];
#define FIRST_BASE(page)   kernels_##page##_base,
PAGES(DECLARE_BASE)
static const struct kernel *const BASE[] = {PAGES(FIRST_BASE)};
#if defined(DAME_KERNEL_V3)
#define DECLARE_V3(page) extern const struct kernel kernels_##page##_v3[FAMILY_MAX];
#define FIRST_V3(page)   kernels_##page##_v3,
PAGES(DECLARE_V3)
static const struct kernel *const V3[] = {PAGES(FIRST_V3)};
#endif

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

/* ---- perft ---- */

/* Where a count is 0 it was not published. Positions are seen by the side to move, which moves down. */
static const struct {
    const char *variant;
    struct position position;
    int depth;
    uint64_t moves, paths;
} PERFT[] = {
    {"english", {0xFFF, 0, 0xFFF00000, 0}, 8, 845931, 845931},
    {"english", {0xE04, 0x4200000, 0x1842000, 0x21}, 6, 1414, 1414},
    {"english", {0x8A43, 0x40000000, 0x130A1000, 0x4}, 6, 292, 292},
    {"english", {0, 0xF, 0, 0xF0000000}, 6, 163216, 163216},
    {"russian", {0xFFF, 0, 0xFFF00000, 0}, 8, 929899, 929905},
    {"russian", {0xE04, 0x4200000, 0x1842000, 0x21}, 6, 7584, 7584},
    {"russian", {0x8A43, 0x40000000, 0x130A1000, 0x4}, 6, 3974, 3974},
    {"russian", {0, 0xF, 0, 0xF0000000}, 5, 703416, 703416},
    {"english_optional", {0xE04, 0x4200000, 0x1842000, 0x21}, 5, 222793, 222793},
    {"english_optional", {0x8A43, 0x40000000, 0x130A1000, 0x4}, 5, 57038, 57038},
    {"english_optional", {0, 0xF, 0, 0xF0000000}, 6, 163216, 163216},
    {"german_schmidt", {0xE04, 0x4200000, 0x1842000, 0x21}, 6, 6910, 6910},
    {"german_schmidt", {0x8A43, 0x40000000, 0x130A1000, 0x4}, 6, 3634, 3634},
    {"german_schmidt", {0, 0xF, 0, 0xF0000000}, 4, 59246, 59246},
    {"german_ass", {0xE04, 0x4200000, 0x1842000, 0x21}, 6, 3168, 3168},
    {"german_ass", {0x8A43, 0x40000000, 0x130A1000, 0x4}, 6, 238, 238},
    {"german_ass", {0, 0xF, 0, 0xF0000000}, 4, 48860, 48860},
    {"dame_meister", {0xE04, 0x4200000, 0x1842000, 0x21}, 6, 7581, 7581},
    {"dame_meister", {0x8A43, 0x40000000, 0x130A1000, 0x4}, 6, 3961, 3961},
    {"dame_meister", {0, 0xF, 0, 0xF0000000}, 4, 59246, 59246},
    {"dame_meister_optional", {0xE04, 0x4200000, 0x1842000, 0x21}, 4, 55720, 55724},
    {"dame_meister_optional", {0x8A43, 0x40000000, 0x130A1000, 0x4}, 5, 132917, 132919},
    {"dame_meister_optional", {0, 0xF, 0, 0xF0000000}, 3, 18121, 18121},
    {"pool", {0xE04, 0x4200000, 0x1842000, 0x21}, 6, 7581, 7581},
    {"pool", {0x8A43, 0x40000000, 0x130A1000, 0x4}, 6, 3961, 3961},
    {"pool", {0, 0xF, 0, 0xF0000000}, 4, 59246, 59246},
    {"brazilian", {0xE04, 0x4200000, 0x1842000, 0x21}, 6, 418, 418},
    {"brazilian", {0x8A43, 0x40000000, 0x130A1000, 0x4}, 6, 3637, 3637},
    {"brazilian", {0, 0xF, 0, 0xF0000000}, 4, 58714, 58714},
    {"italian", {0xE04, 0x4200000, 0x1842000, 0x21}, 6, 29, 29},
    {"italian", {0x8A43, 0x40000000, 0x130A1000, 0x4}, 6, 1604, 1604},
    {"italian", {0, 0xF, 0, 0xF0000000}, 6, 163216, 163216},
    {"spanish", {0xE04, 0x4200000, 0x1842000, 0x21}, 6, 855, 855},
    {"spanish", {0x8A43, 0x40000000, 0x130A1000, 0x4}, 6, 1774, 1774},
    {"spanish", {0, 0xF, 0, 0xF0000000}, 4, 58714, 58714},
    {"czech", {0xE04, 0x4200000, 0x1842000, 0x21}, 6, 4596, 4596},
    {"czech", {0x8A43, 0x40000000, 0x130A1000, 0x4}, 6, 2860, 2860},
    {"czech", {0, 0xF, 0, 0xF0000000}, 4, 59246, 59246},
    {"thai12", {0xE04, 0x4200000, 0x1842000, 0x21}, 6, 3778, 3778},
    {"thai12", {0x8A43, 0x40000000, 0x130A1000, 0x4}, 6, 238, 238},
    {"thai12", {0, 0xF, 0, 0xF0000000}, 4, 48860, 48860},
    {"international", {0xFFFFF, 0, 0x3FFFFC0000000, 0}, 7, 1049442, 1049442},
    {"international", {0, 0x810000, 0x2F1120780720, 0x40000000}, 6, 629010, 0},
    {"international", {0x2D7B000, 0, 0x75AD000000, 0}, 10, 88050, 0},
    {"international", {0, 0xFFFFF, 0, 0x3FFFFC0000000}, 8, 1333217, 0},
    {"international", {0x1F0000000000, 0, 0x3E0, 0}, 6, 936311, 0},
    {"international", {0xF8000, 0, 0x7C0000000, 0}, 8, 0, 310315},
};

static void test_perft(void)
{
    for (size_t i = 0; i < sizeof PERFT / sizeof PERFT[0]; i++) {
        const struct kernel *kernel = kernel_find(PERFT[i].variant);
        leaf_count count = 0;
        if (PERFT[i].moves != 0)
            CHECK(kernel->perft(&PERFT[i].position, PERFT[i].depth, false, 0, NULL, &count) == DAME_OK &&
                  count == PERFT[i].moves);
        if (PERFT[i].paths != 0)
            CHECK(kernel->perft(&PERFT[i].position, PERFT[i].depth, true, 0, NULL, &count) == DAME_OK &&
                  count == PERFT[i].paths);
    }
}

/* Remembered or not, in so little memory that most is forgotten or in enough: the same counts. */
static void test_perft_memory(void)
{
    const uint64_t memory[] = {1, 100, 100000, 1 << 24};
    for (size_t i = 0; i < sizeof PERFT / sizeof *PERFT; i++) {
        const struct kernel *kernel = kernel_find(PERFT[i].variant);
        for (int m = 0; m < 8; m++) {
            const uint64_t expected = m % 2 == 0 ? PERFT[i].moves : PERFT[i].paths;
            leaf_count count = 0;
            CHECK(kernel->perft(&PERFT[i].position, PERFT[i].depth, m % 2 != 0, memory[m / 2], NULL,
                                &count) == DAME_OK);
            CHECK(expected == 0 || count == expected);
        }
    }
}

static void test_perft_arguments(void)
{
    const struct kernel *kernel = kernel_find("english");
    leaf_count count = 0;
    CHECK(kernel->perft(&PERFT[0].position, 0, false, 0, NULL, &count) == DAME_OK && count == 1);
    CHECK(kernel->perft(&PERFT[0].position, -1, false, 0, NULL, &count) == DAME_BAD_ARGUMENT);
    const atomic_bool cancel = true;
    CHECK(kernel->perft(&PERFT[0].position, 40, false, 0, &cancel, &count) == DAME_CANCELLED);
    CHECK(kernel->perft(&PERFT[0].position, 0, false, 1 << 27, &cancel, &count) == DAME_CANCELLED);
    CHECK(kernel->perft(&PERFT[0].position, 1000000, false, 0, NULL, &count) == DAME_TOO_LARGE);
    CHECK(kernel->perft(&PERFT[0].position, 5, false, UINT64_MAX, NULL, &count) == DAME_NO_MEMORY);
}

static const struct position KINGS = {0, 1 << 3, 0, 1 << 28}; /* of PDN squares 29 and 4, White to move */

/* Counts that 64 bits do not hold are right; those that 128 bits do not hold are refused. */
static void test_large_counts(void)
{
    const struct kernel *kernel = kernel_find("english");
    const leaf_count right = (leaf_count)UINT64_C(5416294042) * UINT64_C(10000000000) + UINT64_C(7457128308);
    leaf_count count = 7;
    CHECK(kernel->perft(&KINGS, 41, true, 1 << 26, NULL, &count) == DAME_OK && count == right);
    count = 7;
    CHECK(kernel->perft(&KINGS, 90, false, 1 << 26, NULL, &count) == DAME_OVERFLOW && count == 7);
}

/* The deepest count there is needs no more of the stack than a shallow one. */
static void test_small_stack(void)
{
    const struct kernel *kernel = kernel_find("english");
    leaf_count count = 7;
    CHECK(kernel->perft(&KINGS, TREE_DEPTH_MAX, false, 1 << 26, NULL, &count) == DAME_OVERFLOW);
    CHECK(kernel->perft(&PERFT[0].position, 8, true, 0, NULL, &count) == DAME_OK && count == 845931);
}

/* ---- the table of rule sets ---- */

static void test_table(void)
{
    CHECK(kernel_count() == 40);
    for (int i = 0; i < kernel_count(); i++)
        CHECK(kernel_find(kernel_at(i)->rules->id) == kernel_at(i));
    CHECK(kernel_at(-1) == NULL && kernel_at(kernel_count()) == NULL);
    CHECK(kernel_find("") == NULL && kernel_find("englisch") == NULL);
}

/* ---- one kernel against itself and against another instruction set ---- */

static bool same_position(const struct position *a, const struct position *b)
{
    return a->own_men == b->own_men && a->own_kings == b->own_kings && a->other_men == b->other_men &&
           a->other_kings == b->other_kings;
}

static bool same_moves(const struct move *a, const struct move *b)
{
    return a->captured == b->captured && a->length == b->length && a->by_king == b->by_king &&
           a->crowned == b->crowned && memcmp(a->path, b->path, a->length) == 0;
}

/* moves, successors, must_capture and perft say the same. */
static void check_position(const struct kernel *kernel, const struct position *position)
{
    struct move_list moves;
    struct position_list next;
    leaf_count one = 0, two = 0, sum = 0;
    CHECK(kernel->moves(position, &moves) == DAME_OK);
    CHECK(kernel_list_successors(kernel, position, &next) == DAME_OK);
    CHECK(moves.count == next.count && next.captures == kernel->must_capture(position));
    for (int i = 0; i < moves.count; i++) {
        const struct position expected = position_after(position, &moves.moves[i], kernel->board->squares);
        CHECK(same_position(&expected, &next.positions[i]));
        CHECK((moves.moves[i].captured != 0) == next.captures || kernel->rules->moves->capture_optional);
        leaf_count replies = 0;
        CHECK(kernel->perft(&next.positions[i], 1, false, 0, NULL, &replies) == DAME_OK);
        sum += replies;
        for (int j = 0; j < i; j++) /* each move once */
            CHECK(moves.moves[i].captured != moves.moves[j].captured ||
                  moves.moves[i].path[0] != moves.moves[j].path[0] ||
                  moves.moves[i].path[moves.moves[i].length - 1] !=
                      moves.moves[j].path[moves.moves[j].length - 1] ||
                  moves.moves[i].crowned != moves.moves[j].crowned);
    }
    CHECK(kernel->perft(position, 1, false, 0, NULL, &one) == DAME_OK && one == (leaf_count)moves.count);
    CHECK(kernel->perft(position, 2, false, 0, NULL, &two) == DAME_OK && two == sum);
}

static void check_same(const struct kernel *a, const struct kernel *b, const struct position *position)
{
    struct move_list moves[2];
    struct position_list next[2];
    leaf_count paths[2] = {0, 0};
    CHECK(a->moves(position, &moves[0]) == b->moves(position, &moves[1]));
    CHECK(kernel_list_successors(a, position, &next[0]) == kernel_list_successors(b, position, &next[1]));
    CHECK(a->perft(position, 3, true, 0, NULL, &paths[0]) == b->perft(position, 3, true, 0, NULL, &paths[1]));
    CHECK(paths[0] == paths[1]);
    CHECK(moves[0].count == moves[1].count && next[0].count == next[1].count);
    for (int i = 0; i < moves[0].count && i < moves[1].count; i++) {
        CHECK(same_moves(&moves[0].moves[i], &moves[1].moves[i]));
        CHECK(same_position(&next[0].positions[i], &next[1].positions[i]));
    }
}

static struct position start_position(const struct kernel *kernel)
{
    const uint64_t men = bit(kernel->rules->men_at_start) - 1;
    return (struct position){men, 0, men << (kernel->board->squares - kernel->rules->men_at_start), 0};
}

/* Random games, from the start to the end or to ply 120, so that kings have their share. */
static void test_games(const struct kernel *kernel, const struct kernel *other, int games)
{
    uint64_t random = 1;
    for (int game = 0; game < games; game++) {
        struct position position = start_position(kernel);
        for (int ply = 0; ply < 120; ply++) {
            check_position(kernel, &position);
            if (other != kernel && ply % 4 == 0)
                check_same(kernel, other, &position);
            struct position_list next;
            if (kernel_list_successors(kernel, &position, &next) != DAME_OK || next.count == 0)
                break;
            position = next.positions[random_below(&random, next.count)];
        }
    }
}

/* ---- the largest number of moves ---- */

/* The best that searches of some minutes found: 68 captures (russian), 407 captures (international). Quiet
   moves are fewer: twenty flying kings have at most 20 x 17. */
static const struct position MANY_RUSSIAN = {0, 0xC8000818, 0x70700E0, 0};
static const struct position MANY_INTERNATIONAL = {0, 0x200802008018, 0x324609414C0, 0x110080002};

static void put(struct position *position, int square, int piece)
{
    const uint64_t others = ~bit(square);
    position->own_men &= others;
    position->own_kings = (position->own_kings & others) | (piece == 1 ? bit(square) : 0);
    position->other_men &= others;
    position->other_kings = (position->other_kings & others) | (piece == 2 ? bit(square) : 0);
}

/* Climbs from random placements of kings to ones with more moves. */
static int most_moves(const struct kernel *kernel, uint64_t random, int steps)
{
    const int pieces = kernel->rules->men_at_start;
    struct position best = {0};
    struct move_list moves;
    int most = 0;
    for (int step = 0; step < steps; step++) {
        struct position trial = best;
        for (int change = random_below(&random, 3); change >= 0; change--)
            put(&trial, random_below(&random, kernel->board->squares), random_below(&random, 3));
        if (__builtin_popcountll(trial.own_kings) > pieces ||
            __builtin_popcountll(trial.other_kings) > pieces)
            continue;
        CHECK(kernel->moves(&trial, &moves) == DAME_OK);
        if (moves.count >= most) {
            most = moves.count;
            best = trial;
        }
    }
    return most;
}

static void test_most_moves(const struct kernel *kernel, int steps)
{
    for (uint64_t seed = 1; seed <= 3; seed++)
        CHECK(most_moves(kernel, seed * UINT64_C(0x9E3779B97F4A7C15), steps) < MOVES_MAX);
}

static void test_limits(void)
{
    const struct kernel *international = kernel_find("international");
    check_position(international, &MANY_INTERNATIONAL);
    check_position(kernel_find("russian"), &MANY_RUSSIAN);
    /* More pieces than a path has room for: refused, even though this king captures nothing. */
    const struct position crowded = {0, bit(0), 0, (bit(49) - 1) ^ 0x1FFFFFF};
    const struct position capture = {0, bit(0), 0, ((bit(50) - 1) ^ 0x1FFFFFF) | bit(6)};
    struct move_list moves;
    struct position_list next;
    leaf_count count = 0;
    CHECK(international->moves(&crowded, &moves) == DAME_OK);
    CHECK(international->moves(&capture, &moves) == DAME_TOO_LARGE);
    CHECK(kernel_list_successors(international, &capture, &next) == DAME_TOO_LARGE);
    CHECK(international->perft(&capture, 2, false, 0, NULL, &count) == DAME_TOO_LARGE);
}

int main(void)
{
    test_table();
    test_perft();
    test_perft_memory();
    test_perft_arguments();
    test_large_counts();
    on_small_stack(test_small_stack);
    for (int i = 0; i < (int)(sizeof BASE / sizeof BASE[0]); i++) {
        const struct kernel *best = kernel_find(BASE[i]->rules->id);
        test_games(best, BASE[i], 16);
#if defined(DAME_KERNEL_V3)
        if (best != BASE[i]) /* a processor that runs more than the base runs v3 */
            test_games(best, V3[i], 8);
#endif
        test_most_moves(best, 30000);
    }
    test_limits();
    return check_result();
}
