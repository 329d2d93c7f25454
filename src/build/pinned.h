/* The block of a slice that is being written which a thread looks at, held in memory. It changes rarely,
   since neighbours in a file are neighbours in the planes. */
#ifndef DAME_BUILD_PINNED_H
#define DAME_BUILD_PINNED_H

#include "planes/planes.h"

struct pinned {
    bool any;
    uint32_t block;
    struct plane_rows values; /* of the whole block */
    const uint64_t *stored;
};

static inline void pinned_release(struct pinned *pinned, const struct planes *planes)
{
    if (!pinned->any)
        return;
    blocks_unpin(&planes->values, pinned->block);
    blocks_unpin(&planes->stored, pinned->block);
    pinned->any = false;
}

static inline enum dame_status pinned_move(struct pinned *pinned, const struct planes *planes, uint32_t block)
{
    if (pinned->any && pinned->block == block)
        return DAME_OK;
    pinned_release(pinned, planes);
    enum dame_status status = blocks_pin(&planes->values, block);
    if (status != DAME_OK)
        return status;
    status = blocks_pin(&planes->stored, block);
    if (status != DAME_OK) {
        blocks_unpin(&planes->values, block);
        return status;
    }
    *pinned = (struct pinned){.any = true,
                              .block = block,
                              .values = planes_words(planes, block, 0),
                              .stored = blocks_at(&planes->stored, block)};
    return DAME_OK;
}

#endif
