/* Ranks of sets of at most four squares of a board of 32, the same as those of ordering.h with a third of the
   instructions: endgames of few pieces have hardly any others.

   The squares of a set from the lowest on give its number by one look-up each, and one more turns that into
   the rank. There is nothing to count, to turn or to branch on. The number is the colex rank among all sets
   of four squares, then of three, two, one and none: as if squares that are missing were number 32.

   Sets stand on the board as it lies for one side, which moves down. Those of the other side are turned
   before they are ranked (index.h), which the ranks of its kinds include. */
#ifndef DAME_SLICES_SMALL_SETS_H
#define DAME_SLICES_SMALL_SETS_H

#include "slices/index.h"

enum {
    SMALL_SET = 4,         /* squares */
    SMALL_BOARD = 32,      /* squares */
    SMALL_ROW = 4,         /* squares of a row */
    SMALL_NUMBERS = 41449, /* C(32, 4) + C(32, 3) + C(32, 2) + 32 + 1 */
    SMALL_MATERIALS = (SMALL_SET + 1) * (SMALL_SET + 1) * (SMALL_SET + 1) * (SMALL_SET + 1)
};

/* What a piece adds to the number of a material, which tells how many pieces of each kind there are. */
static const uint32_t SMALL_PIECE[KINDS] = {
    [OTHER_MEN] = 1, [OWN_MEN] = 5, [OTHER_KINGS] = 25, [OWN_KINGS] = 125};

/* Numbers of sets have 16 bits, four of them added up 18. */
enum { SMALL_MATERIAL_SHIFT = 18 };

struct small_sets {
    /* [kind][i][square]: what the i-th square of a set, 32 and more for none, adds to the number of the set,
       and from bit SMALL_MATERIAL_SHIFT on to that of the material. */
    uint32_t part[KINDS][SMALL_SET][SMALL_BOARD + SMALL_SET];
    uint16_t rank[KINDS][SMALL_NUMBERS];
};

/* NULL in *out if it is another board. DAME_NO_MEMORY. */
enum dame_status small_sets_create(const struct board *board, const struct ordering *ordering,
                                   struct small_sets **out);

/* The number of a set, and above it what it adds to that of the material. *rest has squares of the board if
   the set has more than SMALL_SET; there is no number then. `lowest` is bit_lowest in the quickest way there
   is. */
static inline __attribute__((always_inline)) uint32_t small_set_number(const struct small_sets *sets,
                                                                       enum kind kind, uint64_t set,
                                                                       uint64_t *rest,
                                                                       uint64_t (*lowest)(uint64_t))
{
    uint32_t number = 0;
    set |= bits_below(SMALL_SET) << SMALL_BOARD;
    for (int i = 0; i < SMALL_SET; i++, set &= set - 1)
        number += sets->part[kind][i][lowest(set)];
    *rest = set;
    return number;
}

static inline uint64_t small_set_rank(const struct small_sets *sets, enum kind kind, uint32_t number)
{
    return sets->rank[kind][(uint16_t)number];
}

#endif
