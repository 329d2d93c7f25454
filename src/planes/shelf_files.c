/* The work files of a shelf: its own one, and the parts that others have made. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "planes/store_private.h"

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

/* Without a file. */
static enum dame_status make_shelf(struct store *store, uint64_t identity, uint32_t blocks,
                                   const uint64_t *sizes, struct shelf **out, char *detail)
{
    enum dame_status status = check_sizes(blocks, sizes, detail);
    if (status != DAME_OK)
        return status;
    struct shelf *shelf = calloc(1, sizeof *shelf + blocks * sizeof shelf->blocks[0]);
    if (shelf == NULL)
        return DAME_NO_MEMORY;
    shelf->store = store;
    shelf->identity = identity;
    shelf->count = blocks;
    uint64_t all = 0;
    for (uint32_t i = 0; i < blocks; i++) {
        shelf->blocks[i].words = shelf->blocks[i].plane_words = (uint32_t)(sizes[i] / 8);
        all += sizes[i];
    }
    shelf->span_bytes = all < store->span_bytes ? store_span(all) : store->span_bytes;
    *out = shelf;
    return DAME_OK;
}

static void free_shelf(struct shelf *shelf)
{
    const int reason = errno;
    free(shelf->parts);
    free(shelf);
    errno = reason;
}

/* What is found in which file. */
struct finding {
    struct shelf *shelf;
    uint32_t file;
};

/* The last record of a block is the one that counts. The content may be in memory already. */
static void note_record(void *context, uint32_t block, struct work_place place)
{
    const struct finding *finding = context;
    struct kept *kept = &finding->shelf->blocks[block];
    place.file = finding->file;
    kept->place = place;
    atomic_fetch_or_explicit(&kept->state, KEPT_COMPLETE, memory_order_relaxed);
}

/* The unpacked size of every block. */
static uint64_t *sizes_of(const struct shelf *shelf)
{
    uint64_t *sizes = malloc((shelf->count + (size_t)1) * sizeof *sizes);
    for (uint32_t i = 0; i < shelf->count && sizes != NULL; i++)
        sizes[i] = kept_size(&shelf->blocks[i]);
    return sizes;
}

static enum dame_status open_own(struct shelf *shelf, const char *path, const uint64_t *sizes, char *detail)
{
    struct finding finding = {shelf, 0};
    struct work_file *own = malloc(sizeof *own);
    if (own == NULL)
        return DAME_NO_MEMORY;
    const enum dame_status status = work_file_open(&shelf->store->files, path, shelf->identity, shelf->count,
                                                   sizes, note_record, &finding, own, detail);
    if (status == DAME_OK) {
        shelf->own = own;
    } else {
        const int reason = errno;
        free(own);
        errno = reason;
    }
    return status;
}

static void close_own(struct shelf *shelf, bool remove)
{
    if (shelf->own == NULL)
        return;
    work_file_close(shelf->own, remove);
    free(shelf->own);
    shelf->own = NULL;
}

enum dame_status shelf_open(struct store *store, const char *path, uint64_t identity, uint32_t blocks,
                            const uint64_t *sizes, struct shelf **out, char *detail)
{
    struct shelf *shelf;
    enum dame_status status = make_shelf(store, identity, blocks, sizes, &shelf, detail);
    if (status != DAME_OK)
        return status;
    shelf->in_file = path != NULL;
    if (shelf->in_file)
        status = open_own(shelf, path, sizes, detail);
    if (status == DAME_OK)
        *out = shelf;
    else
        free_shelf(shelf);
    return status;
}

enum dame_status shelf_open_in_parts(struct store *store, uint64_t identity, uint32_t blocks,
                                     const uint64_t *sizes, struct shelf **out, char *detail)
{
    const enum dame_status status = make_shelf(store, identity, blocks, sizes, out, detail);
    if (status == DAME_OK)
        (*out)->in_file = (*out)->in_parts = true;
    return status;
}

enum dame_status shelf_add_part(struct shelf *shelf, const char *path, uint64_t *note, char *detail)
{
    assert(shelf->in_parts);
    struct finding finding = {shelf, shelf->part_count + 1};
    struct work_file **parts = realloc(shelf->parts, finding.file * sizeof *parts);
    if (parts == NULL)
        return DAME_NO_MEMORY;
    shelf->parts = parts;
    struct work_file *part = malloc(sizeof *part);
    uint64_t *sizes = sizes_of(shelf);
    enum dame_status status = part == NULL || sizes == NULL ? DAME_NO_MEMORY : DAME_OK;
    if (status == DAME_OK)
        status = work_file_open_part(&shelf->store->files, path, shelf->identity, shelf->count, sizes,
                                     note_record, &finding, part, note, detail);
    const int reason = errno;
    free(sizes);
    if (status == DAME_OK) {
        shelf->parts[shelf->part_count++] = part;
        return DAME_OK;
    }
    free(part);
    for (uint32_t i = 0; i < shelf->count; i++) /* what was found before it failed is not there */
        if (shelf->blocks[i].place.file == finding.file) {
            shelf->blocks[i].place = (struct work_place){0};
            atomic_fetch_and_explicit(&shelf->blocks[i].state, ~(uint32_t)KEPT_COMPLETE,
                                      memory_order_relaxed);
        }
    errno = reason;
    return status;
}

enum dame_status shelf_begin_part(struct shelf *shelf, const char *path, char *detail)
{
    assert(shelf->in_parts && shelf->own == NULL);
    uint64_t *sizes = sizes_of(shelf);
    if (sizes == NULL)
        return DAME_NO_MEMORY;
    const enum dame_status status = open_own(shelf, path, sizes, detail);
    const int reason = errno;
    free(sizes);
    errno = reason;
    return status;
}

/* Nothing is in the shelf's own file any more; false: a block was there and is nowhere else. */
static bool leave_own(struct shelf *shelf)
{
    bool all = true;
    for (uint32_t i = 0; i < shelf->count; i++) {
        struct kept *block = &shelf->blocks[i];
        if (block->place.at == 0 || block->place.file != 0)
            continue;
        block->place = (struct work_place){0};
        atomic_fetch_and_explicit(&block->state, ~(uint32_t)KEPT_COMPLETE, memory_order_relaxed);
        all = false;
    }
    return all;
}

/* If there was a part of that name, it must hold the same. */
enum dame_status shelf_seal_part(struct shelf *shelf, uint64_t note, const char *path, char *detail)
{
    assert(shelf->in_parts && shelf->own != NULL);
    uint64_t found;
    const enum dame_status status = work_file_seal(shelf->own, note, path, detail);
    if (status != DAME_OK)
        return status;
    close_own(shelf, false);
    const enum dame_status added = shelf_add_part(shelf, path, &found, detail);
    const int reason = errno;
    const bool all = leave_own(shelf);
    errno = reason;
    if (added != DAME_OK || (all && found == note))
        return added;
    return detail_fail(detail, DAME_CORRUPT_TABLE, "%s: holds other blocks than were made",
                       descriptor_name(&shelf->parts[shelf->part_count - 1]->descriptor));
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
    close_own(shelf, remove || shelf->in_parts);
    for (uint32_t i = 0; i < shelf->part_count; i++) {
        work_file_close(shelf->parts[i], false);
        free(shelf->parts[i]);
    }
    free_shelf(shelf);
}
