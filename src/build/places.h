/* From the order of a table file (slices/index.h) to the bits of the planes: a walk through a part of the
   file that knows where every value stands. */
#ifndef DAME_BUILD_PLACES_H
#define DAME_BUILD_PLACES_H

#include "planes/planes.h"
#include "slices/index.h"

/* A bit of a plane: its block, and its number in there. */
enum { PLANE_BIT_SHIFT = 40 };

static inline uint64_t plane_bit(uint32_t block, uint64_t number)
{
    return (uint64_t)block << PLANE_BIT_SHIFT | number;
}

static inline uint32_t plane_bit_block(uint64_t bit)
{
    return (uint32_t)(bit >> PLANE_BIT_SHIFT);
}

static inline uint64_t plane_bit_number(uint64_t bit)
{
    return bit & bits_below(PLANE_BIT_SHIFT);
}

/* For every rank in the file, where its set stands in the planes. */
struct places {
    const struct planes *planes;
    struct index_shape shape;
    uint32_t *class_of[2];        /* OTHER_MEN: row class, OWN_MEN: column class */
    uint64_t *row_words;          /* of each column class */
    uint64_t *inside[PIECE_SETS]; /* OTHER_MEN: rows, OWN_MEN: bits before; kings: the plain rank */
};

/* DAME_NO_MEMORY, DAME_BAD_ARGUMENT: no such nesting. Free with places_destroy. */
enum dame_status places_create(const struct ordering *ordering, const struct planes *planes, int nesting,
                               struct places *out);
void places_destroy(struct places *places);

/* The bit of each value from number `first` on: `count` numbers into `bits`. */
void places_find(const struct places *places, uint64_t first, size_t count, uint64_t *bits);

#endif
