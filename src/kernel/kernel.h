/* The door to the compiled rule sets: one `struct kernel` for each, a table of functions.

   Every position that crosses this door is seen by the side to move, which moves down (towards the high
   bits); White's positions are turned by 180 degrees before. Bit = square - 1, no gaps.
   The functions hold no state and may be called by many threads. */
#ifndef DAME_KERNEL_KERNEL_H
#define DAME_KERNEL_KERNEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "boards/board.h"
#include "rules/rules.h"

struct position {
    uint64_t own_men, own_kings, other_men, other_kings;
};

enum {
    /* No position of any rule set here has more moves or successors; the random search for the largest
       number stands in tests/native. A generator that would pass it returns DAME_TOO_LARGE. */
    MOVES_MAX = 512,
    MOVE_SQUARES_MAX = 24 /* squares of one move: origin and one landing square for each captured piece */
};

struct move {
    uint64_t captured;              /* squares of the captured pieces; 0 for a quiet move */
    uint8_t path[MOVE_SQUARES_MAX]; /* origin, every landing square: squares 0..49 */
    uint8_t length; /* squares in the path: 2 for a quiet move, 1 + captured pieces for a capture */
    bool by_king;
    bool crowned; /* a man has become a king */
};

struct move_list {
    int count;
    struct move moves[MOVES_MAX];
};

struct position_list {
    int count;
    bool captures; /* there are captures, which must be played */
    struct position positions[MOVES_MAX];
};

/* What is found out of a position besides who wins (docs/metrics.md). */
enum distance {
    DISTANCE_NONE,
    DISTANCE_DTW, /* plies to the end of the game */
    DISTANCE_DTZ  /* plies to the next capture or move of a man */
};

enum attack { ATTACK_OWN = 1, ATTACK_OTHER = 2 };

enum { PLIES_MAX = 254, PLY_NEVER = 255 };

struct row_kernel;

struct kernel {
    const struct rules *rules;
    const struct board *board;

    /* Every legal move, each once (rule book, section 2.6), in a fixed order.
       In a straight run of a flying king over several pieces the path names the last free square. */
    enum dame_status (*moves)(const struct position *position, struct move_list *out);

    /* The position after every legal move, seen by the side that moves then. Positions after different moves
       may be equal where only their paths differ. */
    enum dame_status (*successors)(const struct position *position, struct position_list *out);

    bool (*must_capture)(const struct position *position);

    /* Which side would have to capture if it were to move: a sum of `enum attack`. Tables hold the values of
       all other positions; where captures are optional these are all positions. */
    unsigned (*attacks)(const struct position *position);

    /* Leaves of the tree of legal moves at `depth`. `paths`: captures that differ in the order of their jumps
       only count apart. Counts of positions are remembered in `memory` bytes (0: none is). DAME_CANCELLED
       soon after *cancel became true; cancel may be NULL. DAME_TOO_LARGE, DAME_NO_MEMORY. */
    enum dame_status (*perft)(const struct position *position, int depth, bool paths, uint64_t memory,
                              const atomic_bool *cancel, uint64_t *count);

    /* Whole rows of positions at once (kernel/rows/unit.h). */
    const struct row_kernel *rows;
};

/* NULL if there is no rule set of that name. The kernel is the quickest one for this processor. */
const struct kernel *kernel_find(const char *variant);

/* The number of rule sets, and the `index`-th of them (0 <= index < kernel_count()). */
int kernel_count(void);
const struct kernel *kernel_at(int index);

#endif
