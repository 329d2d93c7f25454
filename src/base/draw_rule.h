/* Draw rules: the game is drawn after so many plies in a row without a certain event. Each counter of such
   plies has a page of facts; a rule is a counter and the number of plies that fills it. */
#ifndef DAME_BASE_DRAW_RULE_H
#define DAME_BASE_DRAW_RULE_H

#include <stdbool.h>

/* What the plies are counted without; the number stands in the header of a table. */
enum draw_counter {
    DRAW_PLIES,    /* a capture and a man's move */
    DRAW_CAPTURES, /* a capture */
    DRAW_COUNTERS
};

struct draw_rule {
    enum draw_counter counter;
    int plies; /* 0: no rule; `counter` is the first one then */
};

struct draw_counter_page {
    const char *name;   /* of the argument of builds and tables */
    const char *option; /* of commands */
    char letter;        /* in names of files, in front of the plies */
    const char *about;  /* in words: so many plies ... */
    bool man_moves_reset;
};

static const struct draw_counter_page DRAW_COUNTER_PAGES[DRAW_COUNTERS] = {
    [DRAW_PLIES] = {.name = "draw_plies",
                    .option = "--draw-plies",
                    .letter = 'n',
                    .about = "without capture and man move",
                    .man_moves_reset = true},
    [DRAW_CAPTURES] = {.name = "draw_captures",
                       .option = "--draw-captures",
                       .letter = 'c',
                       .about = "without a capture",
                       .man_moves_reset = false},
};

enum { DRAW_RULE_PLIES_MAX = 65535 }; /* that the name and the header of a file can hold */

static inline const struct draw_counter_page *draw_rule_page(struct draw_rule rule)
{
    return &DRAW_COUNTER_PAGES[rule.counter];
}

static inline bool draw_rule_equal(struct draw_rule a, struct draw_rule b)
{
    return a.counter == b.counter && a.plies == b.plies;
}

/* What counters and phases depend on in a move. It can be both: men capture, too. */
struct move_nature {
    bool capture, man_move;
};

static const struct move_nature BY_CAPTURE = {.capture = true}, BY_MAN = {.man_move = true};

/* The counter after a move. */
static inline int draw_rule_clock_after(struct draw_rule rule, int clock, struct move_nature move)
{
    const bool resets = move.capture || (move.man_move && draw_rule_page(rule)->man_moves_reset);
    return resets || rule.plies == 0 ? 0 : clock + 1;
}

/* Whether a counter that has reached `clock` makes the game a draw. */
static inline bool draw_rule_is_full(struct draw_rule rule, int clock)
{
    return rule.plies != 0 && clock >= rule.plies;
}

#endif
