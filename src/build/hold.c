#include "build/hold.h"

static void unpin_all(struct hold *hold)
{
    while (hold->pinned > 0) {
        const struct block_name *name = &hold->list.blocks[--hold->pinned];
        blocks_unpin(&name->planes->values, name->block);
    }
}

enum dame_status hold_pin(struct hold *hold)
{
    enum dame_status status = DAME_OK;
    /* What has to be read from the disk is on its way while the first blocks are unpacked. */
    for (size_t i = 0; i < hold->list.count; i++)
        blocks_prefetch(&hold->list.blocks[i].planes->values, hold->list.blocks[i].block);
    for (size_t i = 0; i < hold->list.count && status == DAME_OK; i++) {
        const struct block_name *name = &hold->list.blocks[i];
        status = blocks_pin(&name->planes->values, name->block);
        hold->pinned += status == DAME_OK;
    }
    if (status != DAME_OK)
        unpin_all(hold);
    return status;
}

void hold_release(struct hold *hold)
{
    unpin_all(hold);
    read_list_destroy(&hold->list);
}
