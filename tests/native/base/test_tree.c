/* Perft of any tree of moves: of a game whose counts are known, up to the largest that fit and beyond. */
#include "base/tree.h"

#include <stdlib.h>

#include "check.h"

/* Every ply has so many moves, each of so many orders of jumps. */
struct game {
    int moves;
    uint32_t paths;
};

struct ply {
    const struct game *game;
};

static enum dame_status list_moves(const void *rules, void *ply, int *count)
{
    const struct game *game = rules;
    ((struct ply *)ply)->game = game;
    *count = game->moves;
    return DAME_OK;
}

static uint32_t move_paths(const void *ply, int move)
{
    CHECK(move < ((const struct ply *)ply)->game->moves);
    return ((const struct ply *)ply)->game->paths;
}

static void play(const void *rules, const void *ply, int move, void *next)
{
    (void)ply, (void)move;
    ((struct ply *)next)->game = rules;
}

static enum dame_status count(struct game game, int depth, bool paths, leaf_count *leaves)
{
    static const struct tree_game GAME = {sizeof(struct ply), list_moves, move_paths, play};
    struct ply *plies = calloc((size_t)(depth > 0 ? depth : 1), sizeof *plies);
    CHECK(plies != NULL);
    const enum dame_status status = tree_perft(&GAME, &game, plies, depth, paths, NULL, leaves);
    free(plies);
    return status;
}

static void test_small_counts(void)
{
    leaf_count power = 1, leaves = 0;
    for (int depth = 0; depth <= 7; depth++, power *= 5) {
        CHECK(count((struct game){5, 1}, depth, false, &leaves) == DAME_OK && leaves == power);
        CHECK(count((struct game){5, 1}, depth, true, &leaves) == DAME_OK && leaves == power);
        CHECK(count((struct game){5, 3}, depth, false, &leaves) == DAME_OK && leaves == power);
    }
    CHECK(count((struct game){2, 3}, 4, true, &leaves) == DAME_OK && leaves == 6 * 6 * 6 * 6);
    CHECK(count((struct game){0, 1}, 9, true, &leaves) == DAME_OK && leaves == 0);
}

static void test_large_counts(void)
{
    leaf_count leaves = 0;
    CHECK(count((struct game){1, 2}, 64, true, &leaves) == DAME_OK);
    CHECK(count_high(leaves) == 1 && count_low(leaves) == 0);
    CHECK(count((struct game){1, 2}, 127, true, &leaves) == DAME_OK && leaves == (leaf_count)1 << 127);
    CHECK(count((struct game){1, UINT32_C(1) << 31}, 4, true, &leaves) == DAME_OK);
    CHECK(leaves == (leaf_count)1 << 124);
}

/* A product that is too large, a sum that is, and the deepest tree: what was there stays. */
static void test_counts_that_do_not_fit(void)
{
    leaf_count leaves = 7;
    CHECK(count((struct game){1, 2}, 128, true, &leaves) == DAME_OVERFLOW);
    CHECK(count((struct game){2, UINT32_C(1) << 31}, 4, true, &leaves) == DAME_OVERFLOW);
    CHECK(count((struct game){1, 3}, TREE_DEPTH_MAX, true, &leaves) == DAME_OVERFLOW);
    CHECK(count((struct game){1, 1}, TREE_DEPTH_MAX + 1, true, &leaves) == DAME_TOO_LARGE && leaves == 7);
    CHECK(count((struct game){1, 1}, TREE_DEPTH_MAX, true, &leaves) == DAME_OK && leaves == 1);
}

int main(void)
{
    test_small_counts();
    test_large_counts();
    test_counts_that_do_not_fit();
    return check_result();
}
