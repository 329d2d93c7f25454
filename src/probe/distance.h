/* Distances of a position (position/outcome.h), and its value when the plies of a draw rule count.

   As in value.h every legal position whose pieces are covered has them: pending captures are played out. A
   distance needs the table of win, draw and loss and, unless that says draw, the table of its metric;
   *missing (may be NULL) says which of them is not there. `detail` may be NULL. */
#ifndef DAME_PROBE_DISTANCE_H
#define DAME_PROBE_DISTANCE_H

#include "probe/value.h"

/* Value and distance of one position in a metric that counts plies; -1 for a draw, 0 for a side that has no
   piece or no move. A side whose opponent has no piece wins with its next move: 1. Fails as probe_wdl does;
   DAME_CORRUPT_TABLE too if the tables contradict each other.

   `clock` plies of the draw rule of the tables (library_draw_rule) have been made. Under a rule of N plies a
   win or loss stands only if its phase ends within the N - clock plies that are left; otherwise it is a draw.
   The N-th ply may itself be the move that sets the counter to 0. With a clock of N the game is over
   (outcome_at_end): it needs no table. Tables without a rule ignore the clock. DAME_BAD_ARGUMENT: a negative
   clock, or one above N. */
enum dame_status probe_plies(const struct library *library, enum metric metric,
                             const struct position *position, int clock, int *wdl, int *plies,
                             struct missing_table *missing, char *detail);

/* The value alone. Values of a clock between 0 and N need tables of metric_of_rule(). */
enum dame_status probe_wdl_clock(const struct library *library, const struct position *position, int clock,
                                 int *wdl, struct missing_table *missing, char *detail);

#endif
