/* The interface of the core for the Python module: everything that it may use. Engines have dame.h.

   Functions return a status and write through pointers; handles are opaque; nothing is global, nothing ends
   the process. Long work takes a number of threads, a cancel flag that it polls, and a counter that it
   advances.

     base/metric.h        metrics and draw rules: pages of facts
     position/move.h      positions and moves: the board turned, the position after a move
     position/outcome.h   whether the game is over
     kernel/kernel.h      rule sets: legal moves, successors, perft
     custom/custom.h      legal moves and perft by rules that no kernel was compiled for
     slices/material.h    which slices there are, their names and sizes
     slices/index.h       the number of a position inside its slice
     build/solver.h       solve slices in memory and encode them
     tables/layout.h      the header of a table file
     tables/reader.h      one table file, never trusted
     tables/writer.h      header and block table of a new file
     probe/library.h      the open tables of one rule set
     probe/value.h        the value of any position
     probe/distance.h     its distance, and its value when the plies of a draw rule count
     probe/moves.h        the moves of a position: what each leads to, and which is better
     probe/longest.h      the positions that take longest
     probe/verify.h       every value against its successors
     towers/perft.h       rule sets with towers: legal moves, perft
     altdeutsch/perft.h   rule sets on all 64 squares: legal moves, perft */
#ifndef DAME_CORE_H
#define DAME_CORE_H

#include "altdeutsch/perft.h"
#include "base/bits.h"
#include "base/hash.h"
#include "base/metric.h"
#include "base/status.h"
#include "build/solver.h"
#include "custom/custom.h"
#include "kernel/kernel.h"
#include "position/move.h"
#include "position/outcome.h"
#include "probe/distance.h"
#include "probe/library.h"
#include "probe/longest.h"
#include "probe/moves.h"
#include "probe/value.h"
#include "probe/verify.h"
#include "slices/index.h"
#include "slices/material.h"
#include "tables/layout.h"
#include "tables/reader.h"
#include "tables/writer.h"
#include "towers/perft.h"

#endif
