/* Counts the leaves of the tree of legal moves (perft) of a game of which only this is known: a ply is a
   position and the list of its moves. */
#ifndef DAME_BASE_TREE_H
#define DAME_BASE_TREE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/count.h"
#include "base/status.h"

enum { TREE_DEPTH_MAX = 1000 /* bounds memory; no count of that depth would ever end */ };

struct tree_game {
    size_t ply_size;
    /* Lists the moves of a ply's position: how many? */
    enum dame_status (*list)(const void *rules, void *ply, int *count);
    uint32_t (*paths)(const void *ply, int move); /* orders of the jumps that are this one move */
    void (*play)(const void *rules, const void *ply, int move, void *next);
};

/* `plies` has `depth` plies, the first one with its position. `paths`: captures that differ only in the
   order of their jumps count separately. DAME_BAD_ARGUMENT, DAME_TOO_LARGE for a depth below 0, above
   TREE_DEPTH_MAX; DAME_OVERFLOW, DAME_NO_MEMORY; DAME_CANCELLED soon after *cancel became true (cancel may be
   NULL); what `list` says. Then *leaves is as it was. The stack it needs does not grow with the depth. */
enum dame_status tree_perft(const struct tree_game *game, const void *rules, void *plies, int depth,
                            bool paths, const atomic_bool *cancel, leaf_count *leaves);

#endif
