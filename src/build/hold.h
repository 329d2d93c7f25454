/* Blocks that are kept in memory while a unit is worked on. */
#ifndef DAME_BUILD_HOLD_H
#define DAME_BUILD_HOLD_H

#include "build/reads.h"

struct hold {
    struct read_list list;
    size_t pinned; /* the first ones of the list */
};

/* Pin all blocks of the list. On any other status than DAME_OK none is pinned. */
enum dame_status hold_pin(struct hold *hold);

/* Unpin them, and free the list. */
void hold_release(struct hold *hold);

#endif
