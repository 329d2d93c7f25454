/* What a rule set is made of. Rule sets with the same moves share a page of facts: a `static const struct
   move_rules RULES` and the FAMILY of those that play by them. A kernel is compiled for each page, so a test
   such as `if (RULES.flying_kings)` costs nothing. */
#ifndef DAME_RULES_RULES_H
#define DAME_RULES_RULES_H

#include <stdbool.h>

#include "base/draw_rule.h"

enum landing {
    LANDING_NEXT, /* directly behind the captured piece */
    LANDING_ANY   /* any free square behind it up to the next piece (flying kings) */
};

enum removal {
    REMOVAL_AT_END, /* captured pieces stay until the move is over and block the way */
    REMOVAL_AT_ONCE /* they vanish jump by jump */
};

/* What happens to a man that reaches its crown row by a jump and could go on. */
enum crowning {
    CROWNING_STOPS,    /* it is crowned and the move is over */
    CROWNING_GOES_MAN, /* it goes on as a man and is crowned only if the move ends there */
    CROWNING_GOES_KING /* it is crowned at once and goes on as a king */
};

enum priority {
    PRIORITY_FREE,       /* any capture */
    PRIORITY_MOST,       /* most pieces */
    PRIORITY_MOST_KINGS, /* most pieces, then most kings among them */
    PRIORITY_ITALIAN,    /* most pieces, by a king, most kings, kings as early as possible */
    PRIORITY_KING_FIRST  /* by a king if a king can */
};

/* How pieces move. */
struct move_rules {
    bool men_capture_backwards;
    bool men_capture_kings;
    bool flying_kings;
    bool must_go_on; /* with LANDING_ANY: choose a landing square from which the capture goes on */
    bool capture_optional;
    enum landing landing;
    enum removal removal;
    enum crowning crowning;
    enum priority priority;
};

/* One rule set; several can have the same moves. */
struct rules {
    const char *id;
    const char *name;
    const char *about;     /* a sentence */
    const char *game_type; /* of PDN; NULL if there is none */
    int men_at_start;
    bool white_begins;
    int repetitions; /* a position that occurs so often, with the same side to move, makes a game drawn */
    bool misere;     /* a side to move without a move has won */
    struct draw_rule draw_rule; /* the usual one */
    /* In published tables of perft, captures that differ in the order of their jumps only are one move; else
       each order counts (rule book, section 2.6). */
    bool perft_by_moves;
    const struct move_rules *moves;
};

enum { FAMILY_MAX = 6 }; /* rule sets on one page */

#endif
