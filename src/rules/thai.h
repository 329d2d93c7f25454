/* Thai draughts (rule book, section 4.10), and a form with twelve men that a published perft table uses. */
#ifndef DAME_RULES_THAI_H
#define DAME_RULES_THAI_H

#include "boards/board_8x8.h"
#include "rules/rules.h"

static const struct move_rules RULES = {
    .men_capture_backwards = false,
    .men_capture_kings = true,
    .flying_kings = true,
    .must_go_on = false,
    .capture_optional = false,
    .landing = LANDING_NEXT,
    .removal = REMOVAL_AT_ONCE,
    .crowning = CROWNING_STOPS,
    .priority = PRIORITY_FREE,
};

static const struct rules FAMILY[FAMILY_MAX] = {
    {
        .id = "thai",
        .name = "Thai draughts",
        .about = "Eight men a side; flying kings land directly behind, captured pieces vanish at once, men "
                 "capture forwards only.",
        .game_type = "31,B,8,8,N2,0",
        .men_at_start = 8,
        .white_begins = false,
        .repetitions = 3,
        .misere = false,
        .draw_rule = {DRAW_PLIES, 50},
        .moves = &RULES,
    },
    {
        .id = "thai_giveaway",
        .name = "Thai draughts, giveaway",
        .about = "The moves of thai; who has no piece or no move left has won.",
        .men_at_start = 8,
        .white_begins = false,
        .repetitions = 3,
        .misere = true,
        .draw_rule = {DRAW_PLIES, 50},
        .moves = &RULES,
    },
    {
        .id = "thai12",
        .name = "Thai draughts with twelve men",
        .about = "The moves of thai, from the starting position of the other rule sets.",
        .men_at_start = 12,
        .white_begins = false,
        .repetitions = 3,
        .misere = false,
        .draw_rule = {DRAW_PLIES, 50},
        .moves = &RULES,
    },
    {
        .id = "thai12_giveaway",
        .name = "Thai draughts with twelve men, giveaway",
        .about = "The moves of thai12; who has no piece or no move left has won.",
        .men_at_start = 12,
        .white_begins = false,
        .repetitions = 3,
        .misere = true,
        .draw_rule = {DRAW_PLIES, 50},
        .moves = &RULES,
    },
};

#endif
