/* The number of a position inside its slice: the order in which a table file holds its values.

       index = the sum over the four kinds of pieces of  rank of its set * stride of the kind

   Sets are ranked as ordering.h says, those of the side to move as it sees the board (it moves down), those
   of the other side on the board turned by 180 degrees, so that either side's men are ranked on the squares
   that they move over. The strides say which kind varies slowest and which fastest: one of 24 nestings.
   Placements in which pieces share a square have an index but no value. */
#ifndef DAME_SLICES_INDEX_H
#define DAME_SLICES_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "boards/board.h"
#include "slices/material.h"
#include "slices/ordering.h"

enum kind { OTHER_MEN, OWN_MEN, OTHER_KINGS, OWN_KINGS, KINDS };

static inline bool kind_is_men(enum kind kind)
{
    return kind == OTHER_MEN || kind == OWN_MEN;
}

static inline bool kind_is_other(enum kind kind)
{
    return kind == OTHER_MEN || kind == OTHER_KINGS;
}

enum { NESTINGS = 24 };

/* The kinds from the slowest to the fastest; nesting 0 is the order of `enum kind`, the others follow in
 * lexicographic order. */
extern const uint8_t NESTING[NESTINGS][KINDS];

struct index_shape {
    uint64_t sets[KINDS]; /* how many sets each kind can form */
    uint64_t stride[KINDS];
    uint64_t size; /* the product of `sets` */
    uint8_t nesting;
};

/* DAME_TOO_LARGE if the size does not fit, DAME_BAD_ARGUMENT if there is no such nesting. */
enum dame_status index_shape(const struct board *board, struct material m, int nesting,
                             struct index_shape *out);

/* The smallest nesting with the same indices: kinds that form one set only may stand anywhere. */
int index_same_nesting(const struct index_shape *shape);

static inline uint64_t index_of_ranks(const struct index_shape *shape, const uint64_t ranks[KINDS])
{
    return ranks[OTHER_MEN] * shape->stride[OTHER_MEN] + ranks[OWN_MEN] * shape->stride[OWN_MEN] +
           ranks[OTHER_KINGS] * shape->stride[OTHER_KINGS] + ranks[OWN_KINGS] * shape->stride[OWN_KINGS];
}

static inline uint64_t index_rank(const struct index_shape *shape, enum kind kind, uint64_t index)
{
    return index / shape->stride[kind] % shape->sets[kind];
}

/* How many pieces of a kind there are, and how its sets are counted. */
int index_pieces(struct material m, enum kind kind);
const struct set_order *index_order(const struct ordering *ordering, enum kind kind);

/* The ranks of four bitboards as in `struct position`, seen by the side to move, which moves down; and how
   many pieces each kind has. */
static inline struct material index_ranks(int squares, const struct ordering *ordering, uint64_t own_men,
                                          uint64_t own_kings, uint64_t other_men, uint64_t other_kings,
                                          uint64_t ranks[KINDS])
{
    struct material m;
    ranks[OTHER_MEN] = ordering_rank(&ordering->men, bits_reverse(other_men, squares), &m.other_men);
    ranks[OWN_MEN] = ordering_rank(&ordering->men, own_men, &m.own_men);
    ranks[OTHER_KINGS] = ordering_rank(&ordering->kings, bits_reverse(other_kings, squares), &m.other_kings);
    ranks[OWN_KINGS] = ordering_rank(&ordering->kings, own_kings, &m.own_kings);
    return m;
}

/* All sets of the four kinds in the order of their ranks, as they stand on the board of the side to move. */
struct index_sets {
    const uint64_t *of[KINDS];
};

/* DAME_NO_MEMORY. Free with index_sets_destroy. */
enum dame_status index_sets_create(const struct board *board, const struct ordering *ordering,
                                   struct material m, const struct index_shape *shape,
                                   struct index_sets *out);
void index_sets_destroy(struct index_sets *sets);

#endif
