/* The interface of the compiled rule sets: one `struct kernel` for each, a table of functions.

   Every position that they take or return is seen by the side to move (position/position.h).
   The functions hold no state and may be called by many threads. */
#ifndef DAME_KERNEL_KERNEL_H
#define DAME_KERNEL_KERNEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/count.h"
#include "base/status.h"
#include "boards/board.h"
#include "position/move.h"
#include "rules/rules.h"

enum attack { ATTACK_OWN = 1, ATTACK_OTHER = 2 };

struct row_kernel;

struct kernel {
    const struct rules *rules;
    const struct board *board;

    /* Every legal move, each once (rule book, section 2.6), in a fixed order.
       In a straight run of a flying king over several pieces the path names the last free square. */
    enum dame_status (*moves)(const struct position *position, struct move_list *out);

    /* The position after every legal move, in the order of `moves`. Positions after different moves may be
       equal where only their paths differ. There is room for `capacity` positions; those beyond are counted
       only. */
    enum dame_status (*successors)(const struct position *position, struct position *positions, int capacity,
                                   struct successors *out);

    bool (*must_capture)(const struct position *position);

    /* Which side would have to capture if it were to move: a sum of `enum attack`. Tables hold the values of
       all other positions; where captures are optional these are all positions. */
    unsigned (*attacks)(const struct position *position);

    /* Leaves of the tree of legal moves at `depth`. `paths`: captures that differ only in the order of their
       jumps count separately. Counts of positions are remembered in `memory` bytes (0: none is).
       DAME_CANCELLED soon after *cancel became true; cancel may be NULL. DAME_TOO_LARGE, DAME_OVERFLOW,
       DAME_NO_MEMORY. A small stack is enough whatever the depth. */
    enum dame_status (*perft)(const struct position *position, int depth, bool paths, uint64_t memory,
                              const atomic_bool *cancel, leaf_count *count);

    /* Whole rows of positions at once (kernel/rows/unit.h). */
    const struct row_kernel *rows;
};

/* All of them: a list is always large enough. */
static inline enum dame_status kernel_list_successors(const struct kernel *kernel,
                                                      const struct position *position,
                                                      struct position_list *out)
{
    struct successors found = {.count = 0};
    const enum dame_status status = kernel->successors(position, out->positions, MOVES_MAX, &found);
    out->count = found.count;
    out->captures = found.captures;
    return status;
}

/* NULL if there is no rule set of that name. The kernel is the quickest one for this processor. */
const struct kernel *kernel_find(const char *variant);

/* The number of rule sets, and the `index`-th of them (0 <= index < kernel_count()). */
int kernel_count(void);
const struct kernel *kernel_at(int index);

#endif
