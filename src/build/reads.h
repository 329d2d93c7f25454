/* Which blocks a unit reads: they are found before it is worked on, so that they can be fetched and stay.
   Some are named that no move leads to, none is missing. */
#ifndef DAME_BUILD_READS_H
#define DAME_BUILD_READS_H

#include "kernel/rows/unit.h"

enum reads { READS_QUIET = 1, READS_CAPTURES = 2 };

struct block_name {
    const struct planes *planes;
    uint32_t block;
};

struct read_list {
    struct block_name *blocks;
    size_t count, capacity;
};

enum dame_status read_list_add(struct read_list *list, const struct planes *planes, uint32_t block);
void read_list_destroy(struct read_list *list); /* all zero is allowed */

/* Add the blocks outside the unit that moves of the mover lead to, of those that may leave memory. `reads`: a
   sum of `enum reads`. `backwards`: men capture backwards as well. DAME_NO_MEMORY. */
enum dame_status reads_find(const struct mover *mover, bool backwards, unsigned reads, struct read_list *out);

#endif
