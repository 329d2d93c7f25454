/* Brazilian draughts (FMJD section 64; rule book, section 4.8). */
#ifndef DAME_RULES_BRAZILIAN_H
#define DAME_RULES_BRAZILIAN_H

#include "boards/board_8x8.h"
#include "rules/rules.h"

static const struct move_rules RULES = {
    .men_capture_backwards = true,
    .men_capture_kings = true,
    .flying_kings = true,
    .must_go_on = false,
    .capture_optional = false,
    .landing = LANDING_ANY,
    .removal = REMOVAL_AT_END,
    .crowning = CROWNING_GOES_MAN,
    .priority = PRIORITY_MOST,
};

static const struct rules FAMILY[FAMILY_MAX] = {
    {
        .id = "brazilian",
        .name = "Brazilian draughts",
        .about = "The moves of international on 64 squares: the most pieces must be captured.",
        .game_type = "26,W,8,8,A0,0",
        .men_at_start = 12,
        .white_begins = true,
        .repetitions = 3,
        .misere = false,
        .draw_rule = {0},
        .moves = &RULES,
    },
    {
        .id = "brazilian_giveaway",
        .name = "Brazilian draughts, giveaway",
        .about = "The moves of brazilian; who has no piece or no move left has won.",
        .men_at_start = 12,
        .white_begins = true,
        .repetitions = 3,
        .misere = true,
        .draw_rule = {0},
        .moves = &RULES,
    },
};

#endif
