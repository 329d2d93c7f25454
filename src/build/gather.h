/* Win, draw and loss from the planes of a slice into the order of its file, many values at a time.

   The bits of a row of the planes are the sets of one piece set, with all others fixed: kings of the side to
   move, or its men if it has no kings. Let us call it the piece set ACROSS. Where that is the fastest piece
   set of the file, a line of the file is a row with its bits in another order. Otherwise rows are fetched in
   the order of all faster piece sets, and transposed: lines are the columns of a matrix. If few values of a
   large matrix are asked for, bits are taken one by one. */
#ifndef DAME_BUILD_GATHER_H
#define DAME_BUILD_GATHER_H

#include "build/places.h"

static inline enum piece_set gatherer_across(const struct index_shape *shape)
{
    return shape->sets[OWN_KINGS] > 1 ? OWN_KINGS : OWN_MEN;
}

struct gatherer {
    const struct places *places;
    enum piece_set order[PIECE_SETS]; /* index_by_speed */
    enum piece_set across;
    int depth;               /* how many piece sets are faster than the one across */
    uint64_t rows;           /* their sets together */
    uint64_t words;          /* gatherer_words */
    uint32_t *column;        /* [rank of the set across] its bit in a row */
    uint32_t width;          /* bits of a row */
    uint64_t (*spread)[256]; /* NULL, or [byte of a row][its bits] -> the same as pairs, by rank */
};

/* Words of the planes that are fetched for one matrix, about: what takes long if few values are asked for. */
uint64_t gatherer_words(const struct index_shape *shape);

/* `places` must live as long. DAME_NO_MEMORY. Free with gatherer_destroy. */
enum dame_status gatherer_create(const struct places *places, struct gatherer *out);
void gatherer_destroy(struct gatherer *gatherer); /* all zero is allowed */

/* Values from number `first` on, packed as in tables/values.h; CODER_FREE where no value is stored. `packed`
   has room for CODER_SLACK bytes more, which are written as well. The planes need their plane `stored`.
   DAME_NO_MEMORY, and what blocks_pin gives. */
enum dame_status gather(const struct gatherer *gatherer, uint64_t first, size_t count, uint8_t *packed);

#endif
