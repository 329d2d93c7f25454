/* All values of one slice as two planes of bits, won and lost for the side to move.

   A plane is cut into blocks, one for each pair of classes. The rows of a block are the arrangements of the
   side that is NOT to move, its columns those of the side to move: that is how the side that moves there
   reads it, with its own pieces fixed and the answer for all arrangements of the other side in one row. */
#ifndef DAME_PLANES_PLANES_H
#define DAME_PLANES_PLANES_H

#include <stdint.h>

#include "planes/blocks.h"
#include "planes/rows.h"
#include "planes/side.h"

enum { PLANE_BLOCKS_MAX = 1 << 24 };

struct planes {
    struct material material;   /* seen by the side to move; set by whoever makes the planes */
    const struct side *rows;    /* the side that waits */
    const struct side *columns; /* the side to move */
    bool with_distance;         /* a byte for every bit of a plane: plies, where it is won or lost */
    /* A block is its won words, its lost words, its distances; bits of impossible placements are zero. */
    struct blocks values;
    struct blocks stored; /* a plane of the positions whose values a file holds; all zero: there is none */
};

/* Without any block, but for those of a work file that is there already. DAME_TOO_LARGE, and what
   blocks_create gives. */
enum dame_status planes_create(const struct blocks_home *home, const struct side *rows,
                               const struct side *columns, bool with_distance, struct planes **out);
void planes_destroy(struct planes *planes, bool remove); /* `remove`: the work file vanishes */

/* Add the plane `stored`, without any block, and take it away again. */
enum dame_status planes_add_stored(struct planes *planes, const struct blocks_home *home);
void planes_drop_stored(struct planes *planes);

/* It belongs to the caller from now on, who destroys it. */
struct blocks planes_give_stored(struct planes *planes);

/* Bytes that planes_create would take for sides of these shapes if all blocks are in memory. DAME_TOO_LARGE
   if that does not fit. */
enum dame_status planes_bytes(const struct side_shape *rows, const struct side_shape *columns,
                              bool with_distance, uint64_t *bytes);

static inline bool planes_has_stored(const struct planes *planes)
{
    return planes->stored.count > 0;
}

static inline uint32_t planes_block(const struct planes *planes, uint32_t row_class, uint32_t column_class)
{
    return row_class * planes->columns->class_count + column_class;
}

static inline size_t planes_row_words(const struct planes *planes, uint32_t column_class)
{
    return row_words(planes->columns->columns[column_class].width);
}

/* What is known from some word of a block on. */
struct plane_rows {
    uint64_t *won, *lost;
    uint8_t *distance; /* NULL without distances */
};

static inline struct plane_rows planes_words(const struct planes *planes, uint32_t block, size_t first)
{
    uint64_t *at = blocks_at(&planes->values, block);
    const size_t words = planes->values.blocks[block].words;
    return (struct plane_rows){.won = at + first,
                               .lost = at + words + first,
                               .distance =
                                   planes->with_distance ? (uint8_t *)(at + 2 * words) + 64 * first : NULL};
}

/* The same from one of its rows on. */
static inline struct plane_rows planes_rows(const struct planes *planes, uint32_t row_class,
                                            uint32_t column_class, uint64_t row)
{
    return planes_words(planes, planes_block(planes, row_class, column_class),
                        (size_t)row * planes_row_words(planes, column_class));
}

#endif
