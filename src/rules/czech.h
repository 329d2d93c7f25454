/* Czech draughts (rule book, section 4.10). */
#ifndef DAME_RULES_CZECH_H
#define DAME_RULES_CZECH_H

#include "boards/board_8x8.h"
#include "rules/rules.h"

static const struct move_rules RULES = {
    .men_capture_backwards = false,
    .men_capture_kings = true,
    .flying_kings = true,
    .must_go_on = true,
    .capture_optional = false,
    .landing = LANDING_ANY,
    .removal = REMOVAL_AT_END,
    .crowning = CROWNING_STOPS,
    .priority = PRIORITY_KING_FIRST,
};

static const struct rules FAMILY[FAMILY_MAX] = {
    {
        .id = "czech",
        .name = "Czech draughts",
        .about = "Flying kings, men capture forwards only; a capture by a king goes before one by a man, "
                 "else free choice.",
        .game_type = "29,W,8,8,A0,0",
        .men_at_start = 12,
        .white_begins = true,
        .repetitions = 3,
        .misere = false,
        .draw_rule = {DRAW_PLIES, 30},
        .moves = &RULES,
    },
    {
        .id = "czech_giveaway",
        .name = "Czech draughts, giveaway",
        .about = "The moves of czech; who has no piece or no move left has won.",
        .men_at_start = 12,
        .white_begins = true,
        .repetitions = 3,
        .misere = true,
        .draw_rule = {DRAW_PLIES, 30},
        .moves = &RULES,
    },
};

#endif
