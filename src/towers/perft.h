/* Counts the leaves of the tree of legal moves of towers (base/tree.h). */
#ifndef DAME_TOWERS_PERFT_H
#define DAME_TOWERS_PERFT_H

#include <stdatomic.h>

#include "base/count.h"
#include "towers/moves.h"

/* What tree_perft says. */
enum dame_status tower_perft(const struct tower_rules *rules, const struct tower_position *position,
                             int depth, bool paths, const atomic_bool *cancel, leaf_count *count);

#endif
