/* English draughts, American checkers (WCDF rules of play; rule book, section 4.1). */
#ifndef DAME_RULES_ENGLISH_H
#define DAME_RULES_ENGLISH_H

#include "boards/board_8x8.h"
#include "rules/rules.h"

static const struct rules RULES = {
    .id = "english",
    .name = "English draughts (American checkers)",
    .game_type = "21,B,8,8,N1,0",
    .men_at_start = 12,
    .white_begins = false,
    .men_capture_backwards = false,
    .men_capture_kings = true,
    .flying_kings = false,
    .must_go_on = false,
    .capture_optional = false,
    .misere = false,
    .landing = LANDING_NEXT,
    .removal = REMOVAL_AT_END,
    .crowning = CROWNING_STOPS,
    .priority = PRIORITY_FREE,
};

#endif
