/* Distances of a position (position/outcome.h), and its value when plies without a zeroing move count.

   As in value.h every legal position whose pieces are covered has them: pending captures are played out. A
   distance needs the table of win, draw and loss and, unless that says draw, the table of its metric;
   *missing (may be NULL) says which of them is not there. `detail` may be NULL. */
#ifndef DAME_PROBE_DISTANCE_H
#define DAME_PROBE_DISTANCE_H

#include "probe/value.h"

/* Value and distance of one position: plies to the end of the game (dtw) or to the next zeroing move that
   keeps the result (dtz); -1 for a draw, 0 for a side that has no piece or no move. A side whose opponent has
   no piece wins with its next move: 1. Fails as probe_wdl does; DAME_CORRUPT_TABLE too if the tables
   contradict each other. */
enum dame_status probe_dtw(const struct library *library, const struct position *position, int *wdl,
                           int *plies, struct missing_table *missing, char *detail);
enum dame_status probe_dtz(const struct library *library, const struct position *position, int *wdl,
                           int *plies, struct missing_table *missing, char *detail);

/* The same when `clock` plies have been made without capture and man move. With tables for a draw after N
   such plies (library_draw_plies) a win or loss stands only if its phase ends within the N - clock plies that
   are left; otherwise it is a draw. The N-th ply may itself be the zeroing move, and a side without a move
   has lost whatever the clock says. Tables without such a rule ignore the clock. Values of a clock above 0
   need distances to zeroing moves. DAME_BAD_ARGUMENT: a negative clock, or one above N. */
enum dame_status probe_wdl_clock(const struct library *library, const struct position *position, int clock,
                                 int *wdl, struct missing_table *missing, char *detail);
enum dame_status probe_dtz_clock(const struct library *library, const struct position *position, int clock,
                                 int *wdl, int *plies, struct missing_table *missing, char *detail);

#endif
