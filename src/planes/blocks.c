#include "planes/blocks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "planes/pack.h"

static void pack_block(const void *bytes, struct pack_form form, void *scratch, void *out, size_t capacity,
                       size_t *packed)
{
    pack(bytes, form.size, form.plane_bytes, form.row_bytes, scratch, out, capacity, packed);
}

static bool unpack_block(const void *packed, size_t packed_size, void *scratch, void *out, size_t size)
{
    return unpack(packed, packed_size, scratch, out, size);
}

const struct store_codec PACK_CODEC = {
    .scratch_bytes = sizeof(struct pack_scratch), .pack = pack_block, .unpack = unpack_block};

static enum dame_status note_failure(struct store *store, enum dame_status status, const char *detail)
{
    if (status != DAME_IO)
        errno = 0;
    store_note_failure(store, status, detail);
    return status;
}

/* A work file that is of no use makes room for a new one. */
static enum dame_status open_shelf(const struct blocks_home *home, uint32_t count, const uint64_t *sizes,
                                   struct shelf **out)
{
    char detail[DETAIL_MAX] = "";
    if (home->in_parts)
        return shelf_open_in_parts(home->store, home->identity, count, sizes, out, detail);
    enum dame_status status = shelf_open(home->store, home->path, home->identity, count, sizes, out, detail);
    if (status == DAME_CORRUPT_TABLE || status == DAME_WRONG_VARIANT)
        status = unlink(home->path) == 0
                     ? shelf_open(home->store, home->path, home->identity, count, sizes, out, detail)
                     : detail_fail(detail, DAME_IO, "%s: %s", home->path, strerror(errno));
    return status == DAME_OK ? status : note_failure(home->store, status, detail);
}

enum dame_status blocks_create(const struct blocks_home *home, uint32_t count, const struct block_plan *plans,
                               int planes, bool distances, struct blocks *out)
{
    struct blocks blocks = {
        .count = count, .may_leave = home->path != NULL || home->in_parts, .store = home->store};
    const size_t plane_bytes = sizeof(uint64_t) * (size_t)planes;
    uint64_t *sizes = malloc(count * sizeof *sizes);
    blocks.blocks = calloc(count, sizeof *blocks.blocks);
    enum dame_status status = sizes == NULL || blocks.blocks == NULL ? DAME_NO_MEMORY : DAME_OK;
    for (uint32_t i = 0; i < count && status == DAME_OK; i++) {
        blocks.blocks[i].words = plans[i].words;
        sizes[i] = plans[i].words * (plane_bytes + (distances ? 64 : 0));
    }
    if (status == DAME_OK)
        status = open_shelf(home, count, sizes, &blocks.shelf);
    for (uint32_t i = 0; i < count && status == DAME_OK; i++)
        shelf_set_form(blocks.shelf, i, plans[i].words * plane_bytes, plans[i].row_words * sizeof(uint64_t));
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

static enum dame_status done(const struct blocks *blocks, enum dame_status status, const char *detail)
{
    return status == DAME_OK ? DAME_OK : note_failure(blocks->store, status, detail);
}

enum dame_status blocks_add_part(struct blocks *blocks, const char *path, uint64_t *note)
{
    char detail[DETAIL_MAX] = "";
    return done(blocks, shelf_add_part(blocks->shelf, path, note, detail), detail);
}

enum dame_status blocks_begin_part(struct blocks *blocks, const char *path)
{
    char detail[DETAIL_MAX] = "";
    return done(blocks, shelf_begin_part(blocks->shelf, path, detail), detail);
}

enum dame_status blocks_seal_part(struct blocks *blocks, uint64_t note, const char *path)
{
    char detail[DETAIL_MAX] = "";
    return done(blocks, shelf_seal_part(blocks->shelf, note, path, detail), detail);
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

enum dame_status blocks_put(struct blocks *blocks, uint32_t block)
{
    char detail[DETAIL_MAX] = "";
    const enum dame_status status = shelf_put(blocks->shelf, block, detail);
    return status == DAME_OK ? status : note_failure(blocks->store, status, detail);
}

void blocks_give_up(struct blocks *blocks, uint32_t block)
{
    shelf_give_up(blocks->shelf, block);
}

enum dame_status blocks_pin(const struct blocks *blocks, uint32_t block)
{
    const void *content;
    if (!blocks->may_leave)
        return DAME_OK;
    char detail[DETAIL_MAX];
    const enum dame_status status = shelf_pin(blocks->shelf, block, &content, detail);
    if (status != DAME_OK)
        return note_failure(blocks->store, status, detail);
    set_content(blocks, block, content);
    return DAME_OK;
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
