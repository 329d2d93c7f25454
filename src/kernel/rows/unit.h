/* The unit of work of a build: one class of the mover's pieces against one class of the other side's, both
   sides to move. Classes that are not whole have one total advance of men, so units of one level do not
   depend on each other.

   Either side has its matrices: a row for each arrangement of its own pieces, a column for each of the
   other's. Transposed, the values of one side are what the other one reads. */
#ifndef DAME_KERNEL_ROWS_UNIT_H
#define DAME_KERNEL_ROWS_UNIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "kernel/kernel.h"
#include "planes/planes.h"
#include "planes/side.h"
#include "position/outcome.h"
#include "slices/material.h"

struct steps;
struct king_moves;

/* Everything the rows of one side need; `other_class` and `other_men` change from unit to unit. */
struct mover {
    const struct side *own, *other;
    uint32_t own_class, other_class;
    uint64_t other_men; /* the set of men of a class that is single */
    /* Values with the other side to move after [a man was crowned][men captured][kings captured];
       NULL where nothing of the other side is left. [0][0][0] is the slice being solved. */
    const struct planes *after[2][PIECES_MAX + 1][PIECES_MAX + 1];
    const struct steps *steps;
    const struct king_moves *king_moves;
    enum metric metric;
    bool misere; /* who has no piece or no move has won */
};

/* Matrices of one side. Rows and columns are padded to multiples of 64. */
struct half {
    uint64_t *won, *lost;           /* for this side to move; rows are its own arrangements */
    uint64_t *quiet;                /* no capture: moves inside the class may still decide */
    uint64_t *cornered;             /* lost unless a move inside the class saves */
    uint64_t *seen_won, *seen_lost; /* the OTHER side's values, transposed: this side's rows */
    uint8_t *changed;               /* rows of won and lost that changed since they were last transposed */
    uint8_t *win_in, *lose_in;      /* with distances: bytes for every column, see solve_plies.h */
    uint8_t *due;                   /* with distances: the next ply at which a row has to be looked at */
    uint8_t *stale; /* rows of seen_won and seen_lost that have changed since the last sweep */
};

/* Scratch memory of one thread. */
struct unit_memory {
    struct half halves[2];
    uint64_t *scratch;
    uint64_t *memory;       /* what all of them point into */
    uint64_t placements[2]; /* possible ones of the last unit that was solved, each side to move */
};

/* What find_threats does for all positions of a unit (threats.h). */
enum threats {
    THREATS_QUIET,  /* into `stored`: positions without a capture */
    THREATS_STORED, /* into `stored`: those of them whose value a table must hold */
    THREATS_VALUES  /* the values that no table holds and that one ply finds are added to the results */
};

struct unit {
    struct mover movers[2];
    enum threats threats;
    struct planes *results[2]; /* of side 0 and side 1 to move */
    uint64_t *stored[2]; /* of its block there, for THREATS_QUIET and THREATS_STORED; NULL: not wanted */
    int plies;           /* with distances: what takes more plies is a draw; PLIES_MAX: no such rule */
    const atomic_bool *cancel;
};

/* The part of a kernel that works on rows. */
struct row_kernel {
    void (*fill_steps)(struct steps *out);
    /* Words of scratch memory for rows of `words` words, of a mover who may capture so many men and kings. */
    size_t (*scratch_words)(int men, int kings, size_t words);
    /* Solve the unit and write its two blocks. */
    enum dame_status (*solve)(const struct unit *unit, struct unit_memory *memory);
    /* Solve the unit ply by ply, and write distances as well. DAME_TOO_LARGE if one reaches PLIES_MAX. */
    enum dame_status (*solve_plies)(const struct unit *unit, struct unit_memory *memory);
    /* The results hold all quiet positions; add those with captures. */
    enum dame_status (*add_captures)(const struct unit *unit, struct unit_memory *memory);
    /* Find out which values a table needs to hold, or restore those that it does not. */
    enum dame_status (*find_threats)(const struct unit *unit, struct unit_memory *memory);
};

/* Words of memory for the largest of the units of two sides; DAME_TOO_LARGE if that does not fit. */
enum dame_status unit_memory_words(const struct row_kernel *rows, const struct side_shape *a,
                                   const struct side_shape *b, enum metric metric, uint64_t *words);

/* Lay the matrices of one unit into `memory->memory`, which has unit_memory_words() words. */
void unit_memory_lay(struct unit_memory *memory, enum metric metric, const struct side *a, uint32_t a_class,
                     const struct side *b, uint32_t b_class);

#endif
