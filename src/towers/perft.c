#include "towers/perft.h"

#include <stdlib.h>

struct perft {
    const struct tower_rules *rules;
    bool paths;
    const atomic_bool *cancel;
    enum dame_status status;
    struct tower_moves *lists; /* one for each ply that is left */
};

/* Leaves below a position, depth >= 1. */
static uint64_t count_leaves(struct perft *run, const struct tower_position *position, int depth)
{
    if (run->cancel != NULL && atomic_load_explicit(run->cancel, memory_order_relaxed))
        run->status = DAME_CANCELLED;
    struct tower_moves *list = &run->lists[depth - 1];
    if (run->status == DAME_OK)
        run->status = tower_moves(run->rules, position, list);
    if (run->status != DAME_OK)
        return 0;
    if (depth == 1 && !run->paths)
        return (uint64_t)list->count;
    uint64_t total = 0;
    for (int i = 0; i < list->count; i++) {
        uint64_t below = 1;
        if (depth > 1) {
            const struct tower_position after = tower_position_after(position, &list->moves[i]);
            below = count_leaves(run, &after, depth - 1);
        }
        total += run->paths ? list->moves[i].paths * below : below;
    }
    return total;
}

enum dame_status tower_perft(const struct tower_rules *rules, const struct tower_position *position,
                             int depth, bool paths, const atomic_bool *cancel, uint64_t *count)
{
    if (depth < 0)
        return DAME_BAD_ARGUMENT;
    if (depth > TOWER_PERFT_DEPTH_MAX)
        return DAME_TOO_LARGE;
    *count = 1;
    if (depth == 0)
        return DAME_OK;
    struct perft run = {.rules = rules, .paths = paths, .cancel = cancel};
    run.lists = malloc((size_t)depth * sizeof *run.lists); /* pages that are not used are never there */
    if (run.lists == NULL)
        return DAME_NO_MEMORY;
    *count = count_leaves(&run, position, depth);
    free(run.lists);
    return run.status;
}
