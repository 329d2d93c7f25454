/* Ranks of sets of at most four squares of a board of 32, the same as those of ordering.h with a third of the
   instructions: endgames of few pieces have hardly any others.

   The pieces of a side, from its first man to its last king, give the numbers of both its sets and its
   material by one look-up each, and one more for each set turns its number into the rank. There is nothing to
   turn or to branch on, and only men are counted. A number is the colex rank among all sets of four squares,
   then of three, two, one and none: as if squares that are missing were number 32.

   Sets stand on the board as it lies for one side, which moves down. Those of the other side are turned
   before they are ranked (index.h), which the ranks of its piece sets include. */
#ifndef DAME_SLICES_SMALL_SETS_H
#define DAME_SLICES_SMALL_SETS_H

#include "slices/index.h"

enum {
    SMALL_SET = 4,         /* pieces of one piece set */
    SMALL_SIDE = 5,        /* pieces of one side */
    SMALL_PIECES = 15,     /* on the board, a power of two less one */
    SMALL_BOARD = 32,      /* squares */
    SMALL_ROW = 4,         /* squares of a board row */
    SMALL_NUMBERS = 41449, /* C(32, 4) + C(32, 3) + C(32, 2) + 32 + 1 */
    SMALL_MATERIALS = (SMALL_SET + 1) * (SMALL_SET + 1) * (SMALL_SET + 1) * (SMALL_SET + 1),
    SIDES = 2
};

/* What a piece adds to the number of a material, which tells how many pieces each piece set has. */
static const uint64_t SMALL_PIECE[PIECE_SETS] = {
    [OTHER_MEN] = 1, [OWN_MEN] = 5, [OTHER_KINGS] = 25, [OWN_KINGS] = 125};

/* What the pieces of a side add up to: the number of the set of its men, that of its kings, and its material,
   which is none (SMALL_MATERIALS or more) if a man stands on its crown row or a piece set has too many.
   Two sides can be added up: between the numbers and the material is room for a carry. */
typedef uint64_t small_side;
enum { SMALL_KINGS_SHIFT = 16, SMALL_MATERIAL_SHIFT = 34 };

struct small_sets {
    /* [side that moves up][its men][i][square]: what its i-th piece adds. A king's square is 32 more than
       that of a man, 64 is none. */
    small_side part[SIDES][SMALL_PIECES + 1][SMALL_SIDE][2 * SMALL_BOARD + 1];
    uint16_t rank[PIECE_SETS][SMALL_NUMBERS];
};

/* NULL in *out if it is another board. DAME_NO_MEMORY. */
enum dame_status small_sets_create(const struct board *board, const struct ordering *ordering,
                                   struct small_sets **out);

/* The pieces of a side, at most SMALL_PIECES and none twice; those beyond SMALL_SIDE do not count. The
   quickest way there is to count bits, and to find the lowest of at most 64, which is 64 if there are
   none. */
static inline __attribute__((always_inline)) small_side small_side_of(const struct small_sets *sets, bool up,
                                                                      uint64_t men, uint64_t kings,
                                                                      uint64_t (*count)(uint64_t),
                                                                      uint64_t (*lowest)(uint64_t))
{
    const small_side(*part)[2 * SMALL_BOARD + 1] = sets->part[up][count(men)];
    uint64_t pieces = men | kings << SMALL_BOARD;
    small_side side = 0;
    for (int i = 0; i < SMALL_SIDE; i++, pieces &= pieces - 1)
        side += part[i][lowest(pieces)];
    return side;
}

static inline uint64_t small_set_rank(const struct small_sets *sets, enum piece_set piece_set,
                                      small_side side)
{
    const bool kings = piece_set == OWN_KINGS || piece_set == OTHER_KINGS;
    return sets->rank[piece_set][(uint16_t)(kings ? side >> SMALL_KINGS_SHIFT : side)];
}

#endif
