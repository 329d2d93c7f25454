#include "slices/index.h"

#include <assert.h>
#include <stdlib.h>

#include "base/bits.h"
#include "slices/binomial.h"

#define NEST(a, b, c)        {a, b, c, 6 - (a) - (b) - (c)}
#define NEST_TWO(a, b, c, d) NEST(a, b, c), NEST(a, b, d)
#define NEST_SIX(a, b, c, d) NEST_TWO(a, b, c, d), NEST_TWO(a, c, b, d), NEST_TWO(a, d, b, c)

const uint8_t NESTING[NESTINGS][PIECE_SETS] = {
    NEST_SIX(0, 1, 2, 3),
    NEST_SIX(1, 0, 2, 3),
    NEST_SIX(2, 0, 1, 3),
    NEST_SIX(3, 0, 1, 2),
};

int index_pieces(struct material m, enum piece_set piece_set)
{
    const int pieces[PIECE_SETS] = {m.other_men, m.own_men, m.other_kings, m.own_kings};
    return pieces[piece_set];
}

const struct set_order *index_order(const struct ordering *ordering, enum piece_set piece_set)
{
    return piece_set_is_men(piece_set) ? &ordering->men : &ordering->kings;
}

enum dame_status index_shape(const struct board *board, struct material m, int nesting,
                             struct index_shape *out)
{
    if (nesting < 0 || nesting >= NESTINGS)
        return DAME_BAD_ARGUMENT;
    if (material_pieces(m) > PIECES_MAX)
        return DAME_TOO_LARGE;
    struct index_shape shape = {.size = 1, .nesting = (uint8_t)nesting};
    for (int i = PIECE_SETS - 1; i >= 0; i--) {
        const enum piece_set piece_set = NESTING[nesting][i];
        const int squares = piece_set_is_men(piece_set) ? board->men_squares : board->squares;
        shape.sets[piece_set] = binomial(squares, index_pieces(m, piece_set));
        shape.stride[piece_set] = shape.size;
        if (__builtin_mul_overflow(shape.size, shape.sets[piece_set], &shape.size) || shape.size > INT64_MAX)
            return DAME_TOO_LARGE;
    }
    *out = shape;
    return DAME_OK;
}

int index_same_nesting(const struct index_shape *shape)
{
    for (int nesting = 0;; nesting++) {
        uint64_t stride = 1;
        bool same = true;
        for (int i = PIECE_SETS - 1; i >= 0; i--) {
            const enum piece_set piece_set = NESTING[nesting][i];
            same &= shape->sets[piece_set] == 1 || shape->stride[piece_set] == stride;
            stride *= shape->sets[piece_set];
        }
        if (same)
            return nesting;
    }
}

int index_by_speed(const struct index_shape *shape, enum piece_set out[PIECE_SETS])
{
    int count = 0, many = 0;
    for (int single = 0; single < 2; single++) {
        for (int i = PIECE_SETS - 1; i >= 0; i--) {
            const enum piece_set piece_set = (enum piece_set)NESTING[shape->nesting][i];
            if ((shape->sets[piece_set] == 1) == single)
                out[count++] = piece_set;
        }
        if (!single)
            many = count;
    }
    return many;
}

static enum dame_status list_sets(const struct board *board, const struct ordering *ordering,
                                  struct material m, const struct index_shape *shape,
                                  enum piece_set piece_set, const uint64_t **out)
{
    const struct set_order *order = index_order(ordering, piece_set);
    const int pieces = index_pieces(m, piece_set);
    uint64_t *sets = malloc((size_t)shape->sets[piece_set] * sizeof *sets);
    if (sets == NULL)
        return DAME_NO_MEMORY;
    uint64_t set = bits_below(pieces);
    for (uint64_t i = 0; i < shape->sets[piece_set]; i++) {
        uint8_t size;
        sets[ordering_rank(order, set, &size)] =
            piece_set_is_other(piece_set) ? bits_reverse(set, board->squares) : set;
        if (i + 1 < shape->sets[piece_set])
            set = subset_next(set);
    }
    *out = sets;
    return DAME_OK;
}

enum dame_status index_sets_create(const struct board *board, const struct ordering *ordering,
                                   struct material m, const struct index_shape *shape, struct index_sets *out)
{
    struct index_sets sets = {{NULL}};
    enum dame_status status = DAME_OK;
    for (int piece_set = 0; piece_set < PIECE_SETS && status == DAME_OK; piece_set++)
        status = list_sets(board, ordering, m, shape, (enum piece_set)piece_set, &sets.of[piece_set]);
    if (status != DAME_OK) {
        index_sets_destroy(&sets);
        return status;
    }
    *out = sets;
    return DAME_OK;
}

void index_sets_destroy(struct index_sets *sets)
{
    for (int piece_set = 0; piece_set < PIECE_SETS; piece_set++)
        free((void *)(uintptr_t)sets->of[piece_set]);
}
