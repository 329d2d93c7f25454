/* International draughts on 100 squares (FMJD rules; rule book, section 4.8). */
#ifndef DAME_RULES_INTERNATIONAL_H
#define DAME_RULES_INTERNATIONAL_H

#include "boards/board_10x10.h"
#include "rules/rules.h"

static const struct rules RULES = {
    .id = "international",
    .name = "International draughts",
    .game_type = "20,W,10,10,N2,0",
    .men_at_start = 20,
    .white_begins = true,
    .men_capture_backwards = true,
    .men_capture_kings = true,
    .flying_kings = true,
    .must_go_on = false,
    .capture_optional = false,
    .misere = false,
    .landing = LANDING_ANY,
    .removal = REMOVAL_AT_END,
    .crowning = CROWNING_GOES_MAN,
    .priority = PRIORITY_MOST,
};

#endif
