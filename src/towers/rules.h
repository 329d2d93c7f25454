/* The rule sets with towers (rule book, section 9.1): the page of facts of each.

   What they share with Russian draughts is written down in the same terms, for whoever lists rule sets; it is
   not looked at here. Of `removal`: a captured piece leaves its square at once, the rest of its stack stays.
 */
#ifndef DAME_TOWERS_RULES_H
#define DAME_TOWERS_RULES_H

#include <stdbool.h>

#include "boards/board.h"
#include "rules/rules.h"

struct tower_rules {
    struct rules rules;
    bool jump_again; /* one move may jump the same stack more than once, and a king may turn back for it */
};

/* The board on which all of them are played. */
extern const struct board TOWER_BOARD;

/* NULL if there is no rule set with towers of that name. */
const struct tower_rules *tower_rules_find(const char *variant);

/* The `index`-th rule set, NULL after the last one and before the first. */
const struct tower_rules *tower_rules_at(int index);

#endif
