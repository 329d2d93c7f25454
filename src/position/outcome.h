/* The result of a position with its distance, and how it follows from the positions after each move: the
   definitions of all metrics, one move at a time. Whoever checks values by moves uses these. */
#ifndef DAME_POSITION_OUTCOME_H
#define DAME_POSITION_OUTCOME_H

#include <stdbool.h>

#include "base/metric.h"
#include "position/position.h"
#include "rules/rules.h"

enum { NO_PLIES = -1, PLIES_MAX = 254, PLY_NEVER = 255 };

struct outcome {
    int wdl;   /* 1, 0, -1 for the side to move */
    int plies; /* NO_PLIES if drawn, and where no distance is asked for */
};

/* What is asked for. */
struct outcome_rule {
    enum metric metric;
    struct draw_rule draw_rule; /* one that the metric allows */
};

/* A side without pieces or without a move. */
static inline struct outcome outcome_no_move(const struct rules *rules)
{
    return (struct outcome){rules->misere ? 1 : -1, 0};
}

/* Whether the game is over before the side to move moves, and how it has ended for it. A side without pieces
   or without a move comes first, whatever the counter says; then a counter that is full: a draw. */
static inline bool outcome_at_end(bool misere, bool has_move, struct draw_rule rule, int clock,
                                  struct outcome *out)
{
    if (!has_move)
        *out = (struct outcome){misere ? 1 : -1, 0};
    else if (draw_rule_is_full(rule, clock))
        *out = (struct outcome){0, NO_PLIES};
    else
        return false;
    return true;
}

/* Whether won (or lost) games have an odd number of plies left. A side without a move has 0 plies left and
   has lost, so losses take an even number and wins an odd one; in giveaway it is the other way round. */
static inline bool outcome_is_odd(const struct rules *rules, bool won)
{
    return won != rules->misere;
}

/* What the move was that led from `position` to `next`, where the board is turned and the men of the side
   that moved are the other side's. */
static inline struct move_nature nature_between(const struct board *board, const struct position *position,
                                                const struct position *next)
{
    return (struct move_nature){
        .capture = bit_count(next->own_men | next->own_kings) !=
                   bit_count(position->other_men | position->other_kings),
        .man_move = bits_reverse(next->other_men, board->squares) != position->own_men,
    };
}

/* The outcome of a move for the side that makes it; `next` is that of the position after it, for the side to
   move there. */
static inline struct outcome outcome_of_move(struct outcome_rule rule, struct outcome next,
                                             struct move_nature move)
{
    struct outcome out = {-next.wdl, NO_PLIES};
    if (out.wdl == 0 || !metric_has_plies(rule.metric))
        return out;
    out.plies = metric_ends_phase(rule.metric, move) ? 1 : next.plies + 1;
    if (rule.draw_rule.plies != 0 && out.plies > rule.draw_rule.plies)
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
