/* German draughts of Dame Meister (rule book, section 4.5). */
#ifndef DAME_RULES_DAME_MEISTER_H
#define DAME_RULES_DAME_MEISTER_H

#include "boards/board_8x8.h"
#include "rules/rules.h"

static const struct move_rules RULES = {
    .men_capture_backwards = true,
    .men_capture_kings = true,
    .flying_kings = true,
    .must_go_on = true,
    .capture_optional = false,
    .landing = LANDING_ANY,
    .removal = REMOVAL_AT_END,
    .crowning = CROWNING_STOPS,
    .priority = PRIORITY_FREE,
};

static const struct rules FAMILY[FAMILY_MAX] = {
    {
        .id = "dame_meister",
        .name = "Dame Meister, German",
        .about = "Flying kings, men capture in all directions, crowning ends the move; free choice.",
        .men_at_start = 12,
        .white_begins = true,
        .repetitions = 3,
        .misere = false,
        .draw_rule = {DRAW_PLIES, 50},
        .moves = &RULES,
    },
    {
        .id = "dame_meister_giveaway",
        .name = "Dame Meister, German, giveaway",
        .about = "The moves of dame_meister; who has no piece or no move left has won.",
        .men_at_start = 12,
        .white_begins = true,
        .repetitions = 3,
        .misere = true,
        .draw_rule = {DRAW_PLIES, 50},
        .moves = &RULES,
    },
};

#endif
