/* Moves by rules that are known at run time only: one piece and one square after the other, for rule sets
   that no kernel was compiled for.

   Moves and the way paths are named are those of kernel/kernel.h. Which of several orders of the jumps of one
   capture is named, and the order of the list, are this generator's own. It shares no move with the compiled
   kernels, so the two check each other. */
#ifndef DAME_CUSTOM_CUSTOM_H
#define DAME_CUSTOM_CUSTOM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/count.h"
#include "base/status.h"
#include "boards/board.h"
#include "position/move.h"
#include "rules/rules.h"

enum {
    /* Jumps and comparisons of moves for the captures of one position, about a tenth of a second. More is
       needed only with pieces that vanish at once and landing squares free, by three kings against eighteen
       on 100 squares for example; the worst that was found without that needs a hundredth of it. */
    CUSTOM_WORK_MAX = 100000000
};

/* Grows as it has to; {0} is an empty one. */
struct custom_list {
    struct move *moves;
    int count, capacity;
};

/* Every legal move, each once, after those that the list has. DAME_BAD_POSITION: see position_check.
   DAME_TOO_LARGE for a side of MOVE_SQUARES_MAX pieces and for more work than there may be. */
enum dame_status custom_moves(const struct move_rules *rules, const struct board *board,
                              const struct position *position, struct custom_list *out);

void custom_list_free(struct custom_list *list);

/* As the function of a kernel. */
enum dame_status custom_perft(const struct move_rules *rules, const struct board *board,
                              const struct position *position, int depth, bool paths,
                              const atomic_bool *cancel, leaf_count *count);

#endif
