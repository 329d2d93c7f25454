#include "probe/longest.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "position/outcome.h"
#include "probe/library_private.h"
#include "probe/placement.h"
#include "probe/walk.h"

struct search {
    const struct library *library;
    const struct slot *slot; /* of the distances */
    struct index_sets sets;
    enum metric metric;
    int wdl, plies;
    int byte;           /* what the table holds for `plies` */
    bool play_captures; /* a line that begins with a capture may be that long */
    atomic_uint_fast64_t *progress;
    pthread_mutex_t lock; /* of what was found */
    uint64_t *found;      /* indices, ascending */
    size_t count, limit;
    atomic_uint_fast64_t end; /* no index from here on is one of the lowest any more */
    struct first_fault fault;
};

/* Blocks are taken in ascending order, so an index belongs near the end of those found. */
static void note_index(struct search *search, uint64_t index)
{
    pthread_mutex_lock(&search->lock);
    if (index < search->end) {
        size_t at = search->count < search->limit ? search->count++ : search->limit - 1;
        for (; at > 0 && search->found[at - 1] > index; at--)
            search->found[at] = search->found[at - 1];
        search->found[at] = index;
        if (search->count == search->limit)
            search->end = search->found[search->limit - 1];
    }
    pthread_mutex_unlock(&search->lock);
}

/* Whether a position takes that long: its byte alone does not tell wins from losses, draws and
   don't-cares. */
static enum dame_status check_position(struct search *search, const struct position *position, uint64_t index,
                                       struct fault *fault)
{
    const struct library *library = search->library;
    if (!search->play_captures && !search->slot->resolved && library->kernel->must_capture(position))
        return DAME_OK;
    int wdl, plies = NO_PLIES;
    enum dame_status status = library_value(library, position, &wdl, fault);
    if (status == DAME_OK && wdl == search->wdl)
        status = library_plies(library, search->metric, position, wdl, &plies, fault);
    if (status == DAME_OK && plies == search->plies)
        note_index(search, index);
    return status;
}

/* The values of the indices from `first` on. */
static enum dame_status search_bytes(struct search *search, const uint8_t *bytes, uint64_t first,
                                     uint64_t count, struct fault *fault)
{
    const struct slot *slot = search->slot;
    enum dame_status status = DAME_OK;
    for (uint64_t i = 0; i < count && status == DAME_OK; i++) {
        const uint8_t *hit = memchr(bytes + i, search->byte, count - i);
        if (hit == NULL)
            break;
        i = (uint64_t)(hit - bytes);
        if (first + i >= search->end)
            break;
        struct position position;
        if (placement_at(&slot->shape, &search->sets, slot->header.material, first + i, &position))
            status = check_position(search, &position, first + i, fault);
    }
    return status;
}

/* The same where a pending capture may be the first move of so long a line: its byte means nothing. */
static enum dame_status search_placements(struct search *search, const uint8_t *bytes, uint64_t first,
                                          uint64_t count, struct fault *fault)
{
    const struct slot *slot = search->slot;
    const struct kernel *kernel = search->library->kernel;
    const uint64_t run_length = walk_run_length(&slot->shape);
    struct walk walk =
        walk_start(&slot->shape, &search->sets, first / run_length, (first + count - 1) / run_length + 1);
    enum dame_status status = DAME_OK;
    while (status == DAME_OK && walk_next(&walk)) {
        if (walk.index < first) /* the run began in the block before */
            continue;
        if (walk.index >= first + count || walk.index >= search->end)
            break;
        if (bytes[walk.index - first] == search->byte || kernel->must_capture(&walk.position))
            status = check_position(search, &walk.position, walk.index, fault);
    }
    return status;
}

/* The values of a block: those in memory, or the file's in *buffer, which has to be freed. */
static enum dame_status block_bytes(const struct slot *slot, uint32_t block, const uint8_t **bytes,
                                    uint8_t **buffer, struct fault *fault)
{
    *buffer = NULL;
    if (slot->packed != NULL) {
        *bytes = slot->packed + (uint64_t)block * slot->header.block_size;
        return DAME_OK;
    }
    *bytes = *buffer = malloc(slot->header.block_size);
    if (*buffer == NULL)
        return DAME_NO_MEMORY;
    const enum dame_status status = table_read(slot->table, block, *buffer, fault->detail);
    if (status != DAME_OK)
        fault_name_table(fault, slot);
    return status;
}

/* Not through the cache: every block is needed once. A value takes a byte, so blocks are runs of indices. */
static enum dame_status search_block(void *context, uint64_t block, int worker)
{
    (void)worker;
    struct search *search = context;
    const struct slot *slot = search->slot;
    const uint64_t first = block * slot->header.block_size;
    const uint64_t count = layout_block_bytes(&slot->header, (uint32_t)block);
    if (first < search->end) {
        const uint8_t *bytes;
        uint8_t *buffer;
        struct fault fault;
        fault_clear(&fault);
        enum dame_status status = block_bytes(slot, (uint32_t)block, &bytes, &buffer, &fault);
        if (status == DAME_OK)
            status = (search->play_captures ? search_placements : search_bytes)(search, bytes, first, count,
                                                                                &fault);
        free(buffer);
        if (status != DAME_OK) {
            first_fault_offer(&search->fault, &fault);
            return status;
        }
    }
    if (search->progress != NULL)
        atomic_fetch_add(search->progress, count);
    return DAME_OK;
}

static int longest_of(const struct slot *slot, int wdl)
{
    return layout_longest(wdl > 0 ? slot->header.longest_win : slot->header.longest_loss);
}

/* Whether a capture into this slice, which the other side sees there, can begin so long a line. A table that
   is not there says nothing; it may not be needed. */
static bool leads_far_enough(const struct search *search, struct material after)
{
    if (material_own(after) == 0)
        return search->plies <= 1;
    const int number = library_find(search->library, after, search->metric);
    return number < 0 || longest_of(&search->library->slots[number], -search->wdl) + 1 >= search->plies;
}

/* Any number of pieces may be captured, and a man may be crowned by that. */
static bool captures_matter(const struct search *search)
{
    const struct material m = search->slot->header.material;
    if (search->slot->resolved)
        return false;
    if (metric_ends_phase(search->metric, BY_CAPTURE))
        return search->plies == 1;
    for (int crowned = 0; crowned <= (m.own_men > 0); crowned++)
        for (int men = 0; men <= m.other_men; men++)
            for (int kings = 0; kings <= m.other_kings; kings++) {
                const struct material after = {(uint8_t)men, (uint8_t)kings, (uint8_t)(m.own_men - crowned),
                                               (uint8_t)(m.own_kings + crowned)};
                if (material_own(after) < material_other(m) && leads_far_enough(search, after))
                    return true;
            }
    return false;
}

/* The slot of the distances. */
static enum dame_status find_slot(struct search *search, struct material material,
                                  struct missing_table *missing)
{
    const enum metric wanted[] = {METRIC_WDL, search->metric};
    for (int i = 0; i < 2; i++) {
        const int number = library_find(search->library, material, wanted[i]);
        if (number < 0) {
            *missing = (struct missing_table){material, wanted[i]};
            return DAME_NO_TABLE;
        }
        search->slot = &search->library->slots[number];
    }
    return DAME_OK;
}

static enum dame_status run(struct search *search, int threads, const atomic_bool *cancel, char *detail,
                            struct missing_table *missing)
{
    search->byte = coding_to_byte(search->slot->header.coding, search->plies);
    search->play_captures = captures_matter(search);
    search->end = UINT64_MAX;
    search->fault = first_fault_none();
    if (search->limit > SIZE_MAX / sizeof *search->found)
        return DAME_NO_MEMORY;
    search->found = malloc(search->limit * sizeof *search->found);
    if (search->found == NULL)
        return DAME_NO_MEMORY;
    if (pthread_mutex_init(&search->lock, NULL) != 0) {
        free(search->found);
        return DAME_NO_MEMORY;
    }
    enum dame_status status =
        threads_run(threads, search->slot->header.block_count, search_block, search, cancel);
    pthread_mutex_destroy(&search->lock);
    if (status == DAME_OK && search->count == 0) {
        (void)detail_fail(search->fault.fault.detail, DAME_OK, "header: no position takes %d plies",
                          search->plies);
        fault_name_table(&search->fault.fault, search->slot);
        status = DAME_CORRUPT_TABLE;
    }
    if (status != DAME_OK) {
        fault_report(&search->fault.fault, missing, detail);
        free(search->found);
    }
    return status;
}

enum dame_status longest_find(const struct library *library, struct material material, enum metric metric,
                              int wdl, struct position *positions, size_t limit, int threads,
                              const atomic_bool *cancel, atomic_uint_fast64_t *progress,
                              struct longest_report *report, char *detail)
{
    *report = (struct longest_report){.plies = NO_PLIES};
    if ((unsigned)metric >= METRICS || !metric_has_plies(metric) || (wdl != 1 && wdl != -1))
        return DAME_BAD_ARGUMENT;
    struct search search = {
        .library = library, .metric = metric, .wdl = wdl, .limit = limit, .progress = progress};
    enum dame_status status = find_slot(&search, material, &report->missing);
    if (status != DAME_OK)
        return status;
    const struct slot *slot = search.slot;
    report->plies = search.plies = longest_of(slot, wdl);
    if (search.plies == NO_PLIES || limit == 0)
        return DAME_OK;
    status =
        index_sets_create(library->kernel->board, library->ordering, material, &slot->shape, &search.sets);
    if (status != DAME_OK)
        return status;
    status = run(&search, threads, cancel, detail, &report->missing);
    if (status == DAME_OK) {
        for (size_t i = 0; i < search.count; i++) {
            const bool legal =
                placement_at(&slot->shape, &search.sets, material, search.found[i], &positions[i]);
            assert(legal);
            (void)legal;
        }
        report->count = search.count;
        free(search.found);
    }
    index_sets_destroy(&search.sets);
    return status;
}
