/* Russian draughts (FMJD section 64; rule book, section 4.6). */
#ifndef DAME_RULES_RUSSIAN_H
#define DAME_RULES_RUSSIAN_H

#include "boards/board_8x8.h"
#include "rules/rules.h"

static const struct rules RULES = {
    .id = "russian",
    .name = "Russian draughts",
    .game_type = "25,W,8,8,A0,0",
    .men_at_start = 12,
    .white_begins = true,
    .men_capture_backwards = true,
    .men_capture_kings = true,
    .flying_kings = true,
    .must_go_on = true,
    .capture_optional = false,
    .misere = false,
    .landing = LANDING_ANY,
    .removal = REMOVAL_AT_END,
    .crowning = CROWNING_GOES_KING,
    .priority = PRIORITY_FREE,
};

#endif
