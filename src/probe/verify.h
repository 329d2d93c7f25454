/* Check the values of a slice against those of the positions after every move.

   Moves come from the per-position generator, which shares nothing with the row-at-a-time method of the
   builder. What win, draw and loss alone cannot show is a set of positions that are called won and lost only
   because of each other. Distances show it, since they shrink with every move (those of a phase: until a
   move that cannot be taken back): where they are right in every slice, so is who wins. */
#ifndef DAME_PROBE_VERIFY_H
#define DAME_PROBE_VERIFY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "kernel/kernel.h"
#include "probe/library.h"

struct verify_report {
    uint64_t positions;            /* that were looked at */
    uint64_t win, draw, loss;      /* derived from the moves */
    uint64_t wrong;                /* quiet positions whose stored value is another one */
    int longest_win, longest_loss; /* derived, plies; -1: there is none, or no distances */
    bool counts_agree;             /* all of these are those of the headers (full verification) */
    /* The wrong position of the lowest index, if wrong > 0. */
    struct position first_wrong;
    uint64_t first_wrong_index;
    int first_wrong_stored, first_wrong_derived;             /* 1, 0, -1 */
    int first_wrong_stored_plies, first_wrong_derived_plies; /* -1: a draw, or no distances */
    struct missing_table missing;                            /* of DAME_NO_TABLE */
};

/* Every legal placement of the slice. The slice is sound if wrong == 0 and counts_agree. With METRIC_WDL that
   is the table of win, draw and loss; with another metric both that one and the table of distances. Under a
   draw rule win, draw and loss follow from distances alone, so METRIC_WDL means metric_of_rule() then.

   *progress (may be NULL) grows by the positions that were looked at, material_positions() in all.
   library_preload and library_resolve for all tables of that many pieces first make it fast. DAME_NO_TABLE:
   of the slice itself or of one that its moves lead to. DAME_CANCELLED and the failures of probe_wdl and
   probe_plies. */
enum dame_status verify_slice(const struct library *library, struct material material, enum metric metric,
                              int threads, const atomic_bool *cancel, atomic_uint_fast64_t *progress,
                              struct verify_report *report, char *detail);

/* The same for `count` pseudo-random placements (the same ones for the same seed, whatever the number of
   threads; a placement may come twice). Of many placements some are neighbours, so that few blocks are read.
   counts_agree is false. */
enum dame_status verify_sample(const struct library *library, struct material material, enum metric metric,
                               uint64_t count, uint64_t seed, int threads, const atomic_bool *cancel,
                               atomic_uint_fast64_t *progress, struct verify_report *report, char *detail);

#endif
