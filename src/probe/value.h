/* The value of a position: 1, 0, -1 for the side to move.

   Positions with a capture pending are played out, so every legal position whose pieces are covered after its
   captures has a value; the side without pieces or without a move has lost and needs no table. */
#ifndef DAME_PROBE_VALUE_H
#define DAME_PROBE_VALUE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "kernel/kernel.h"
#include "probe/library.h"

enum {
    PROBE_MISSING = -128, /* instead of a value: no table covers the position */
    PROBE_ILLEGAL = -127, /* the position is not legal */
    PROBE_WORDS = 5       /* of a row of probe_many */
};

/* The value of one position, seen as always by the side that moves down. `missing` and `detail` may be NULL.
   DAME_BAD_POSITION. DAME_NO_TABLE: *missing is the table that the value depends on (of positions
   with more than PIECES_MAX pieces their own, which material_name has no room for on large boards).
   DAME_CORRUPT_TABLE, DAME_IO, DAME_NO_MEMORY, DAME_NOT_SUPPORTED: see table_read. */
enum dame_status probe_wdl(const struct library *library, const struct position *position, int *wdl,
                           struct missing_table *missing, char *detail);

/* The value of a position if it is one look-up (direct.h), or false: probe_wdl knows. Of either side two
   words, any bits: its men and its kings on the board as it lies. */
bool probe_direct(const struct library *library, const void *black_pieces, const void *white_pieces,
                  unsigned white, int *wdl);

/* The same for tables that `probe_direct` leaves out because there are quicker ones. */
bool probe_direct_others(const struct library *library, const void *black_pieces, const void *white_pieces,
                         unsigned white, int *wdl);

/* The values of `count` positions. A row is PROBE_WORDS words: own men, own kings, other men, other kings on
   the board as it lies, and the side to move: 0 the one that moves down (Black), 1 the one that moves up
   (White). out[i] becomes 1, 0, -1, PROBE_MISSING or PROBE_ILLEGAL for row i (a side other than 0 and 1 is
   illegal). Any other failure, or *cancel (may be NULL), ends the run, and `out` is of no use then. */
enum dame_status probe_many(const struct library *library, const uint64_t *rows, size_t count, int8_t *out,
                            int threads, const atomic_bool *cancel, char *detail);

#endif
