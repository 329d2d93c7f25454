/* Quiet moves and the test whether a capture exists, for all pieces of one side at a time.

   Sets of pieces are shifted as a whole: the men that can move left are those with an empty square below
   them on the left, one shift and one `and`. Only callers that need single moves take the sets apart. */
#ifndef DAME_KERNEL_MOVES_H
#define DAME_KERNEL_MOVES_H

#include "kernel/board_position.h"

/* Those of `pieces` that can jump one of `targets` in the direction of `step`, without flying. */
static ALWAYS_INLINE word jumpers(word pieces, word targets, word empty, int step)
{
    return pieces & stepped(targets & stepped(empty, -step), -step);
}

/* Whether one of `kings` can jump in the direction of `step` from any distance. */
static ALWAYS_INLINE bool king_can_jump(word kings, word targets, word empty, int step)
{
    /* All kings fly until something is in their way. They cannot meet: each stops before the next. */
    word flying = kings;
    word reached = kings;
    do {
        flying = stepped(flying, step) & empty;
        reached |= flying;
    } while (flying != 0);
    return (stepped(stepped(reached, step) & targets, step) & empty) != 0;
}

/* Kings that can capture where they do not fly. */
static ALWAYS_INLINE word walking_kings_jumping(struct board_position position, bool down)
{
    const word empty = empties(position);
    const word kings = position.own & position.kings;
    const int left = forwards(STEP_SHORT, down);
    const int right = forwards(STEP_LONG, down);
    return jumpers(kings, position.other, empty, left) | jumpers(kings, position.other, empty, right) |
           jumpers(kings, position.other, empty, -left) | jumpers(kings, position.other, empty, -right);
}

static ALWAYS_INLINE word men_jumping(struct board_position position, bool down)
{
    const word empty = empties(position);
    const word men = position.own & ~position.kings;
    const word targets = man_targets(position);
    const int left = forwards(STEP_SHORT, down);
    const int right = forwards(STEP_LONG, down);
    word found = jumpers(men, targets, empty, left) | jumpers(men, targets, empty, right);
    if (RULES.men_capture_backwards)
        found |= jumpers(men, targets, empty, -left) | jumpers(men, targets, empty, -right);
    return found;
}

/* Men that can capture; the kings too where they do not fly. */
static ALWAYS_INLINE word walking_jumpers(struct board_position position, bool down)
{
    word found = men_jumping(position, down);
    if (!RULES.flying_kings && (position.own & position.kings) != 0)
        found |= walking_kings_jumping(position, down);
    return found;
}

static ALWAYS_INLINE bool can_capture(struct board_position position, bool down)
{
    if (walking_jumpers(position, down) != 0)
        return true;
    const word kings = position.own & position.kings;
    if (!RULES.flying_kings || kings == 0)
        return false;
    const word empty = empties(position);
    return king_can_jump(kings, position.other, empty, STEP_SHORT) ||
           king_can_jump(kings, position.other, empty, STEP_LONG) ||
           king_can_jump(kings, position.other, empty, -STEP_SHORT) ||
           king_can_jump(kings, position.other, empty, -STEP_LONG);
}

/* The same without a branch on whether there are kings, where they do not fly: for positions in no order,
   where the processor would mispredict it. */
static ALWAYS_INLINE bool can_capture_anyhow(struct board_position position, bool down)
{
    if (RULES.flying_kings)
        return can_capture(position, down);
    return (men_jumping(position, down) | walking_kings_jumping(position, down)) != 0;
}

/* Number of quiet moves of `kings` in the direction of `step`. */
static ALWAYS_INLINE int count_king_moves(word kings, word empty, int step)
{
    int count = 0;
    do {
        kings = stepped(kings, step) & empty;
        count += bit_count(kings);
    } while (RULES.flying_kings && kings != 0);
    return count;
}

static ALWAYS_INLINE int count_quiet_moves(struct board_position position, bool down)
{
    const word empty = empties(position);
    const word men = position.own & ~position.kings;
    const word kings = position.own & position.kings;
    int count = bit_count(stepped(men, forwards(STEP_SHORT, down)) & empty) +
                bit_count(stepped(men, forwards(STEP_LONG, down)) & empty);
    if (kings != 0)
        count += count_king_moves(kings, empty, STEP_SHORT) + count_king_moves(kings, empty, STEP_LONG) +
                 count_king_moves(kings, empty, -STEP_SHORT) + count_king_moves(kings, empty, -STEP_LONG);
    return count;
}

/* Walks through the quiet moves of all pieces in a fixed order: men to the left, men to the right, then the
   kings, direction by direction and, where they fly, distance by distance. */
struct quiet_walk {
    word empty, kings;
    word flying;   /* the kings' landing squares at the present distance */
    word pending;  /* landing squares not yet handed out */
    int direction; /* 0, 1: men; 2..5: kings */
    int distance;
};

static ALWAYS_INLINE int walk_step(int direction, bool down)
{
    const int step = direction & 1 ? STEP_LONG : STEP_SHORT;
    return forwards(direction < 4 ? step : -step, down);
}

static inline struct quiet_walk quiet_walk_start(struct board_position position, bool down)
{
    const word empty = empties(position);
    return (struct quiet_walk){
        .empty = empty,
        .kings = position.own & position.kings,
        .pending = stepped(position.own & ~position.kings, walk_step(0, down)) & empty,
        .distance = 1,
    };
}

/* Takes the next move; false if there is none left. */
static inline bool quiet_walk_next(struct quiet_walk *walk, struct board_position position, bool down,
                                   word *from, word *to)
{
    while (walk->pending == 0) {
        if (RULES.flying_kings && walk->flying != 0) {
            walk->distance++;
        } else {
            if (++walk->direction == 6)
                return false;
            walk->flying = walk->direction > 1 ? walk->kings : 0;
            walk->distance = 1;
        }
        const int step = walk_step(walk->direction, down);
        if (walk->direction == 1) {
            walk->pending = stepped(position.own & ~position.kings, step) & walk->empty;
        } else {
            walk->flying = stepped(walk->flying, step) & walk->empty;
            walk->pending = walk->flying;
        }
    }
    *to = walk->pending & -walk->pending;
    walk->pending ^= *to;
    *from = stepped(*to, -walk_step(walk->direction, down) * walk->distance);
    return true;
}

#endif
