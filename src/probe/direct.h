/* The shortest way to a value, for positions of win, draw and loss that are one look-up.

   A probe waits for memory, and a processor waits for several probes at once if they fit into its window and
   no jump depends on what is loaded. So this way has few instructions, and takes the pieces as they lie:
   Black's are ranked as they stand and White's turned, whoever is to move, since either side counts its own
   squares from its own end (slices/index.h). Only where a material is found depends on the side to move.

   Whatever is not that simple (captures, threats, more than four pieces of a kind, no table, no legal
   position) is left to value.c. */
#ifndef DAME_PROBE_DIRECT_H
#define DAME_PROBE_DIRECT_H

#include "probe/library_private.h"

/* `black` is a position as Black sees it, any bits, and `white` says whether White is to move. */
struct direct_way {
    /* Where its value stands; NULL: this way does not lead there. */
    const struct direct *(*place)(const struct library *library, const struct position *black, bool white,
                                  uint64_t *index);
    /* The value, unless this way does not lead there or its block is not in the cache: false. */
    bool (*value)(const struct library *library, const struct position *black, bool white, int *wdl);
};

extern const struct direct_way DIRECT_WAY_BASE; /* for every processor */
#if defined(__x86_64__)
extern const struct direct_way DIRECT_WAY_BMI; /* for those that find and clear the lowest bit at once */
#endif

/* The quickest one for this processor. */
const struct direct_way *direct_way(void);

/* Whatever has changed in a slot. */
void direct_update(struct library *library, const struct slot *slot);

#endif
