#include "probe/library.h"

#include <assert.h>
#include <stdlib.h>

#include "probe/direct.h"

/* Takes `files` over. */
static enum dame_status create(const struct kernel *kernel, const struct codec *codec, uint64_t cache_bytes,
                               struct files *files, struct library **out)
{
    struct library *library = aligned_alloc(_Alignof(struct library), sizeof *library);
    if (library == NULL) {
        files_release(files);
        return DAME_NO_MEMORY;
    }
    memset(library, 0, sizeof *library);
    library->kernel = kernel;
    library->files = files;
    if (codec != NULL)
        library->codec = *codec;
    enum dame_status status = cache_create(cache_bytes, &library->cache);
    if (status == DAME_OK)
        status = ordering_create(kernel->board, &library->ordering);
    if (status == DAME_OK)
        status = small_sets_create(kernel->board, library->ordering, &library->small_sets);
    if (status != DAME_OK) {
        library_destroy(library);
        return status;
    }
    library->direct_way = direct_way(library->small_sets);
    library->probe_direct = library->direct_way->value;
    library->direct[0][0].pieces = library->direct[0][1].pieces = UINT8_MAX; /* no pieces, no look-up */
    *out = library;
    return DAME_OK;
}

void library_destroy(struct library *library)
{
    if (library == NULL)
        return;
    for (int i = 0; i < library->count; i++) {
        cached_destroy(library->slots[i].cached);
        table_close(library->slots[i].table);
        if (library->slots[i].is_owned)
            free(library->slots[i].packed);
    }
    for (struct arena *arena = library->arenas; arena != NULL;) {
        struct arena *next = arena->next;
        memory_destroy(&arena->memory);
        free(arena);
        arena = next;
    }
    free(library->slots);
    cache_destroy(library->cache);
    free(library->small_sets);
    ordering_destroy(library->ordering);
    files_release(library->files);
    free(library);
}

static uint16_t *slot_number(struct library *library, const struct table_header *header)
{
    const struct material m = header->material;
    return &library->slot_of[header->metric][m.own_men][m.own_kings][m.other_men][m.other_kings];
}

uint64_t slot_packed_bytes(const struct slot *slot)
{
    const uint64_t lines = summary_lines(layout_value_bytes(&slot->header));
    const uint64_t of_summary =
        metric_has_plies(slot->header.metric) ? 0 : summary_lines(values_bytes(lines));
    return (lines + of_summary) * SUMMARY_LINE_BYTES;
}

void slot_set_packed(struct slot *slot, uint8_t *packed)
{
    const uint64_t bytes = layout_value_bytes(&slot->header), lines = summary_lines(bytes);
    slot->packed = packed;
    if (metric_has_plies(slot->header.metric))
        return;
    memset(packed + bytes, 0, lines * SUMMARY_LINE_BYTES - bytes);
    slot->summary = packed + lines * SUMMARY_LINE_BYTES;
    summary_make(packed, lines, slot->summary);
}

/* Takes table and its blocks in the cache over if it succeeds; the new slot is the last one. */
static enum dame_status add_slot(struct library *library, const struct table_header *header,
                                 struct table *table, struct cached *cached, char *detail)
{
    if (*slot_number(library, header) != 0)
        return detail_fail(detail, DAME_BAD_ARGUMENT, "there is a table of this material already");
    const struct draw_rule rule = header->draw_rule, open = library_draw_rule(library);
    if (library->count > 0 && !draw_rule_equal(rule, open))
        return detail_fail(detail, DAME_BAD_ARGUMENT, "%s %d, the tables already open have %s %d",
                           draw_rule_page(rule)->name, rule.plies, draw_rule_page(open)->name, open.plies);
    if (library->count == SLOTS_MAX)
        return DAME_TOO_LARGE;
    if (library->count == library->capacity) {
        const int capacity = library->capacity == 0 ? 64 : library->capacity * 2;
        struct slot *slots = realloc(library->slots, (size_t)capacity * sizeof *slots);
        if (slots == NULL)
            return DAME_NO_MEMORY;
        library->slots = slots;
        library->capacity = capacity;
    }
    struct slot slot = {.header = *header, .table = table, .cached = cached};
    const enum dame_status status =
        index_shape(library->kernel->board, header->material, header->nesting, &slot.shape);
    if (status != DAME_OK)
        return status;
    library->slots[library->count++] = slot;
    *slot_number(library, header) = (uint16_t)library->count;
    library->has[header->metric] = true;
    direct_update(library, &library->slots[library->count - 1]);
    if (material_pieces(header->material) > library->largest)
        library->largest = material_pieces(header->material);
    return DAME_OK;
}

/* The path of a table, of a long one the end, for texts that have room for some more. */
struct shown_path {
    const char *dots, *end;
};

static struct shown_path shown_path(const struct table *table)
{
    enum { SHOWN = DETAIL_MAX - 96 };
    const char *path = table_path(table);
    const size_t length = strlen(path);
    return length > SHOWN ? (struct shown_path){"...", path + length - SHOWN} : (struct shown_path){"", path};
}

void fault_name_table(struct fault *fault, const struct slot *slot)
{
    if (fault->detail[0] == '\0')
        return; /* the status says it all */
    const struct fault found = *fault;
    char name[MATERIAL_NAME_MAX];
    struct shown_path path = {"", name};
    material_name(slot->header.material, name);
    if (slot->table != NULL)
        path = shown_path(slot->table);
    (void)detail_fail(fault->detail, DAME_OK, "%s%s: %s", path.dots, path.end, found.detail);
}

/* Takes `table` over, whether it succeeds or not. */
static enum dame_status add_table(struct library *library, struct table *table, char *detail)
{
    struct cached *cached = NULL;
    enum dame_status status = cached_create(library->cache, table, &cached);
    if (status == DAME_OK)
        status = add_slot(library, table_header(table), table, cached, detail);
    if (status != DAME_OK) {
        cached_destroy(cached);
        table_close(table);
    }
    return status;
}

/* A table that is there already: DAME_OK if nothing tells the two apart. */
static enum dame_status check_same(const struct table *first, const struct table *second, char *detail)
{
    bool same;
    const enum dame_status status = table_compare(first, second, &same, detail);
    if (status == DAME_OK && !same) {
        const struct shown_path path = shown_path(first);
        return detail_fail(detail, DAME_BAD_ARGUMENT, "differs from %s%s, a table of the same slice",
                           path.dots, path.end);
    }
    return status;
}

enum dame_status library_add_file(struct library *library, const char *path, char *detail)
{
    struct table *table;
    const struct kernel *kernel = library->kernel;
    const struct codec *codec = library->codec.decode != NULL ? &library->codec : NULL;
    enum dame_status status =
        table_open(library->files, path, kernel->rules->id, kernel->board, codec, &table, detail);
    if (status != DAME_OK)
        return status;
    const int slot = *slot_number(library, table_header(table));
    if (slot == 0 || library->slots[slot - 1].table == NULL)
        return add_table(library, table, detail);
    status = check_same(library->slots[slot - 1].table, table, detail);
    table_close(table);
    return status;
}

enum dame_status library_create(const char *variant, const struct codec *codec, uint64_t cache_bytes,
                                struct library **out)
{
    const struct kernel *kernel = kernel_find(variant);
    if (kernel == NULL)
        return DAME_BAD_ARGUMENT;
    struct files *files;
    enum dame_status status = files_create(files_limit(), &files);
    if (status == DAME_OK)
        status = create(kernel, codec, cache_bytes, files, out);
    return status;
}

enum dame_status library_copy(const struct library *library, uint64_t cache_bytes, struct library **out)
{
    struct library *copy;
    enum dame_status status =
        create(library->kernel, &library->codec, cache_bytes, files_share(library->files), &copy);
    for (int i = 0; i < library->count && status == DAME_OK; i++) {
        assert(library->slots[i].table != NULL);
        status = add_table(copy, table_share(library->slots[i].table), NULL);
        if (status != DAME_OK)
            library_destroy(copy);
    }
    if (status == DAME_OK)
        *out = copy;
    return status;
}

enum dame_status library_add_values(struct library *library, const struct table_header *header,
                                    const uint8_t *packed, char *detail)
{
    struct table_header checked = *header;
    checked.file_size = INT64_MAX; /* there is no file */
    checked.entry_count = checked.block_count;
    if (layout_check(&checked, detail) != DAME_OK ||
        layout_check_slice(&checked, library->kernel->board, detail) != DAME_OK)
        return DAME_BAD_ARGUMENT;
    if (strcmp(checked.variant, library->kernel->rules->id) != 0)
        return detail_fail(detail, DAME_BAD_ARGUMENT, "rule set %s", checked.variant);
    const size_t bytes = layout_value_bytes(&checked);
    if (!layout_values_occur(&checked, packed, bytes))
        return detail_fail(detail, DAME_BAD_ARGUMENT, "impossible value");
    const struct slot sized = {.header = checked};
    uint8_t *copy = aligned_alloc(SUMMARY_LINE_BYTES, (size_t)slot_packed_bytes(&sized));
    if (copy == NULL)
        return DAME_NO_MEMORY;
    const enum dame_status status = add_slot(library, &checked, NULL, NULL, detail);
    if (status != DAME_OK) {
        free(copy);
        return status;
    }
    memcpy(copy, packed, bytes);
    struct slot *slot = &library->slots[library->count - 1];
    slot->is_owned = true;
    slot_set_packed(slot, copy);
    direct_update(library, slot);
    return DAME_OK;
}

const struct kernel *library_kernel(const struct library *library)
{
    return library->kernel;
}

int library_count(const struct library *library)
{
    return library->count;
}

const struct table_header *library_header(const struct library *library, int index)
{
    assert(0 <= index && index < library->count);
    return &library->slots[index].header;
}

const struct table *library_table(const struct library *library, int index)
{
    assert(0 <= index && index < library->count);
    return library->slots[index].table;
}

int library_find(const struct library *library, struct material m, enum metric metric)
{
    if (material_pieces(m) > PIECES_MAX || (unsigned)metric >= METRICS)
        return -1;
    return library->slot_of[metric][m.own_men][m.own_kings][m.other_men][m.other_kings] - 1;
}

bool library_has(const struct library *library, enum metric metric)
{
    return library->has[metric];
}

struct draw_rule library_draw_rule(const struct library *library)
{
    return library->count == 0 ? (struct draw_rule){0} : library->slots[0].header.draw_rule;
}

int library_largest(const struct library *library)
{
    return library->largest;
}

struct cache_statistics library_statistics(const struct library *library)
{
    return cache_statistics(library->cache);
}
