#include "planes/planes.h"

#include <stdlib.h>

/* One word more than the blocks need, so that reading two words at the end of the last row stays inside. */
enum { SPARE_WORDS = 1 };

/* Two planes, and the distances. */
static uint64_t plane_bytes(uint64_t words, bool with_distance)
{
    return 2 * sizeof(uint64_t) * words + (with_distance ? 64 * words : 0);
}

enum dame_status planes_bytes(const struct side_shape *rows, const struct side_shape *columns,
                              bool with_distance, uint64_t *bytes)
{
    uint64_t words, blocks;
    if (__builtin_mul_overflow(rows->arrangements, columns->column_words, &words) ||
        __builtin_mul_overflow(rows->classes, columns->classes, &blocks) || words > UINT64_MAX / 128 ||
        blocks > UINT64_MAX / 32)
        return DAME_TOO_LARGE;
    *bytes = plane_bytes(words + SPARE_WORDS, with_distance) + sizeof(size_t) * blocks;
    return DAME_OK;
}

/* Lay the blocks one after the other. */
static void place_blocks(struct planes *planes)
{
    const struct side *rows = planes->rows, *columns = planes->columns;
    for (uint32_t r = 0; r < rows->class_count; r++)
        for (uint32_t c = 0; c < columns->class_count; c++) {
            planes->offset[(size_t)r * columns->class_count + c] = planes->words;
            planes->words += (size_t)side_width(rows, r) * row_words(side_width(columns, c));
        }
}

enum dame_status planes_create(const struct side *rows, const struct side *columns, bool with_distance,
                               const char *directory, struct planes **out)
{
    struct planes *planes = calloc(1, sizeof *planes);
    if (planes == NULL)
        return DAME_NO_MEMORY;
    planes->rows = rows;
    planes->columns = columns;
    struct side_shape shapes[2];
    uint64_t bytes;
    enum dame_status status = side_shape(rows->board, rows->men, rows->kings, rows->whole, &shapes[0]);
    if (status == DAME_OK)
        status = side_shape(columns->board, columns->men, columns->kings, columns->whole, &shapes[1]);
    if (status == DAME_OK)
        status = planes_bytes(&shapes[0], &shapes[1], with_distance, &bytes);
    if (status != DAME_OK || bytes > SIZE_MAX / 2) {
        free(planes);
        return status == DAME_OK ? DAME_TOO_LARGE : status;
    }
    planes->offset = calloc((size_t)rows->class_count * columns->class_count, sizeof *planes->offset);
    if (planes->offset == NULL)
        status = DAME_NO_MEMORY;
    if (status == DAME_OK) {
        place_blocks(planes);
        size_t words = planes->words + SPARE_WORDS;
        status = memory_create((size_t)plane_bytes(words, with_distance), directory, &planes->memory);
        planes->won = planes->memory.at;
        planes->lost = status == DAME_OK ? planes->won + words : NULL;
        if (status == DAME_OK && with_distance)
            planes->distance = (uint8_t *)(planes->lost + words);
    }
    if (status != DAME_OK) {
        planes_destroy(planes);
        return status;
    }
    *out = planes;
    return DAME_OK;
}

void planes_destroy(struct planes *planes)
{
    if (planes == NULL)
        return;
    planes_drop_stored(planes);
    free(planes->offset);
    memory_destroy(&planes->memory);
    free(planes);
}

enum dame_status planes_add_stored(struct planes *planes, const char *directory)
{
    planes_drop_stored(planes);
    enum dame_status status =
        memory_create((planes->words + SPARE_WORDS) * sizeof(uint64_t), directory, &planes->stored_memory);
    planes->stored = status == DAME_OK ? planes->stored_memory.at : NULL;
    return status;
}

void planes_drop_stored(struct planes *planes)
{
    memory_destroy(&planes->stored_memory);
    planes->stored_memory = (struct memory){0};
    planes->stored = NULL;
}
