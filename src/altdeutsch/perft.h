/* Counts the leaves of the tree of legal moves on all 64 squares (base/tree.h). */
#ifndef DAME_ALTDEUTSCH_PERFT_H
#define DAME_ALTDEUTSCH_PERFT_H

#include <stdatomic.h>

#include "altdeutsch/moves.h"
#include "base/count.h"

/* What tree_perft says. */
enum dame_status altdeutsch_perft(const struct move_rules *rules, const struct position *position, int depth,
                                  bool paths, const atomic_bool *cancel, leaf_count *count);

#endif
