#include "base/tree.h"

#include <stdlib.h>

/* How far the moves of a ply have been counted. */
struct tally {
    leaf_count leaves; /* below its moves before `next` */
    int count, next;
};

struct perft {
    const struct tree_game *game;
    const void *rules;
    char *plies;
    struct tally *tallies;
    int depth;
    bool paths;
    const atomic_bool *cancel;
};

static char *ply_at(const struct perft *run, int ply)
{
    return run->plies + (size_t)ply * run->game->ply_size;
}

static enum dame_status enter(const struct perft *run, int ply)
{
    struct tally *tally = &run->tallies[ply];
    *tally = (struct tally){0};
    if (run->cancel != NULL && atomic_load_explicit(run->cancel, memory_order_relaxed))
        return DAME_CANCELLED;
    return run->game->list(run->rules, ply_at(run, ply), &tally->count);
}

/* The next move of a ply has so many leaves below it. */
static enum dame_status add_leaves(const struct perft *run, int ply, leaf_count below)
{
    struct tally *tally = &run->tallies[ply];
    const uint64_t times = run->paths ? run->game->paths(ply_at(run, ply), tally->next) : 1;
    tally->next++;
    return count_add_times(&tally->leaves, times, below) ? DAME_OK : DAME_OVERFLOW;
}

static enum dame_status count_leaves(const struct perft *run)
{
    int ply = 0;
    enum dame_status status = enter(run, ply);
    while (status == DAME_OK) {
        struct tally *tally = &run->tallies[ply];
        if (ply == run->depth - 1 && !run->paths) {
            tally->leaves = (leaf_count)tally->count;
            tally->next = tally->count;
        }
        if (tally->next < tally->count && ply == run->depth - 1) {
            status = add_leaves(run, ply, 1);
        } else if (tally->next < tally->count) {
            run->game->play(run->rules, ply_at(run, ply), tally->next, ply_at(run, ply + 1));
            status = enter(run, ++ply);
        } else if (ply == 0) {
            break;
        } else {
            ply--;
            status = add_leaves(run, ply, tally->leaves);
        }
    }
    return status;
}

enum dame_status tree_perft(const struct tree_game *game, const void *rules, void *plies, int depth,
                            bool paths, const atomic_bool *cancel, leaf_count *leaves)
{
    if (depth < 0)
        return DAME_BAD_ARGUMENT;
    if (depth > TREE_DEPTH_MAX)
        return DAME_TOO_LARGE;
    if (depth == 0) {
        *leaves = 1;
        return DAME_OK;
    }
    struct perft run = {game, rules, plies, NULL, depth, paths, cancel};
    run.tallies = malloc((size_t)depth * sizeof *run.tallies);
    if (run.tallies == NULL)
        return DAME_NO_MEMORY;
    const enum dame_status status = count_leaves(&run);
    if (status == DAME_OK)
        *leaves = run.tallies[0].leaves;
    free(run.tallies);
    return status;
}
