/* Dame Meister with the switch "forced capture" off (rule book, section 4.5). */
#ifndef DAME_RULES_DAME_MEISTER_OPTIONAL_H
#define DAME_RULES_DAME_MEISTER_OPTIONAL_H

#include "boards/board_8x8.h"
#include "rules/rules.h"

static const struct move_rules RULES = {
    .men_capture_backwards = true,
    .men_capture_kings = true,
    .flying_kings = true,
    .must_go_on = true,
    .capture_optional = true,
    .landing = LANDING_ANY,
    .removal = REMOVAL_AT_END,
    .crowning = CROWNING_STOPS,
    .priority = PRIORITY_FREE,
};

static const struct rules FAMILY[FAMILY_MAX] = {
    {
        .id = "dame_meister_optional",
        .name = "Dame Meister, capture optional",
        .about =
            "The moves of dame_meister, but a capture may be left alone; one that is begun is completed.",
        .men_at_start = 12,
        .white_begins = true,
        .repetitions = 3,
        .misere = false,
        .draw_rule = {DRAW_PLIES, 50},
        .moves = &RULES,
    },
};

#endif
