#include "slices/small_sets.h"

#include <stdlib.h>

#include "slices/binomial.h"

static void fill_parts(struct small_sets *sets)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < SMALL_SET; i++)
            for (int square = 0; square < SMALL_BOARD + SMALL_SET; square++) {
                const uint32_t piece = square < SMALL_BOARD ? SMALL_PIECE[kind] : 0;
                sets->part[kind][i][square] =
                    (uint32_t)binomial(square < SMALL_BOARD ? square : SMALL_BOARD, i + 1) |
                    piece << SMALL_MATERIAL_SHIFT;
            }
}

static uint64_t lowest(uint64_t bits)
{
    return (uint64_t)bit_lowest(bits);
}

static uint16_t *rank_of(struct small_sets *sets, enum kind kind, uint64_t set)
{
    uint64_t rest;
    return &sets->rank[kind][(uint16_t)small_set_number(sets, kind, set, &rest, lowest)];
}

/* The ranks of one kind of pieces on `squares` squares, for either side. */
static void fill_ranks(struct small_sets *sets, const struct set_order *order, int squares, enum kind own,
                       enum kind other)
{
    for (int pieces = 0; pieces <= SMALL_SET; pieces++) {
        uint64_t set = bits_below(pieces);
        for (uint64_t left = binomial(squares, pieces); left > 0; left--) {
            uint8_t size;
            const uint16_t rank = (uint16_t)ordering_rank(order, set, &size); /* below C(32, 4) */
            *rank_of(sets, own, set) = rank;
            *rank_of(sets, other, bits_reverse(set, SMALL_BOARD)) = rank;
            if (left > 1)
                set = subset_next(set);
        }
    }
}

enum dame_status small_sets_create(const struct board *board, const struct ordering *ordering,
                                   struct small_sets **out)
{
    *out = NULL;
    if (board->squares != SMALL_BOARD || board->columns != SMALL_ROW)
        return DAME_OK;
    struct small_sets *sets = calloc(1, sizeof *sets);
    if (sets == NULL)
        return DAME_NO_MEMORY;
    fill_parts(sets);
    fill_ranks(sets, &ordering->men, board->men_squares, OWN_MEN, OTHER_MEN);
    fill_ranks(sets, &ordering->kings, board->squares, OWN_KINGS, OTHER_KINGS);
    *out = sets;
    return DAME_OK;
}
