#include "planes/planes.h"

#include <stdlib.h>

/* Bytes for each word of a plane: won and lost, and the distances of its bits. */
static size_t word_bytes(bool with_distance)
{
    return 2 * sizeof(uint64_t) + (with_distance ? 64 : 0);
}

enum dame_status planes_bytes(const struct side_shape *rows, const struct side_shape *columns,
                              bool with_distance, uint64_t *bytes)
{
    uint64_t words, blocks;
    if (__builtin_mul_overflow(rows->arrangements, columns->column_words, &words) ||
        __builtin_mul_overflow(rows->classes, columns->classes, &blocks) || words > UINT64_MAX / 128 ||
        blocks > PLANE_BLOCKS_MAX)
        return DAME_TOO_LARGE;
    *bytes = word_bytes(with_distance) * words + blocks * (sizeof(struct block) + SHELF_BLOCK_BYTES);
    return DAME_OK;
}

static enum dame_status lay_blocks(const struct planes *planes, const struct blocks_home *home, int each,
                                   bool distances, struct blocks *out)
{
    const uint32_t columns = planes->columns->class_count, count = planes->rows->class_count * columns;
    struct block_plan *plans = malloc(count * sizeof *plans);
    if (plans == NULL)
        return DAME_NO_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        plans[i].row_words = planes_row_words(planes, i % columns);
        plans[i].words = (size_t)side_width(planes->rows, i / columns) * plans[i].row_words;
    }
    const enum dame_status status = blocks_create(home, count, plans, each, distances, out);
    free(plans);
    return status;
}

enum dame_status planes_create(const struct blocks_home *home, const struct side *rows,
                               const struct side *columns, bool with_distance, struct planes **out)
{
    if ((uint64_t)rows->class_count * columns->class_count > PLANE_BLOCKS_MAX)
        return DAME_TOO_LARGE;
    struct planes *planes = calloc(1, sizeof *planes);
    if (planes == NULL)
        return DAME_NO_MEMORY;
    planes->rows = rows;
    planes->columns = columns;
    planes->with_distance = with_distance;
    const enum dame_status status = lay_blocks(planes, home, 2, with_distance, &planes->values);
    if (status != DAME_OK) {
        free(planes);
        return status;
    }
    *out = planes;
    return DAME_OK;
}

void planes_destroy(struct planes *planes, bool remove)
{
    if (planes == NULL)
        return;
    planes_drop_stored(planes);
    blocks_destroy(&planes->values, remove);
    free(planes);
}

enum dame_status planes_add_stored(struct planes *planes, const struct blocks_home *home)
{
    planes_drop_stored(planes);
    return lay_blocks(planes, home, 1, false, &planes->stored);
}

struct blocks planes_give_stored(struct planes *planes)
{
    const struct blocks stored = planes->stored;
    planes->stored = (struct blocks){0};
    return stored;
}

void planes_drop_stored(struct planes *planes)
{
    blocks_destroy(&planes->stored, true);
}
