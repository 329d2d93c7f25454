/* One half of a unit: the matrices of one side, as its rows see them, and how its values come to the other
   side and into the results. */
#ifndef DAME_KERNEL_ROWS_HALF_H
#define DAME_KERNEL_ROWS_HALF_H

#include <string.h>

#include "kernel/rows/row.h"
#include "planes/transpose.h"

/* The rows of one half, with what stays the same for all of them. */
struct half_view {
    const struct mover *mover;
    const struct columns *columns;
    struct half *half;
    uint64_t rows;
    size_t words;
};

static inline struct half_view view_half(const struct unit *unit, struct unit_memory *memory, int side)
{
    const struct mover *mover = &unit->movers[side];
    const struct columns *columns = &mover->other->columns[mover->other_class];
    return (struct half_view){.mover = mover,
                              .columns = columns,
                              .half = &memory->halves[side],
                              .rows = side_width(mover->own, mover->own_class),
                              .words = row_words(columns->width)};
}

static inline square_set men_of_row(const struct mover *mover, uint64_t row)
{
    uint64_t inside = row / mover->own->king_sets;
    return (square_set)mover->own->men_set[mover->own->class_start[mover->own_class] + inside];
}

static inline square_set kings_of_row(const struct mover *mover, uint64_t row)
{
    return (square_set)mover->own->king_set[row % mover->own->king_sets];
}

static inline struct row row_of(const struct half_view *view, uint64_t number)
{
    return (struct row){.mover = view->mover,
                        .columns = view->columns,
                        .words = view->words,
                        .men = men_of_row(view->mover, number),
                        .kings = kings_of_row(view->mover, number)};
}

/* How many sides have results of their own: one, if both write the same block. */
static inline int unit_sides(const struct unit *unit)
{
    const bool both =
        unit->results[0] != unit->results[1] || unit->movers[0].own_class != unit->movers[1].own_class;
    return both ? 2 : 1;
}

enum { CANCEL_ROWS = 256 };

static inline bool is_cancelled(const struct unit *unit)
{
    return unit->cancel != NULL && atomic_load_explicit(unit->cancel, memory_order_relaxed);
}

/* Transpose 64 rows of one matrix into a column of words; rows of `to` that change become stale. */
static inline void transpose_strip(const uint64_t *from, size_t words, uint64_t *to, size_t to_words,
                                   size_t strip, uint8_t *stale)
{
    from += strip * 64 * words;
    for (size_t j = 0; j < words; j++) {
        uint64_t block[64];
        uint64_t any = 0;
        for (size_t i = 0; i < 64; i++) {
            block[i] = from[i * words + j];
            any |= block[i];
        }
        uint64_t *target = to + j * 64 * to_words + strip;
        if (any == 0) {
            /* Values are never taken back, so only bits of an older unit can stand there: no row of `to`
               becomes stale. */
            for (size_t i = 0; i < 64; i++)
                target[i * to_words] = 0;
            continue;
        }
        transpose_64(block);
        for (size_t i = 0; i < 64; i++) {
            stale[j * 64 + i] |= target[i * to_words] != block[i];
            target[i * to_words] = block[i];
        }
    }
}

/* All rows of won and lost are new: the other half is to see all of them, and none in the padding. */
static inline void change_all(const struct half_view *view)
{
    size_t used = (size_t)view->rows * view->words, all = row_padded(view->rows) * view->words;
    row_clear(view->half->won + used, all - used);
    row_clear(view->half->lost + used, all - used);
    memset(view->half->changed, 1, row_padded(view->rows));
}

/* Show the other half what has changed in this one. */
static inline void show_other(const struct unit *unit, struct unit_memory *memory, int side)
{
    struct half_view view = view_half(unit, memory, side);
    struct half *other = &memory->halves[1 - side];
    size_t to_words = row_words(view.rows);
    for (size_t strip = 0; strip < to_words; strip++) {
        uint8_t *changed = view.half->changed + strip * 64;
        if (memchr(changed, 1, 64) == NULL)
            continue;
        memset(changed, 0, 64);
        transpose_strip(view.half->won, view.words, other->seen_won, to_words, strip, other->stale);
        transpose_strip(view.half->lost, view.words, other->seen_lost, to_words, strip, other->stale);
    }
}

/* The words of a unit's block in each plane of one side, without the padding. */
static inline size_t result_words(const struct unit *unit, int side)
{
    const struct mover *reader = &unit->movers[1 - side];
    return planes_block_words(unit->results[side], reader->own_class, reader->other_class);
}

/* A block of the results: what the other half has been shown. */
static inline void write_block(const struct unit *unit, struct unit_memory *memory, int side, bool add)
{
    const struct mover *reader = &unit->movers[1 - side];
    const struct half *half = &memory->halves[1 - side];
    const struct plane_rows block =
        planes_rows(unit->results[side], reader->own_class, reader->other_class, 0);
    const size_t words = result_words(unit, side);
    if (add) {
        row_or_into(block.won, half->seen_won, words);
        row_or_into(block.lost, half->seen_lost, words);
    } else {
        memcpy(block.won, half->seen_won, words * sizeof *block.won);
        memcpy(block.lost, half->seen_lost, words * sizeof *block.lost);
    }
}

#endif
