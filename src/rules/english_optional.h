/* English draughts with the switch "capture optional" on (rule book, section 4.1). */
#ifndef DAME_RULES_ENGLISH_OPTIONAL_H
#define DAME_RULES_ENGLISH_OPTIONAL_H

#include "boards/board_8x8.h"
#include "rules/rules.h"

static const struct move_rules RULES = {
    .men_capture_backwards = false,
    .men_capture_kings = true,
    .flying_kings = false,
    .must_go_on = false,
    .capture_optional = true,
    .landing = LANDING_NEXT,
    .removal = REMOVAL_AT_END,
    .crowning = CROWNING_STOPS,
    .priority = PRIORITY_FREE,
};

static const struct rules FAMILY[FAMILY_MAX] = {
    {
        .id = "english_optional",
        .name = "English draughts, capture optional",
        .about = "The moves of english, but a capture may be left alone; one that is begun is completed.",
        .men_at_start = 12,
        .white_begins = false,
        .repetitions = 3,
        .misere = false,
        .draw_rule = {DRAW_PLIES, 40},
        .moves = &RULES,
    },
};

#endif
