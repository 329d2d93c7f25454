/* The shortest way to a value, for positions of win, draw and loss that are one look-up.

   A probe waits for memory, and a processor waits for several probes at once if they fit into its window and
   no branch depends on what is loaded. So this way has few instructions, and takes the pieces as they lie:
   Black's are ranked as they stand and White's turned, whoever is to move, since either side counts its own
   squares from its own end (slices/index.h). Only where a material is found depends on the side to move.

   Whatever is not that simple (captures, threats, more than four pieces in a piece set, no table, no legal
   position) is left to value.c. */
#ifndef DAME_PROBE_DIRECT_H
#define DAME_PROBE_DIRECT_H

#include "probe/library_private.h"
#include "probe/value.h"

/* Of either side two words, any bits: its men and its kings on the board as it lies. */
struct direct_way {
    /* Where the value stands; NULL: this way does not lead there. */
    const struct direct *(*place)(const struct library *library, const void *black_pieces,
                                  const void *white_pieces, unsigned white, uint64_t *index);
    /* The value, unless this way does not lead there or its block is not in the cache: false. */
    bool (*value)(const struct library *library, const void *black_pieces, const void *white_pieces,
                  unsigned white, int *wdl);
    /* The same from resolved tables only, in fewer instructions. */
    bool (*resolved)(const struct library *library, const void *black_pieces, const void *white_pieces,
                     unsigned white, int *wdl);
};

/* For every processor, and for those that count bits, and find and clear the lowest one, at once. */
extern const struct direct_way DIRECT_WAY_BASE;
#if defined(__x86_64__)
extern const struct direct_way DIRECT_WAY_BMI;
#endif

/* The quickest one for this processor. Without small sets (NULL), as on larger boards, it leads nowhere. */
const struct direct_way *direct_way(const struct small_sets *sets);

/* Whatever has changed in a slot. */
void direct_update(struct library *library, const struct slot *slot);

#endif
