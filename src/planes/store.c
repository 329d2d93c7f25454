#include "planes/store.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "planes/store_private.h"

enum {
    FILES_OPEN = 12,      /* work files that have a descriptor at a time */
    SPANS = 1 << 13,      /* so many fill the budget: the system allows some 65,000 mappings */
    SPAN_MOST = 64 << 20, /* bytes */
    SPAN_STEP = 1 << 16   /* a multiple of every size of pages */
};

static size_t round_span(uint64_t wanted)
{
    wanted = (wanted + SPAN_STEP - 1) / SPAN_STEP * SPAN_STEP;
    return wanted < SPAN_LEAST ? (size_t)SPAN_LEAST : wanted > SPAN_MOST ? (size_t)SPAN_MOST : (size_t)wanted;
}

enum dame_status store_create(uint64_t budget, const struct store_codec *codec, struct store **out)
{
    struct store *store = calloc(1, sizeof *store);
    if (store == NULL)
        return DAME_NO_MEMORY;
    *store = (struct store){.budget = budget, .span_bytes = round_span(budget / SPANS), .codec = codec};
    if (descriptors_create(FILES_OPEN, &store->files) != DAME_OK)
        goto no_files;
    if (pthread_mutex_init(&store->lock, NULL) != 0)
        goto no_lock;
    if (pthread_cond_init(&store->read, NULL) != 0)
        goto no_condition;
    *out = store;
    return DAME_OK;
no_condition:
    pthread_mutex_destroy(&store->lock);
no_lock:
    descriptors_destroy(&store->files);
no_files:
    free(store);
    return DAME_NO_MEMORY;
}

void store_destroy(struct store *store)
{
    if (store == NULL)
        return;
    assert(store->facts.bytes == 0 && store->facts.plain_bytes == 0);
    while (store->idle != NULL) {
        struct codec_scratch *next = store->idle->next;
        free(store->idle);
        store->idle = next;
    }
    pthread_cond_destroy(&store->read);
    pthread_mutex_destroy(&store->lock);
    descriptors_destroy(&store->files);
    free(store);
}

struct codec_scratch *scratch_take(struct store *store)
{
    pthread_mutex_lock(&store->lock);
    struct codec_scratch *scratch = store->idle;
    if (scratch != NULL)
        store->idle = scratch->next;
    pthread_mutex_unlock(&store->lock);
    if (scratch != NULL)
        return scratch;
    const size_t bytes = sizeof *scratch + (store->codec->scratch_bytes + 63) / 64 * 64;
    return aligned_alloc(64, bytes);
}

void scratch_give(struct store *store, struct codec_scratch *scratch)
{
    pthread_mutex_lock(&store->lock);
    scratch->next = store->idle;
    store->idle = scratch;
    pthread_mutex_unlock(&store->lock);
}

void store_note_failure(struct store *store, enum dame_status status, const char *detail)
{
    const int reason = errno;
    pthread_mutex_lock(&store->lock);
    if (store->failure[0] == '\0') {
        snprintf(store->failure, sizeof store->failure, "%s", detail);
        store->failure_status = status;
        store->failure_reason = reason;
    }
    pthread_mutex_unlock(&store->lock);
}

enum dame_status store_take_failure(struct store *store, char *detail)
{
    pthread_mutex_lock(&store->lock);
    const enum dame_status status = store->failure[0] == '\0' ? DAME_OK : store->failure_status;
    memcpy(detail, store->failure, DETAIL_MAX);
    store->failure[0] = '\0';
    errno = store->failure_reason;
    pthread_mutex_unlock(&store->lock);
    return status;
}

struct store_statistics store_statistics(struct store *store)
{
    pthread_mutex_lock(&store->lock);
    const struct store_statistics facts = store->facts;
    pthread_mutex_unlock(&store->lock);
    return facts;
}

/* What is in the file: the last record of a block is the one that counts. */
static void note_record(void *context, uint32_t block, struct work_place place)
{
    struct shelf *shelf = context;
    shelf->blocks[block].place = place;
    atomic_store_explicit(&shelf->blocks[block].state, KEPT_COMPLETE, memory_order_relaxed);
}

static enum dame_status check_sizes(uint32_t blocks, const uint64_t *sizes, char *detail)
{
    for (uint32_t i = 0; i < blocks; i++) {
        if (sizes[i] % 8 != 0)
            return detail_fail(detail, DAME_BAD_ARGUMENT, "block %lu: size", (unsigned long)i);
        if (sizes[i] > UINT32_MAX)
            return detail_fail(detail, DAME_TOO_LARGE, "block %lu: size", (unsigned long)i);
    }
    return DAME_OK;
}

enum dame_status shelf_open(struct store *store, const char *path, uint64_t identity, uint32_t blocks,
                            const uint64_t *sizes, struct shelf **out, char *detail)
{
    enum dame_status status = check_sizes(blocks, sizes, detail);
    if (status != DAME_OK)
        return status;
    struct shelf *shelf = calloc(1, sizeof *shelf + blocks * sizeof shelf->blocks[0]);
    if (shelf == NULL)
        return DAME_NO_MEMORY;
    shelf->store = store;
    shelf->in_file = path != NULL;
    shelf->count = blocks;
    uint64_t all = 0;
    for (uint32_t i = 0; i < blocks; i++) {
        shelf->blocks[i].words = shelf->blocks[i].plane_words = (uint32_t)(sizes[i] / 8);
        all += sizes[i];
    }
    shelf->span_bytes = all < store->span_bytes ? round_span(all) : store->span_bytes;
    if (shelf->in_file)
        status = work_file_open(&store->files, path, identity, blocks, sizes, note_record, shelf,
                                &shelf->file, detail);
    if (status != DAME_OK) {
        const int reason = errno;
        free(shelf);
        errno = reason;
        return status;
    }
    *out = shelf;
    return DAME_OK;
}

void shelf_set_form(struct shelf *shelf, uint32_t block, size_t plane_bytes, size_t row_bytes)
{
    assert(block < shelf->count && plane_bytes <= kept_size(&shelf->blocks[block]));
    shelf->blocks[block].plane_words = (uint32_t)(plane_bytes / 8);
    shelf->blocks[block].row_words = (uint32_t)(row_bytes / 8);
}

void shelf_close(struct shelf *shelf, bool remove)
{
    if (shelf == NULL)
        return;
    struct span *freed = NULL;
    pthread_mutex_lock(&shelf->store->lock);
    for (uint32_t i = 0; i < shelf->count; i++) {
        struct kept *block = &shelf->blocks[i];
        assert((kept_state(block) & (KEPT_PINS | KEPT_READING | KEPT_MAKING)) == 0);
        if (block->content != NULL)
            room_drop(shelf, block, &freed);
    }
    pthread_mutex_unlock(&shelf->store->lock);
    room_unmap(freed);
    if (shelf->in_file)
        work_file_close(&shelf->file, remove);
    free(shelf);
}
