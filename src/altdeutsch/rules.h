/* The rule sets on all 64 squares (rule book, section 9.2), in the terms of all rule sets.

   What may be chosen: `flying_kings` with `landing` and `must_go_on`, and `priority`, free or most. The other
   fields are what makes the game and can have one value only, see altdeutsch_supports(). That men capture
   forwards and sideways and kings in eight directions is told by no field. */
#ifndef DAME_ALTDEUTSCH_RULES_H
#define DAME_ALTDEUTSCH_RULES_H

#include <stdbool.h>

#include "boards/board.h"
#include "rules/rules.h"

/* The board on which all of them are played. */
extern const struct board ALTDEUTSCH_BOARD;

/* NULL if there is no such rule set of that name. */
const struct rules *altdeutsch_rules_find(const char *variant);

/* The `index`-th rule set, NULL after the last one and before the first. */
const struct rules *altdeutsch_rules_at(int index);

/* Whether the generator can play by these rules. */
bool altdeutsch_supports(const struct move_rules *rules);

#endif
