/* Russian draughts (FMJD section 64; rule book, section 4.6), and Dame Meister's form of it. */
#ifndef DAME_RULES_RUSSIAN_H
#define DAME_RULES_RUSSIAN_H

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
    .crowning = CROWNING_GOES_KING,
    .priority = PRIORITY_FREE,
};

static const struct rules FAMILY[FAMILY_MAX] = {
    {
        .id = "russian",
        .name = "Russian draughts",
        .about = "Flying kings, men capture in all directions, a man crowned in mid-capture goes on as a "
                 "king; free choice.",
        .game_type = "25,W,8,8,A0,0",
        .men_at_start = 12,
        .white_begins = true,
        .repetitions = 3,
        .misere = false,
        .draw_rule = {0},
        .moves = &RULES,
    },
    {
        .id = "russian_giveaway",
        .name = "Russian draughts, giveaway",
        .about = "The moves of russian; who has no piece or no move left has won.",
        .men_at_start = 12,
        .white_begins = true,
        .repetitions = 3,
        .misere = true,
        .draw_rule = {0},
        .moves = &RULES,
    },
    {
        .id = "dame_meister_russian",
        .name = "Dame Meister, Russian",
        .about = "The moves of russian; drawn after 50 quiet plies.",
        .men_at_start = 12,
        .white_begins = true,
        .repetitions = 3,
        .misere = false,
        .draw_rule = {DRAW_PLIES, 50},
        .moves = &RULES,
    },
    {
        .id = "dame_meister_russian_giveaway",
        .name = "Dame Meister, Russian, giveaway",
        .about = "The moves of dame_meister_russian; who has no piece or no move left has won.",
        .men_at_start = 12,
        .white_begins = true,
        .repetitions = 3,
        .misere = true,
        .draw_rule = {DRAW_PLIES, 50},
        .moves = &RULES,
    },
};

#endif
