/* All values of one slice as two planes of bits, won and lost for the side to move.

   A plane is cut into blocks, one for each pair of classes. The rows of a block are the arrangements of the
   side that is NOT to move, its columns those of the side to move: that is how the side that moves there
   reads it, with its own pieces fixed and the answer for all arrangements of the other side in one row. */
#ifndef DAME_PLANES_PLANES_H
#define DAME_PLANES_PLANES_H

#include <stdint.h>

#include "base/memory.h"
#include "planes/rows.h"
#include "planes/side.h"

struct planes {
    struct material material;   /* seen by the side to move; set by whoever makes the planes */
    const struct side *rows;    /* the side that waits */
    const struct side *columns; /* the side to move */
    size_t *offset;             /* [row class * column classes + column class] first word of the block */
    size_t words;               /* in each plane */
    uint64_t *won, *lost;       /* for the side to move; bits of impossible placements are zero */
    uint8_t *distance;          /* NULL, or a byte for every bit of a plane: plies, where it is won or lost */
    struct memory memory;       /* what they point into */
    uint64_t *stored;           /* NULL, or a plane of the positions whose values a file holds */
    struct memory stored_memory;
};

/* All zero; in a file in `directory` unless that is NULL (base/memory.h). */
enum dame_status planes_create(const struct side *rows, const struct side *columns, bool with_distance,
                               const char *directory, struct planes **out);
void planes_destroy(struct planes *planes);

/* Add the plane `stored`, all zero, and take it away again. */
enum dame_status planes_add_stored(struct planes *planes, const char *directory);
void planes_drop_stored(struct planes *planes);

/* Bytes that planes_create would take for sides of these shapes. DAME_TOO_LARGE if that does not fit. */
enum dame_status planes_bytes(const struct side_shape *rows, const struct side_shape *columns,
                              bool with_distance, uint64_t *bytes);

static inline size_t planes_row_words(const struct planes *planes, uint32_t column_class)
{
    return row_words(planes->columns->columns[column_class].width);
}

/* First word of row `row` in the block of two classes. */
static inline size_t planes_at(const struct planes *planes, uint32_t row_class, uint32_t column_class,
                               uint64_t row)
{
    size_t block = planes->offset[(size_t)row_class * planes->columns->class_count + column_class];
    return block + (size_t)row * planes_row_words(planes, column_class);
}

/* What is known from one row of a block on. */
struct plane_rows {
    uint64_t *won, *lost;
    uint8_t *distance; /* NULL without distances */
};

static inline struct plane_rows planes_rows(const struct planes *planes, uint32_t row_class,
                                            uint32_t column_class, uint64_t row)
{
    const size_t at = planes_at(planes, row_class, column_class, row);
    return (struct plane_rows){.won = planes->won + at,
                               .lost = planes->lost + at,
                               .distance = planes->distance == NULL ? NULL : planes->distance + 64 * at};
}

/* The words of a block in each plane. */
static inline size_t planes_block_words(const struct planes *planes, uint32_t row_class,
                                        uint32_t column_class)
{
    return (size_t)side_width(planes->rows, row_class) * planes_row_words(planes, column_class);
}

#endif
