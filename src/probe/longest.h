/* The positions of a slice that take longest to win, or to lose.

   How long that is stands in the header of the table of distances, so nothing is compared with anything:
   the bytes of the table are searched for one number. */
#ifndef DAME_PROBE_LONGEST_H
#define DAME_PROBE_LONGEST_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "kernel/kernel.h"
#include "probe/library.h"

struct longest_report {
    int plies;                    /* of the longest win or loss; -1: no position is won or lost */
    size_t count;                 /* positions written, those of the lowest indices */
    struct missing_table missing; /* of DAME_NO_TABLE */
};

/* Write at most `limit` positions with the longest win (`wdl` 1) or loss (-1) to `positions`, in the order of
   their indices, whatever the number of threads. Positions with a capture pending count like any other.
   `metric` is one that counts plies; with tables for a draw rule the results are those under that rule.

   *progress (may be NULL) grows by the values of the table that were passed, header.values in all. It needs
   no table in memory. Captures are played out only where the headers of the slices that they lead to leave
   room for so long a line.

   DAME_BAD_ARGUMENT: another metric or wdl. DAME_NO_TABLE: of the slice itself, in `metric` or of win, draw
   and loss, or of one that captures lead to. DAME_CORRUPT_TABLE: no position takes as long as the header
   says, and what probe_plies finds. DAME_CANCELLED, DAME_NO_MEMORY. `detail` may be NULL. */
enum dame_status longest_find(const struct library *library, struct material material, enum metric metric,
                              int wdl, struct position *positions, size_t limit, int threads,
                              const atomic_bool *cancel, atomic_uint_fast64_t *progress,
                              struct longest_report *report, char *detail);

#endif
