#include "towers/perft.h"

#include <stdlib.h>

#include "base/tree.h"

struct ply {
    struct tower_position position;
    struct tower_moves list;
};

static enum dame_status list_moves(const void *rules, void *ply, int *count)
{
    struct ply *at = ply;
    const enum dame_status status = tower_moves(rules, &at->position, &at->list);
    *count = at->list.count;
    return status;
}

static uint32_t move_paths(const void *ply, int move)
{
    return ((const struct ply *)ply)->list.moves[move].paths;
}

static void play(const void *rules, const void *ply, int move, void *next)
{
    (void)rules;
    const struct ply *at = ply;
    ((struct ply *)next)->position = tower_position_after(&at->position, &at->list.moves[move]);
}

enum dame_status tower_perft(const struct tower_rules *rules, const struct tower_position *position,
                             int depth, bool paths, const atomic_bool *cancel, leaf_count *count)
{
    static const struct tree_game GAME = {sizeof(struct ply), list_moves, move_paths, play};
    const int plies = depth < 1 || depth > TREE_DEPTH_MAX ? 1 : depth;
    struct ply *run = malloc((size_t)plies * sizeof *run); /* pages that are not used are never there */
    if (run == NULL)
        return DAME_NO_MEMORY;
    run[0].position = *position;
    const enum dame_status status = tree_perft(&GAME, rules, run, depth, paths, cancel, count);
    free(run);
    return status;
}
