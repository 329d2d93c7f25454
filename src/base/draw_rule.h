/* Draw rules: so many plies in a row without something that cannot be undone, and the game is drawn. There is
   a page of facts for each kind; one rule of a kind is that kind with its number of plies. */
#ifndef DAME_BASE_DRAW_RULE_H
#define DAME_BASE_DRAW_RULE_H

#include <stdbool.h>

/* What the plies are counted without; the number stands in the header of a table. */
enum draw_kind {
    DRAW_PLIES, /* a capture and a man's move */
    DRAW_KINDS
};

struct draw_rule {
    enum draw_kind kind;
    int plies; /* 0: no rule, of the first kind */
};

struct draw_kind_page {
    const char *name;  /* of the option of builds and tables */
    char letter;       /* in names of files, in front of the plies */
    const char *about; /* in words: so many plies ... */
    bool man_moves_reset;
};

static const struct draw_kind_page DRAW_KIND_PAGES[DRAW_KINDS] = {
    [DRAW_PLIES] = {.name = "draw_plies",
                    .letter = 'n',
                    .about = "without capture and man move",
                    .man_moves_reset = true},
};

enum { DRAW_RULE_PLIES_MAX = 65535 }; /* that the name and the header of a file can hold */

static inline const struct draw_kind_page *draw_rule_page(struct draw_rule rule)
{
    return &DRAW_KIND_PAGES[rule.kind];
}

static inline bool draw_rule_equal(struct draw_rule a, struct draw_rule b)
{
    return a.kind == b.kind && a.plies == b.plies;
}

/* The counter after a move. It stops when it is full: the game is drawn then, whatever is played on. */
static inline int draw_rule_clock_after(struct draw_rule rule, int clock, bool capture, bool man_move)
{
    if (rule.plies == 0 || capture || (man_move && draw_rule_page(rule)->man_moves_reset))
        return 0;
    return clock < rule.plies ? clock + 1 : clock;
}

#endif
