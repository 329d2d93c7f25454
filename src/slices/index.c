#include "slices/index.h"

#include <assert.h>

#include "base/bits.h"
#include "slices/binomial.h"

enum dame_status index_shape(const struct board *board, struct material m, struct index_shape *out)
{
    if (material_pieces(m) > PIECES_MAX)
        return DAME_TOO_LARGE;
    struct index_shape shape = {
        .own_men = binomial(board->men_squares, m.own_men),
        .own_kings = binomial(board->squares, m.own_kings),
        .other_men = binomial(board->men_squares, m.other_men),
        .other_kings = binomial(board->squares, m.other_kings),
    };
    if (__builtin_mul_overflow(shape.own_men, shape.own_kings, &shape.size) ||
        __builtin_mul_overflow(shape.size, shape.other_men, &shape.size) ||
        __builtin_mul_overflow(shape.size, shape.other_kings, &shape.size) || shape.size > INT64_MAX)
        return DAME_TOO_LARGE;
    *out = shape;
    return DAME_OK;
}

uint64_t index_of(const struct board *board, const struct index_shape *shape, uint64_t own_men,
                  uint64_t own_kings, uint64_t other_men, uint64_t other_kings)
{
    uint64_t x = subset_rank(bits_reverse(other_men, board->squares));
    uint64_t y = subset_rank(bits_reverse(other_kings, board->squares));
    uint64_t index =
        ((x * shape->own_men + subset_rank(own_men)) * shape->other_kings + y) * shape->own_kings +
        subset_rank(own_kings);
    assert(index < shape->size);
    return index;
}
