/* library_preload: whole tables, decoded, in memory. */
#include <stdlib.h>

#include "base/threads.h"
#include "probe/direct.h"

struct preload {
    const struct slot *slot;
    uint8_t *packed;
    atomic_uint_fast64_t *progress;
    struct first_fault fault;
};

static uint64_t values_in_block(const struct table_header *header, uint64_t block)
{
    const uint64_t most = (uint64_t)header->block_size * (uint64_t)layout_values_per_byte(header);
    const uint64_t rest = header->values - block * most;
    return rest < most ? rest : most;
}

static enum dame_status preload_block(void *context, uint64_t block, int worker)
{
    (void)worker;
    struct preload *preload = context;
    const struct slot *slot = preload->slot;
    struct fault fault;
    fault_clear(&fault);
    enum dame_status status = table_read(slot->table, (uint32_t)block,
                                         preload->packed + block * slot->header.block_size, fault.detail);
    if (status != DAME_OK) {
        fault_name_table(&fault, slot);
        first_fault_offer(&preload->fault, &fault);
    }
    if (preload->progress != NULL)
        atomic_fetch_add(preload->progress, values_in_block(&slot->header, block));
    return status;
}

/* What tables to preload, and the memory for them. */
struct wanted {
    bool *slots; /* by the index of the slot */
    uint64_t bytes;
};

static enum dame_status find_wanted(const struct library *library, int max_pieces, uint64_t max_bytes,
                                    struct wanted *wanted)
{
    *wanted = (struct wanted){.slots = calloc((size_t)library->count + 1, sizeof *wanted->slots)};
    if (wanted->slots == NULL)
        return DAME_NO_MEMORY;
    if (max_bytes > SIZE_MAX / 2)
        max_bytes = SIZE_MAX / 2;
    for (int pieces = 0; pieces <= max_pieces && pieces <= library->largest; pieces++)
        for (int i = 0; i < library->count; i++) {
            const struct slot *slot = &library->slots[i];
            const uint64_t bytes = slot_packed_bytes(slot);
            if (slot->packed != NULL || material_pieces(slot->header.material) != pieces ||
                bytes > max_bytes - wanted->bytes)
                continue;
            wanted->slots[i] = true;
            wanted->bytes += bytes;
        }
    return DAME_OK;
}

/* One piece of memory for all tables to come, which the library keeps whatever becomes of them. */
static enum dame_status add_arena(struct library *library, uint64_t bytes, uint8_t **out)
{
    if (bytes == 0)
        return DAME_OK;
    struct arena *arena = calloc(1, sizeof *arena);
    if (arena == NULL)
        return DAME_NO_MEMORY;
    const enum dame_status status = memory_create_large((size_t)bytes, &arena->memory);
    if (status != DAME_OK) {
        free(arena);
        return status;
    }
    arena->next = library->arenas;
    library->arenas = arena;
    *out = arena->memory.at;
    return DAME_OK;
}

static enum dame_status preload_slot(struct library *library, struct slot *slot, uint8_t *memory, int threads,
                                     const atomic_bool *cancel, atomic_uint_fast64_t *progress, char *detail)
{
    struct preload preload = {
        .slot = slot, .packed = memory, .progress = progress, .fault = first_fault_none()};
    const enum dame_status status =
        threads_run(threads, slot->header.block_count, preload_block, &preload, cancel);
    if (status == DAME_OK)
        slot_set_packed(slot, memory);
    else
        fault_report(&preload.fault.fault, NULL, detail);
    direct_update(library, slot);
    return status;
}

enum dame_status library_preload(struct library *library, int max_pieces, uint64_t max_bytes, int threads,
                                 const atomic_bool *cancel, atomic_uint_fast64_t *progress, char *detail)
{
    struct wanted wanted;
    uint8_t *next = NULL;
    enum dame_status status = find_wanted(library, max_pieces, max_bytes, &wanted);
    if (status == DAME_OK)
        status = add_arena(library, wanted.bytes, &next);
    for (int i = 0; i < library->count && status == DAME_OK; i++) {
        if (!wanted.slots[i])
            continue;
        status = preload_slot(library, &library->slots[i], next, threads, cancel, progress, detail);
        next += slot_packed_bytes(&library->slots[i]);
    }
    free(wanted.slots);
    return status;
}
