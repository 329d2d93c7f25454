/* Check the values of a slice against those of the positions after every move.

   Moves come from the per-position generator, which shares nothing with the row-at-a-time method of the
   builder. What this cannot see: a set of positions that are called won and lost only because of each other.
   The oracle counts and the distances rule that out. */
#ifndef DAME_PROBE_VERIFY_H
#define DAME_PROBE_VERIFY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "kernel/kernel.h"
#include "probe/library.h"

struct verify_report {
    uint64_t positions;       /* that were looked at */
    uint64_t win, draw, loss; /* derived from the moves */
    uint64_t wrong;           /* quiet positions whose stored value is another one */
    bool counts_agree;        /* win, draw and loss are those of the header (full verification) */
    /* The wrong position of the lowest index, if wrong > 0. */
    struct position first_wrong;
    uint64_t first_wrong_index;
    int first_wrong_stored, first_wrong_derived; /* 1, 0, -1 */
    struct material missing;                     /* of DAME_NO_TABLE */
};

/* Every legal placement of the slice. The slice is sound if wrong == 0 and counts_agree. *progress (may be
   NULL) grows by the positions that were looked at, material_positions() in all. library_preload and
   library_resolve for all tables of that many pieces first make it fast. DAME_NO_TABLE: of the slice itself
   or of one that its moves lead to. DAME_NOT_SUPPORTED: the tables have draw_plies, so values of neighbours
   do not determine each other. DAME_CANCELLED and the failures of probe_wdl. */
enum dame_status verify_slice(const struct library *library, struct material material, int threads,
                              const atomic_bool *cancel, atomic_uint_fast64_t *progress,
                              struct verify_report *report, char *detail);

/* The same for `count` pseudo-random placements (the same ones for the same seed, whatever the number of
   threads; a placement may come twice). counts_agree is false. */
enum dame_status verify_sample(const struct library *library, struct material material, uint64_t count,
                               uint64_t seed, int threads, const atomic_bool *cancel,
                               atomic_uint_fast64_t *progress, struct verify_report *report, char *detail);

#endif
