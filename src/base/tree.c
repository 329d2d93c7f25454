#include "base/tree.h"

struct perft {
    const struct tree_game *game;
    const void *rules;
    bool paths;
    const atomic_bool *cancel;
    enum dame_status status;
};

/* Leaves below a ply, depth >= 1. */
static uint64_t count_leaves(struct perft *run, char *ply, int depth)
{
    const struct tree_game *game = run->game;
    int count = 0;
    if (run->cancel != NULL && atomic_load_explicit(run->cancel, memory_order_relaxed))
        run->status = DAME_CANCELLED;
    if (run->status == DAME_OK)
        run->status = game->list(run->rules, ply, &count);
    if (run->status != DAME_OK)
        return 0;
    if (depth == 1 && !run->paths)
        return (uint64_t)count;
    uint64_t total = 0;
    for (int i = 0; i < count; i++) {
        uint64_t below = 1;
        if (depth > 1) {
            char *next = ply + game->ply_size;
            game->play(run->rules, ply, i, next);
            below = count_leaves(run, next, depth - 1);
        }
        total += run->paths ? game->paths(ply, i) * below : below;
    }
    return total;
}

enum dame_status tree_perft(const struct tree_game *game, const void *rules, void *plies, int depth,
                            bool paths, const atomic_bool *cancel, uint64_t *leaves)
{
    if (depth < 0)
        return DAME_BAD_ARGUMENT;
    if (depth > TREE_DEPTH_MAX)
        return DAME_TOO_LARGE;
    struct perft run = {.game = game, .rules = rules, .paths = paths, .cancel = cancel};
    const uint64_t found = depth == 0 ? 1 : count_leaves(&run, plies, depth);
    if (run.status == DAME_OK)
        *leaves = found;
    return run.status;
}
