/* Counts the leaves of the tree of legal moves of towers. */
#ifndef DAME_TOWERS_PERFT_H
#define DAME_TOWERS_PERFT_H

#include <stdatomic.h>

#include "towers/moves.h"

enum { TOWER_PERFT_DEPTH_MAX = 1000 /* bounds memory; no count of that depth would ever end */ };

/* `paths`: captures that differ in the order of their jumps only count apart. DAME_CANCELLED soon after
 *cancel became true; cancel may be NULL. */
enum dame_status tower_perft(const struct tower_rules *rules, const struct tower_position *position,
                             int depth, bool paths, const atomic_bool *cancel, uint64_t *count);

#endif
