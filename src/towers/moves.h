/* Legal moves of towers (rule book, section 9.1): those of Russian draughts made by whole stacks. A jump
   takes the top piece of a stack, which goes under the one that jumps; what lay under it stays and blocks the
   way until the move is over (or may be jumped again, see struct tower_rules). */
#ifndef DAME_TOWERS_MOVES_H
#define DAME_TOWERS_MOVES_H

#include "base/status.h"
#include "towers/position.h"
#include "towers/rules.h"

enum {
    /* A position with more moves, or a search of more landings, ends with DAME_TOO_LARGE. The worst positions
       that a search for them found stand in tests/native. */
    TOWER_MOVES_MAX = 512,
    TOWER_LANDINGS_MAX = 1 << 20,
    TOWER_PATH_MAX = TOWER_PIECES_MAX /* origin, and one landing square for each of the other pieces */
};

struct tower_move {
    uint8_t path[TOWER_PATH_MAX];   /* origin, every landing square */
    uint8_t jumped[TOWER_PATH_MAX]; /* squares of the stacks that lost their top piece, jump by jump */
    uint8_t jumps;                  /* 0: a quiet move, the path has two squares; else 1 + jumps */
    bool by_king;
    bool crowned;       /* the man on top has become a king */
    struct stack stack; /* what stands on the last square of the path after the move */
    uint32_t paths;     /* orders of the jumps that are this one move */
};

struct tower_moves {
    int count;
    struct tower_move moves[TOWER_MOVES_MAX];
};

/* Every legal move, each once, in a fixed order. Captures that differ only in the order of their jumps are
   one move if the same stack stands on the same square after them: the order in which men and kings were
   captured is seen in the stack. Of the squares between two jumps of a king straight on the path names the
   last one, straight back the first one. DAME_BAD_POSITION for more than TOWER_PIECES_MAX pieces. */
enum dame_status tower_moves(const struct tower_rules *rules, const struct tower_position *position,
                             struct tower_moves *out);

/* The position after one of its moves. */
struct tower_position tower_position_after(const struct tower_position *position,
                                           const struct tower_move *move);

/* The square on which a move ends. */
static inline int tower_move_end(const struct tower_move *move)
{
    return move->path[move->jumps == 0 ? 1 : move->jumps];
}

#endif
