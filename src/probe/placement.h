/* The placement of an index: the inverse of index_of(). */
#ifndef DAME_PROBE_PLACEMENT_H
#define DAME_PROBE_PLACEMENT_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"
#include "kernel/kernel.h"
#include "slices/index.h"

/* False if two pieces share a square: such an index has no value. */
static inline bool placement_at(const struct board *board, const struct ordering *ordering,
                                const struct index_shape *shape, struct material material, uint64_t index,
                                struct position *out)
{
    assert(index < shape->size);
    uint64_t sets[KINDS];
    for (int kind = 0; kind < KINDS; kind++)
        sets[kind] =
            ordering_set(index_order(ordering, (enum kind)kind), index_rank(shape, (enum kind)kind, index),
                         index_pieces(material, (enum kind)kind));
    *out = (struct position){
        .own_men = sets[OWN_MEN],
        .own_kings = sets[OWN_KINGS],
        .other_men = bits_reverse(sets[OTHER_MEN], board->squares),
        .other_kings = bits_reverse(sets[OTHER_KINGS], board->squares),
    };
    return bit_count(out->own_men | out->own_kings | out->other_men | out->other_kings) ==
           material_pieces(material);
}

#endif
