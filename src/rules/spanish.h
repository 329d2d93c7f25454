/* Spanish and Portuguese draughts (rule book, section 4.10). */
#ifndef DAME_RULES_SPANISH_H
#define DAME_RULES_SPANISH_H

#include "boards/board_8x8_mirrored.h"
#include "rules/rules.h"

static const struct move_rules RULES = {
    .men_capture_backwards = false,
    .men_capture_kings = true,
    .flying_kings = true,
    .must_go_on = false,
    .capture_optional = false,
    .landing = LANDING_ANY,
    .removal = REMOVAL_AT_END,
    .crowning = CROWNING_STOPS,
    .priority = PRIORITY_MOST_KINGS,
};

static const struct rules FAMILY[FAMILY_MAX] = {
    {
        .id = "spanish",
        .name = "Spanish draughts",
        .about = "Flying kings, men capture forwards only; the most pieces, then the most kings, must be "
                 "captured.",
        .game_type = "24,W,8,8,N1,1",
        .men_at_start = 12,
        .white_begins = true,
        .repetitions = 3,
        .misere = false,
        .draw_rule = {DRAW_PLIES, 50},
        .moves = &RULES,
    },
    {
        .id = "spanish_giveaway",
        .name = "Spanish draughts, giveaway",
        .about = "The moves of spanish; who has no piece or no move left has won.",
        .men_at_start = 12,
        .white_begins = true,
        .repetitions = 3,
        .misere = true,
        .draw_rule = {DRAW_PLIES, 50},
        .moves = &RULES,
    },
    {
        .id = "portuguese",
        .name = "Portuguese draughts",
        .about = "The moves of spanish, under a name and a GameType of its own.",
        .game_type = "28,W,8,8,N1,1",
        .men_at_start = 12,
        .white_begins = true,
        .repetitions = 3,
        .misere = false,
        .draw_rule = {DRAW_PLIES, 50},
        .moves = &RULES,
    },
    {
        .id = "portuguese_giveaway",
        .name = "Portuguese draughts, giveaway",
        .about = "The moves of portuguese; who has no piece or no move left has won.",
        .men_at_start = 12,
        .white_begins = true,
        .repetitions = 3,
        .misere = true,
        .draw_rule = {DRAW_PLIES, 50},
        .moves = &RULES,
    },
};

#endif
