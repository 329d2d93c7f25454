/* The placement of an index: the inverse of index_of(). */
#ifndef DAME_PROBE_PLACEMENT_H
#define DAME_PROBE_PLACEMENT_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"
#include "kernel/kernel.h"
#include "slices/binomial.h"
#include "slices/index.h"

/* False if two pieces share a square: such an index has no value. */
static inline bool placement_at(const struct board *board, const struct index_shape *shape,
                                struct material material, uint64_t index, struct position *out)
{
    assert(index < shape->size);
    uint64_t rest = index;
    out->own_kings = subset_unrank(rest % shape->own_kings, material.own_kings);
    rest /= shape->own_kings;
    out->other_kings =
        bits_reverse(subset_unrank(rest % shape->other_kings, material.other_kings), board->squares);
    rest /= shape->other_kings;
    out->own_men = subset_unrank(rest % shape->own_men, material.own_men);
    out->other_men = bits_reverse(subset_unrank(rest / shape->own_men, material.other_men), board->squares);
    return bit_count(out->own_men | out->own_kings | out->other_men | out->other_kings) ==
           material_pieces(material);
}

#endif
