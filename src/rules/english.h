/* English draughts, American checkers (WCDF rules of play; rule book, section 4.1), and rule sets with the
   same moves (4.2, 4.5). */
#ifndef DAME_RULES_ENGLISH_H
#define DAME_RULES_ENGLISH_H

#include "boards/board_8x8.h"
#include "rules/rules.h"

static const struct move_rules RULES = {
    .men_capture_backwards = false,
    .men_capture_kings = true,
    .flying_kings = false,
    .must_go_on = false,
    .capture_optional = false,
    .landing = LANDING_NEXT,
    .removal = REMOVAL_AT_END,
    .crowning = CROWNING_STOPS,
    .priority = PRIORITY_FREE,
};

static const struct rules FAMILY[FAMILY_MAX] = {
    {
        .id = "english",
        .name = "English draughts (American checkers)",
        .about = "Short kings, men capture forwards only, free choice among captures.",
        .game_type = "21,B,8,8,N1,0",
        .men_at_start = 12,
        .white_begins = false,
        .repetitions = 3,
        .misere = false,
        .draw_rule = {DRAW_PLIES, 40},
        .moves = &RULES,
    },
    {
        .id = "english_giveaway",
        .name = "English draughts (American checkers), giveaway",
        .about = "The moves of english; who has no piece or no move left has won.",
        .men_at_start = 12,
        .white_begins = false,
        .repetitions = 3,
        .misere = true,
        .draw_rule = {DRAW_PLIES, 40},
        .moves = &RULES,
    },
    {
        .id = "checkers_page",
        .name = "Checkers, drawn by captures alone",
        .about = "The moves of english; drawn after 100 plies without a capture, moves of men count as well.",
        .game_type = "21",
        .men_at_start = 12,
        .white_begins = false,
        .repetitions = 3,
        .misere = false,
        .draw_rule = {DRAW_CAPTURES, 100},
        .moves = &RULES,
    },
    {
        .id = "checkers_page_giveaway",
        .name = "Checkers, drawn by captures alone, giveaway",
        .about = "The moves of checkers_page; who has no piece or no move left has won.",
        .men_at_start = 12,
        .white_begins = false,
        .repetitions = 3,
        .misere = true,
        .draw_rule = {DRAW_CAPTURES, 100},
        .moves = &RULES,
    },
    {
        .id = "dame_meister_american",
        .name = "Dame Meister, American",
        .about = "The moves of english, but White begins; drawn after 50 quiet plies.",
        .men_at_start = 12,
        .white_begins = true,
        .repetitions = 3,
        .misere = false,
        .draw_rule = {DRAW_PLIES, 50},
        .moves = &RULES,
    },
    {
        .id = "dame_meister_american_giveaway",
        .name = "Dame Meister, American, giveaway",
        .about = "The moves of dame_meister_american; who has no piece or no move left has won.",
        .men_at_start = 12,
        .white_begins = true,
        .repetitions = 3,
        .misere = true,
        .draw_rule = {DRAW_PLIES, 50},
        .moves = &RULES,
    },
};

#endif
