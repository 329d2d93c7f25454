/* Walking a slice in the order of its table file (slices/index.h), one run of neighbours at a time: the king
   sets of the side to move while everything else is fixed. In the planes of the slice a run lies inside one
   row. */
#ifndef DAME_BUILD_RUNS_H
#define DAME_BUILD_RUNS_H

#include "base/bits.h"
#include "build/free_values.h"
#include "slices/planes.h"

/* Where the run of three ranks lies in its row: the first word of the row, and the first bit in it. */
struct run_place {
    size_t row;
    uint64_t bit;
};

static inline uint32_t side_men_of_rank(const struct side *side, uint64_t rank)
{
    return side->men_set[side->place[rank]];
}

static inline struct run run_of_ranks(const struct planes *planes, uint64_t x, uint64_t m, uint64_t y)
{
    int squares = planes->rows->board->squares;
    return (struct run){
        .own_men = side_men_of_rank(planes->columns, m),
        .other_men = (uint32_t)bits_reverse(side_men_of_rank(planes->rows, x), squares),
        .other_kings = (uint32_t)bits_reverse(planes->rows->king_set[y], squares),
    };
}

static inline struct run_place run_place(const struct planes *planes, uint64_t x, uint64_t m, uint64_t y)
{
    const struct side *rows = planes->rows, *columns = planes->columns;
    uint32_t row_class = rows->class_of[x], column_class = columns->class_of[m];
    uint64_t row = (uint64_t)(rows->place[x] - rows->class_start[row_class]) * rows->king_sets + y;
    return (struct run_place){
        .row = planes_at(planes, row_class, column_class, row),
        .bit = (uint64_t)(columns->place[m] - columns->class_start[column_class]) * columns->king_sets,
    };
}

#endif
