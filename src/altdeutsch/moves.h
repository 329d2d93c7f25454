/* Legal moves on all 64 squares (rule book, section 9.2).

   Squares are counted from the top left, one board row after the other. */
#ifndef DAME_ALTDEUTSCH_MOVES_H
#define DAME_ALTDEUTSCH_MOVES_H

#include <stdbool.h>
#include <stdint.h>

#include "altdeutsch/rules.h"
#include "base/status.h"
#include "position/position.h"

enum {
    ALTDEUTSCH_SIDE_MAX = 16, /* pieces of one side */
    ALTDEUTSCH_PATH_MAX = 1 + ALTDEUTSCH_SIDE_MAX,
    /* Landings on the way of all captures in one position; a search of more ends with DAME_TOO_LARGE. The
       worst position with short kings that a search for them found has 80,000 paths, only flying kings can
       have more than this. */
    ALTDEUTSCH_LANDINGS_MAX = 1 << 20
};

struct altdeutsch_move {
    uint64_t captured;                 /* squares of the captured pieces; 0 for a quiet move */
    uint8_t path[ALTDEUTSCH_PATH_MAX]; /* origin, every landing square */
    uint8_t length; /* squares in the path: 2 for a quiet move, 1 + captured pieces for a capture */
    bool by_king;
    bool crowned;   /* a man has become a king */
    uint32_t paths; /* orders of the jumps that are this one move */
};

/* A list that grows and can be used again; at the beginning all zero. */
struct altdeutsch_moves {
    int count, capacity;
    struct altdeutsch_move *moves;
};

void altdeutsch_moves_free(struct altdeutsch_moves *list);

/* Every legal move, each once (rule book, section 2.6), in a fixed order. In a straight run of a flying king
   over several pieces the path names the last free square. DAME_BAD_POSITION for more than
   ALTDEUTSCH_SIDE_MAX pieces of one side, DAME_NOT_SUPPORTED for rules that are not those of
   altdeutsch_supports(), DAME_NO_MEMORY. */
enum dame_status altdeutsch_moves(const struct move_rules *rules, const struct position *position,
                                  struct altdeutsch_moves *out);

/* The position after one of its moves, seen by the side that moves then. */
struct position altdeutsch_position_after(const struct position *position,
                                          const struct altdeutsch_move *move);

#endif
