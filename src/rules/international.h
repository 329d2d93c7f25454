/* International draughts on 100 squares (FMJD rules; rule book, section 4.8). */
#ifndef DAME_RULES_INTERNATIONAL_H
#define DAME_RULES_INTERNATIONAL_H

#include "boards/board_10x10.h"
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
        .id = "international",
        .name = "International draughts",
        .about =
            "100 squares; flying kings, men capture in all directions, the most pieces must be captured.",
        .game_type = "20,W,10,10,N2,0",
        .men_at_start = 20,
        .white_begins = true,
        .repetitions = 3,
        .misere = false,
        .draw_rule = {DRAW_PLIES, 50},
        .perft_by_moves = true,
        .moves = &RULES,
    },
    {
        .id = "international_giveaway",
        .name = "International draughts, giveaway",
        .about = "The moves of international; who has no piece or no move left has won.",
        .game_type = "98",
        .men_at_start = 20,
        .white_begins = true,
        .repetitions = 3,
        .misere = true,
        .draw_rule = {DRAW_PLIES, 50},
        .perft_by_moves = true,
        .moves = &RULES,
    },
};

#endif
