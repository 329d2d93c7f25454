/* The number of a position inside its slice: the order in which a table file holds its values.

       index = the sum over the four piece sets of  rank * stride of the piece set

   Sets are ranked as ordering.h says, those of the side to move as it sees the board (it moves down), those
   of the other side on the board turned by 180 degrees, so that either side's men are ranked on the squares
   that they move over. The strides say which piece set varies slowest and which fastest: one of 24 nestings.
   Placements in which pieces share a square have an index but no value. */
#ifndef DAME_SLICES_INDEX_H
#define DAME_SLICES_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "boards/board.h"
#include "slices/material.h"
#include "slices/ordering.h"

enum piece_set { OTHER_MEN, OWN_MEN, OTHER_KINGS, OWN_KINGS, PIECE_SETS };

static inline bool piece_set_is_men(enum piece_set piece_set)
{
    return piece_set == OTHER_MEN || piece_set == OWN_MEN;
}

static inline bool piece_set_is_other(enum piece_set piece_set)
{
    return piece_set == OTHER_MEN || piece_set == OTHER_KINGS;
}

enum { NESTINGS = 24 };

/* The piece sets from the slowest to the fastest; nesting 0 is the order of `enum piece_set`, the others
   follow in lexicographic order. */
extern const uint8_t NESTING[NESTINGS][PIECE_SETS];

struct index_shape {
    uint64_t sets[PIECE_SETS]; /* sets of squares it can be */
    uint64_t stride[PIECE_SETS];
    uint64_t size; /* the product of `sets` */
    uint8_t nesting;
};

/* DAME_TOO_LARGE if the size does not fit, DAME_BAD_ARGUMENT if there is no such nesting. */
enum dame_status index_shape(const struct board *board, struct material m, int nesting,
                             struct index_shape *out);

/* The smallest nesting with the same indices: piece sets that can be one set only may stand anywhere. */
int index_same_nesting(const struct index_shape *shape);

/* The piece sets from the fastest to the slowest; those that can be one set only come last. Returns the
   number of the others. */
int index_by_speed(const struct index_shape *shape, enum piece_set out[PIECE_SETS]);

static inline uint64_t index_of_ranks(const struct index_shape *shape, const uint64_t ranks[PIECE_SETS])
{
    return ranks[OTHER_MEN] * shape->stride[OTHER_MEN] + ranks[OWN_MEN] * shape->stride[OWN_MEN] +
           ranks[OTHER_KINGS] * shape->stride[OTHER_KINGS] + ranks[OWN_KINGS] * shape->stride[OWN_KINGS];
}

static inline uint64_t index_rank(const struct index_shape *shape, enum piece_set piece_set, uint64_t index)
{
    return index / shape->stride[piece_set] % shape->sets[piece_set];
}

/* How many pieces a piece set has, and how its sets are counted. */
int index_pieces(struct material m, enum piece_set piece_set);
const struct set_order *index_order(const struct ordering *ordering, enum piece_set piece_set);

/* The ranks of four bitboards as in `struct position`, seen by the side to move, which moves down; and how
   many pieces each piece set has. */
static inline struct material index_ranks(int squares, const struct ordering *ordering, uint64_t own_men,
                                          uint64_t own_kings, uint64_t other_men, uint64_t other_kings,
                                          uint64_t ranks[PIECE_SETS])
{
    struct material m;
    ranks[OTHER_MEN] = ordering_rank(&ordering->men, bits_reverse(other_men, squares), &m.other_men);
    ranks[OWN_MEN] = ordering_rank(&ordering->men, own_men, &m.own_men);
    ranks[OTHER_KINGS] = ordering_rank(&ordering->kings, bits_reverse(other_kings, squares), &m.other_kings);
    ranks[OWN_KINGS] = ordering_rank(&ordering->kings, own_kings, &m.own_kings);
    return m;
}

/* All sets of the four piece sets in the order of their ranks, as they stand on the board of the side to
   move. */
struct index_sets {
    const uint64_t *of[PIECE_SETS];
};

/* DAME_NO_MEMORY. Free with index_sets_destroy. */
enum dame_status index_sets_create(const struct board *board, const struct ordering *ordering,
                                   struct material m, const struct index_shape *shape,
                                   struct index_sets *out);
void index_sets_destroy(struct index_sets *sets);

#endif
