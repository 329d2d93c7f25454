/* Italian draughts (FID; rule book, section 4.9). */
#ifndef DAME_RULES_ITALIAN_H
#define DAME_RULES_ITALIAN_H

#include "boards/board_8x8_mirrored.h"
#include "rules/rules.h"

static const struct move_rules RULES = {
    .men_capture_backwards = false,
    .men_capture_kings = false,
    .flying_kings = false,
    .must_go_on = false,
    .capture_optional = false,
    .landing = LANDING_NEXT,
    .removal = REMOVAL_AT_END,
    .crowning = CROWNING_STOPS,
    .priority = PRIORITY_ITALIAN,
};

static const struct rules FAMILY[FAMILY_MAX] = {
    {
        .id = "italian",
        .name = "Italian draughts",
        .about = "Short kings, which men cannot capture; the capture of most pieces, by a king, of most "
                 "kings, kings soonest.",
        .game_type = "22,W,8,8,N2,1",
        .men_at_start = 12,
        .white_begins = true,
        .repetitions = 4,
        .misere = false,
        .draw_rule = {DRAW_PLIES, 80},
        .moves = &RULES,
    },
    {
        .id = "italian_giveaway",
        .name = "Italian draughts, giveaway",
        .about = "The moves of italian; who has no piece or no move left has won.",
        .men_at_start = 12,
        .white_begins = true,
        .repetitions = 4,
        .misere = true,
        .draw_rule = {DRAW_PLIES, 80},
        .moves = &RULES,
    },
};

#endif
