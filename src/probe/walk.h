/* Walks through the legal placements of a slice in the order of their indices. Sets are stepped from one to
   the next instead of being unranked, one loop inside the other:

       other men (X)  >  own men (M)  >  other kings (Y)  >  own kings (K)
       |------------------- row ------------------------|

   A row is what has X, M and Y in common; it is a run of neighbouring indices. */
#ifndef DAME_PROBE_WALK_H
#define DAME_PROBE_WALK_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"
#include "kernel/kernel.h"
#include "slices/binomial.h"
#include "slices/index.h"
#include "tables/values.h"

struct walk {
    struct position position; /* the present placement */
    uint64_t index;           /* and its index */

    uint64_t row, end;
    int squares;
    struct index_shape shape;
    uint64_t first_other_men, first_own_men, first_other_kings, first_own_kings; /* the sets of rank 0 */
    uint64_t m, y, k;                    /* ranks; k of the next set */
    uint64_t x_set, m_set, y_set, k_set; /* x_set and y_set on the turned board */
    uint64_t taken;                      /* squares where no own king can stand */
};

static inline uint64_t walk_rows(const struct index_shape *shape)
{
    return shape->size / shape->own_kings;
}

/* Rows that make one item of parallel work. A multiple of the values in a byte, so that no two items share
 * one. */
static inline uint64_t walk_rows_per_item(const struct index_shape *shape)
{
    const uint64_t values = 1 << 15;
    return (values / shape->own_kings + 1) * VALUES_PER_BYTE;
}

/* Put the pieces of the present row on the board; false if two share a square. */
static inline bool walk_enter_row(struct walk *walk)
{
    struct position *p = &walk->position;
    p->own_men = walk->m_set;
    p->other_men = bits_reverse(walk->x_set, walk->squares);
    p->other_kings = bits_reverse(walk->y_set, walk->squares);
    walk->taken = p->own_men | p->other_men | p->other_kings;
    walk->k = 0;
    walk->k_set = walk->first_own_kings;
    return ((p->own_men & p->other_men) | ((p->own_men | p->other_men) & p->other_kings)) == 0;
}

/* The sets of the next row: step the innermost that has a next one, start those inside it again. */
static inline void walk_step_row(struct walk *walk)
{
    if (++walk->y < walk->shape.other_kings) {
        walk->y_set = subset_next(walk->y_set);
        return;
    }
    walk->y = 0;
    walk->y_set = walk->first_other_kings;
    if (++walk->m < walk->shape.own_men) {
        walk->m_set = subset_next(walk->m_set);
        return;
    }
    walk->m = 0;
    walk->m_set = walk->first_own_men;
    walk->x_set = subset_next(walk->x_set);
}

static inline bool walk_next_row(struct walk *walk)
{
    do {
        if (++walk->row >= walk->end)
            return false;
        walk_step_row(walk);
    } while (!walk_enter_row(walk));
    return true;
}

/* Before the first placement of the rows first..end-1. */
static inline struct walk walk_start(const struct board *board, const struct index_shape *shape,
                                     struct material material, uint64_t first, uint64_t end)
{
    assert(first < end && end <= walk_rows(shape));
    const uint64_t pair = first / shape->other_kings;
    struct walk walk = {
        .row = first,
        .end = end,
        .squares = board->squares,
        .shape = *shape,
        .first_other_men = bits_below(material.other_men),
        .first_own_men = bits_below(material.own_men),
        .first_other_kings = bits_below(material.other_kings),
        .first_own_kings = bits_below(material.own_kings),
        .m = pair % shape->own_men,
        .y = first % shape->other_kings,
    };
    walk.x_set = subset_unrank(pair / shape->own_men, material.other_men);
    walk.m_set = subset_unrank(walk.m, material.own_men);
    walk.y_set = subset_unrank(walk.y, material.other_kings);
    if (!walk_enter_row(&walk))
        walk.k = shape->own_kings;
    return walk;
}

/* Go to the next placement; false behind the last. */
static inline bool walk_next(struct walk *walk)
{
    for (;;) {
        if (walk->k == walk->shape.own_kings && !walk_next_row(walk))
            return false;
        const uint64_t kings = walk->k_set;
        walk->index = walk->row * walk->shape.own_kings + walk->k;
        if (++walk->k < walk->shape.own_kings)
            walk->k_set = subset_next(kings);
        if ((kings & walk->taken) == 0) {
            walk->position.own_kings = kings;
            return true;
        }
    }
}

#endif
