/* The placement of an index. */
#ifndef DAME_PROBE_PLACEMENT_H
#define DAME_PROBE_PLACEMENT_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"
#include "kernel/kernel.h"
#include "slices/index.h"

/* False if two pieces share a square: such an index has no value. */
static inline bool placement_at(const struct index_shape *shape, const struct index_sets *sets,
                                struct material material, uint64_t index, struct position *out)
{
    assert(index < shape->size);
    uint64_t set[PIECE_SETS];
    for (int piece_set = 0; piece_set < PIECE_SETS; piece_set++)
        set[piece_set] = sets->of[piece_set][index_rank(shape, (enum piece_set)piece_set, index)];
    *out = (struct position){
        .own_men = set[OWN_MEN],
        .own_kings = set[OWN_KINGS],
        .other_men = set[OTHER_MEN],
        .other_kings = set[OTHER_KINGS],
    };
    return bit_count(set[OWN_MEN] | set[OWN_KINGS] | set[OTHER_MEN] | set[OTHER_KINGS]) ==
           material_pieces(material);
}

#endif
