/* Counts the leaves of the tree of legal moves on all 64 squares. */
#ifndef DAME_ALTDEUTSCH_PERFT_H
#define DAME_ALTDEUTSCH_PERFT_H

#include <stdatomic.h>

#include "altdeutsch/moves.h"

enum { ALTDEUTSCH_PERFT_DEPTH_MAX = 1000 /* bounds memory; no count of that depth would ever end */ };

/* `paths`: captures that differ in the order of their jumps only count apart. DAME_CANCELLED soon after
 *cancel became true; cancel may be NULL. */
enum dame_status altdeutsch_perft(const struct move_rules *rules, const struct altdeutsch_position *position,
                                  int depth, bool paths, const atomic_bool *cancel, uint64_t *count);

#endif
