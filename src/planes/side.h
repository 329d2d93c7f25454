/* One side's pieces in a slice: all its arrangements (a set of men, a set of kings), in the order in which
   they become the bits of a row or the rows of a matrix.

   The sets of men are parted into classes, in one of three ways:

       single   two kings or more: every set of men by itself, since its kings fill a row
       grouped  fewer kings: all sets of men of one total advance, so that rows are wide
       whole    one or two men and no king: all sets of men, since those groups would be narrow, too

   Moves that leave the men alone stay in the class. Moves of men lead to a class that is more advanced, or
   stay in the class if it is whole. Men are ordered by total advance and then colex (single: colex alone),
   kings colex inside each set of men. Taking one piece out of all arrangements that hold it keeps this order,
   which is what makes captures a matter of `pdep`.

       class 0            class 1
       men  a a a b b b   c c c d d d ...      (one row of a matrix: the columns of one class)
       kings 0 1 2 0 1 2  0 1 2 0 1 2

   All squares are seen by the side itself, which moves down. */
#ifndef DAME_PLANES_SIDE_H
#define DAME_PLANES_SIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "boards/board.h"
#include "slices/binomial.h"
#include "slices/material.h"

enum { SIDE_SQUARES = 50, ADVANCE_MAX = 128 };

/* Rows that say in which arrangements of one class a square is occupied, for every square. */
struct columns {
    const uint64_t *man[SIDE_SQUARES];
    const uint64_t *king[SIDE_SQUARES];
    const uint64_t *empty[SIDE_SQUARES];
    const uint64_t *sound; /* arrangements whose men and kings do not share a square */
    uint64_t maybe_men;    /* squares with a man in some arrangement */
    uint64_t all_men;      /* squares with a man in every arrangement */
    uint64_t width;        /* arrangements in the class */
};

struct side {
    const struct board *board;
    int men, kings;
    enum side_partition { PARTITION_SINGLE, PARTITION_GROUPED, PARTITION_WHOLE } partition;
    uint32_t men_sets, king_sets;
    uint32_t class_count;
    uint64_t *men_set;     /* [men_sets] bitboards, class by class */
    uint32_t *class_start; /* [class_count + 1] into men_set */
    uint16_t *advance;     /* [class_count] of the men of the class; 0 if the class is whole */
    uint32_t *group_start; /* [ADVANCE_MAX + 1] first place in men_set of that advance; NULL if single */
    uint32_t *place;       /* [men_sets] colex rank -> place in men_set */
    uint32_t *class_of;    /* [men_sets] colex rank -> class */
    uint64_t *king_set;    /* [king_sets] bitboards, colex order */
    struct columns *columns;
    uint64_t *masks; /* the rows that `columns` points into */
};

/* The size of a side, found without making it. */
struct side_shape {
    int men, kings;
    uint64_t arrangements;
    uint64_t classes;
    uint64_t widest;       /* arrangements of the largest class */
    uint64_t column_words; /* words of one row of every class together */
    uint64_t bytes;        /* of the tables of a side */
};

/* DAME_TOO_LARGE if it does not fit. */
enum dame_status side_shape(const struct board *board, int men, int kings, bool whole,
                            struct side_shape *out);

/* The classes of a side by their advance, found without making it: how many, and their arrangements. */
struct side_advances {
    uint64_t classes[ADVANCE_MAX], arrangements[ADVANCE_MAX];
};

/* For a side whose side_shape fits. */
void side_advances(const struct board *board, int men, int kings, bool whole, struct side_advances *out);

/* A side of `men` men and `kings` kings. `whole`: one or two men without a king may be one class. */
enum dame_status side_create(const struct board *board, int men, int kings, bool whole, struct side **out);
void side_destroy(struct side *side);

/* Rows of a matrix of this class: arrangements of its pieces. */
static inline uint64_t side_width(const struct side *side, uint32_t class)
{
    return (uint64_t)(side->class_start[class + 1] - side->class_start[class]) * side->king_sets;
}

static inline uint32_t side_class_of(const struct side *side, uint64_t men)
{
    return side->class_of[subset_rank(men)];
}

/* Whether moves lead from one arrangement of a class to another one. */
static inline bool side_moves_inside(const struct side *side)
{
    return side->kings > 0 || side->partition == PARTITION_WHOLE;
}

/* Number of an arrangement inside its class. */
static inline uint64_t side_row(const struct side *side, uint32_t class, uint64_t men, uint64_t kings)
{
    uint32_t inside = side->place[subset_rank(men)] - side->class_start[class];
    return (uint64_t)inside * side->king_sets + subset_rank(kings);
}

#endif
