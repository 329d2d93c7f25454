/* The result of a position with its distance, and how it follows from the positions after each move: the
   definitions of dtw and dtz, one move at a time. Whoever checks values by moves uses these. */
#ifndef DAME_POSITION_OUTCOME_H
#define DAME_POSITION_OUTCOME_H

#include <stdbool.h>

#include "position/position.h"
#include "rules/rules.h"

/* What is found out of a position besides who wins (docs/metrics.md). */
enum distance {
    DISTANCE_NONE,
    DISTANCE_DTW, /* plies to the end of the game */
    DISTANCE_DTZ  /* plies to the next capture or move of a man */
};

enum { NO_PLIES = -1, PLIES_MAX = 254, PLY_NEVER = 255 };

struct outcome {
    int wdl;   /* 1, 0, -1 for the side to move */
    int plies; /* NO_PLIES if drawn, and where no distance is asked for */
};

/* What is asked for. */
struct outcome_rule {
    enum distance distance;
    int draw_plies; /* with DISTANCE_DTZ: so many plies without a zeroing move are a draw; 0: no such rule */
};

/* A side without pieces or without a move. */
static inline struct outcome outcome_no_move(const struct rules *rules)
{
    return (struct outcome){rules->misere ? 1 : -1, 0};
}

/* Whether a game that is won, or lost, takes an odd number of plies to its end, which is never none: a side
   without a move has lost and 0 plies left, or, in giveaway, has won. */
static inline bool outcome_is_odd(const struct rules *rules, bool won)
{
    return won != rules->misere;
}

/* Whether the move of `position` that led to `next` was a capture or made by a man. The men of the one who
   moved are the other side's then, on the board turned. */
static inline bool is_zeroing_move(const struct board *board, const struct position *position,
                                   const struct position *next)
{
    return bits_reverse(next->other_men, board->squares) != position->own_men ||
           bit_count(next->own_men | next->own_kings) !=
               bit_count(position->other_men | position->other_kings);
}

/* For the side that makes the move: `next` is what it leads to, for the side that moves then. */
static inline struct outcome outcome_of_move(struct outcome_rule rule, struct outcome next, bool zeroing)
{
    struct outcome out = {-next.wdl, NO_PLIES};
    if (out.wdl == 0 || rule.distance == DISTANCE_NONE)
        return out;
    out.plies = rule.distance == DISTANCE_DTZ && zeroing ? 1 : next.plies + 1;
    if (rule.draw_plies != 0 && out.plies > rule.draw_plies)
        return (struct outcome){0, NO_PLIES};
    return out;
}

/* Whether the side to move prefers `a`: the better result, the shorter win, the longer loss. */
static inline bool outcome_is_better(struct outcome a, struct outcome b)
{
    if (a.wdl != b.wdl)
        return a.wdl > b.wdl;
    return a.wdl > 0 ? a.plies < b.plies : a.plies > b.plies;
}

static inline bool outcome_equal(struct outcome a, struct outcome b)
{
    return a.wdl == b.wdl && a.plies == b.plies;
}

#endif
