/* German draughts as the maker ASS prints it (rule book, section 4.3). */
#ifndef DAME_RULES_GERMAN_ASS_H
#define DAME_RULES_GERMAN_ASS_H

#include "boards/board_8x8.h"
#include "rules/rules.h"

static const struct move_rules RULES = {
    .men_capture_backwards = false,
    .men_capture_kings = true,
    .flying_kings = true,
    .must_go_on = false,
    .capture_optional = false,
    .landing = LANDING_NEXT,
    .removal = REMOVAL_AT_END,
    .crowning = CROWNING_STOPS,
    .priority = PRIORITY_FREE,
};

static const struct rules FAMILY[FAMILY_MAX] = {
    {
        .id = "german_ass",
        .name = "German draughts (ASS)",
        .about = "Flying kings that land directly behind each captured piece, men capture forwards only, "
                 "free choice.",
        .men_at_start = 12,
        .white_begins = true,
        .repetitions = 3,
        .misere = false,
        .draw_rule = {DRAW_PLIES, 50},
        .moves = &RULES,
    },
    {
        .id = "german_ass_giveaway",
        .name = "German draughts (ASS), giveaway",
        .about = "The moves of german_ass; who has no piece or no move left has won.",
        .men_at_start = 12,
        .white_begins = true,
        .repetitions = 3,
        .misere = true,
        .draw_rule = {DRAW_PLIES, 50},
        .moves = &RULES,
    },
};

#endif
