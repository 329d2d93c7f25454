#include "slices/index.h"

#include <assert.h>
#include <stdlib.h>

#include "base/bits.h"
#include "slices/binomial.h"

#define NEST(a, b, c)        {a, b, c, 6 - (a) - (b) - (c)}
#define NEST_TWO(a, b, c, d) NEST(a, b, c), NEST(a, b, d)
#define NEST_SIX(a, b, c, d) NEST_TWO(a, b, c, d), NEST_TWO(a, c, b, d), NEST_TWO(a, d, b, c)

const uint8_t NESTING[NESTINGS][KINDS] = {
    NEST_SIX(0, 1, 2, 3),
    NEST_SIX(1, 0, 2, 3),
    NEST_SIX(2, 0, 1, 3),
    NEST_SIX(3, 0, 1, 2),
};

int index_pieces(struct material m, enum kind kind)
{
    const int pieces[KINDS] = {m.other_men, m.own_men, m.other_kings, m.own_kings};
    return pieces[kind];
}

const struct set_order *index_order(const struct ordering *ordering, enum kind kind)
{
    return kind_is_men(kind) ? &ordering->men : &ordering->kings;
}

enum dame_status index_shape(const struct board *board, struct material m, int nesting,
                             struct index_shape *out)
{
    if (nesting < 0 || nesting >= NESTINGS)
        return DAME_BAD_ARGUMENT;
    if (material_pieces(m) > PIECES_MAX)
        return DAME_TOO_LARGE;
    struct index_shape shape = {.size = 1, .nesting = (uint8_t)nesting};
    for (int i = KINDS - 1; i >= 0; i--) {
        const enum kind kind = NESTING[nesting][i];
        const int squares = kind_is_men(kind) ? board->men_squares : board->squares;
        shape.sets[kind] = binomial(squares, index_pieces(m, kind));
        shape.stride[kind] = shape.size;
        if (__builtin_mul_overflow(shape.size, shape.sets[kind], &shape.size) || shape.size > INT64_MAX)
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
        for (int i = KINDS - 1; i >= 0; i--) {
            const enum kind kind = NESTING[nesting][i];
            same &= shape->sets[kind] == 1 || shape->stride[kind] == stride;
            stride *= shape->sets[kind];
        }
        if (same)
            return nesting;
    }
}

static enum dame_status list_sets(const struct board *board, const struct ordering *ordering,
                                  struct material m, const struct index_shape *shape, enum kind kind,
                                  const uint64_t **out)
{
    const struct set_order *order = index_order(ordering, kind);
    const int pieces = index_pieces(m, kind);
    uint64_t *sets = malloc((size_t)shape->sets[kind] * sizeof *sets);
    if (sets == NULL)
        return DAME_NO_MEMORY;
    uint64_t set = bits_below(pieces);
    for (uint64_t i = 0; i < shape->sets[kind]; i++) {
        uint8_t size;
        sets[ordering_rank(order, set, &size)] =
            kind_is_other(kind) ? bits_reverse(set, board->squares) : set;
        if (i + 1 < shape->sets[kind])
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
    for (int kind = 0; kind < KINDS && status == DAME_OK; kind++)
        status = list_sets(board, ordering, m, shape, (enum kind)kind, &sets.of[kind]);
    if (status != DAME_OK) {
        index_sets_destroy(&sets);
        return status;
    }
    *out = sets;
    return DAME_OK;
}

void index_sets_destroy(struct index_sets *sets)
{
    for (int kind = 0; kind < KINDS; kind++)
        free((void *)(uintptr_t)sets->of[kind]);
}
