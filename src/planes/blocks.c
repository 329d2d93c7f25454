#include "planes/blocks.h"

#include <stdlib.h>

enum dame_status blocks_create(const struct blocks_home *home, uint32_t count, const uint64_t *words,
                               size_t word_bytes, struct blocks *out, char *detail)
{
    struct blocks blocks = {.count = count, .may_leave = home->path != NULL};
    uint64_t *sizes = malloc(count * sizeof *sizes);
    blocks.blocks = calloc(count, sizeof *blocks.blocks);
    enum dame_status status = sizes == NULL || blocks.blocks == NULL ? DAME_NO_MEMORY : DAME_OK;
    for (uint32_t i = 0; i < count && status == DAME_OK; i++) {
        blocks.blocks[i].words = (size_t)words[i];
        sizes[i] = words[i] * word_bytes;
    }
    if (status == DAME_OK)
        status = shelf_open(home->store, home->path, home->identity, count, sizes, &blocks.shelf, detail);
    free(sizes);
    if (status != DAME_OK) {
        blocks_destroy(&blocks, false);
        return status;
    }
    *out = blocks;
    return DAME_OK;
}

void blocks_destroy(struct blocks *blocks, bool remove)
{
    if (blocks->shelf != NULL)
        shelf_close(blocks->shelf, remove);
    free(blocks->blocks);
    *blocks = (struct blocks){0};
}

/* Everybody who has pinned a block writes the same address. */
static void set_content(const struct blocks *blocks, uint32_t block, const void *content)
{
    atomic_store_explicit(&blocks->blocks[block].at, (uint64_t *)(uintptr_t)content, memory_order_relaxed);
}

bool blocks_has(const struct blocks *blocks, uint32_t block)
{
    return shelf_has(blocks->shelf, block);
}

enum dame_status blocks_take(struct blocks *blocks, uint32_t block)
{
    void *content;
    const enum dame_status status = shelf_take(blocks->shelf, block, &content);
    if (status == DAME_OK)
        set_content(blocks, block, content);
    return status;
}

enum dame_status blocks_put(struct blocks *blocks, uint32_t block, char *detail)
{
    return shelf_put(blocks->shelf, block, detail);
}

void blocks_give_up(struct blocks *blocks, uint32_t block)
{
    shelf_give_up(blocks->shelf, block);
}

enum dame_status blocks_pin(const struct blocks *blocks, uint32_t block, char *detail)
{
    const void *content;
    if (!blocks->may_leave)
        return DAME_OK;
    const enum dame_status status = shelf_pin(blocks->shelf, block, &content, detail);
    if (status == DAME_OK)
        set_content(blocks, block, content);
    return status;
}

void blocks_prefetch(const struct blocks *blocks, uint32_t block)
{
    if (blocks->may_leave)
        shelf_prefetch(blocks->shelf, block);
}

void blocks_unpin(const struct blocks *blocks, uint32_t block)
{
    if (blocks->may_leave)
        shelf_unpin(blocks->shelf, block);
}
