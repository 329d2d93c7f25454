/* Which values of a table file are free: placements with two pieces on one square, and positions in which the
   side to move must capture. They are found for a run of neighbours in the file at once: everything is fixed
   but the kings of the side to move. */
#ifndef DAME_BUILD_FREE_VALUES_H
#define DAME_BUILD_FREE_VALUES_H

#include <stdint.h>

#include "boards/steps.h"
#include "slices/side.h"

/* Seen by the side to move. */
struct run {
    uint32_t own_men, other_men, other_kings;
};

/* `kings`: the side without men that has as many kings as the side to move. Fills row_words(king_sets) words;
   bits past the last set of kings are of no meaning. */
void free_values(const struct side *kings, const struct steps *steps, struct run run, uint64_t *out);

#endif
