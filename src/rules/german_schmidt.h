/* German draughts as the makers Schmidt and Noris print it, and Dame Meister without backward captures (rule
   book, sections 4.3 and 4.5). */
#ifndef DAME_RULES_GERMAN_SCHMIDT_H
#define DAME_RULES_GERMAN_SCHMIDT_H

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
    .priority = PRIORITY_FREE,
};

static const struct rules FAMILY[FAMILY_MAX] = {
    {
        .id = "german_schmidt",
        .name = "German draughts (Schmidt)",
        .about = "Flying kings that land on any free square behind, men capture forwards only, free choice.",
        .men_at_start = 12,
        .white_begins = true,
        .repetitions = 3,
        .misere = false,
        .draw_rule = {DRAW_PLIES, 50},
        .moves = &RULES,
    },
    {
        .id = "german_schmidt_giveaway",
        .name = "German draughts (Schmidt), giveaway",
        .about = "The moves of german_schmidt; who has no piece or no move left has won.",
        .men_at_start = 12,
        .white_begins = true,
        .repetitions = 3,
        .misere = true,
        .draw_rule = {DRAW_PLIES, 50},
        .moves = &RULES,
    },
    {
        .id = "german_noris",
        .name = "German draughts (Noris)",
        .about = "The moves of german_schmidt; the leaflet does not say where a king lands.",
        .men_at_start = 12,
        .white_begins = true,
        .repetitions = 3,
        .misere = false,
        .draw_rule = {DRAW_PLIES, 50},
        .moves = &RULES,
    },
    {
        .id = "german_noris_giveaway",
        .name = "German draughts (Noris), giveaway",
        .about = "The moves of german_noris; who has no piece or no move left has won.",
        .men_at_start = 12,
        .white_begins = true,
        .repetitions = 3,
        .misere = true,
        .draw_rule = {DRAW_PLIES, 50},
        .moves = &RULES,
    },
    {
        .id = "dame_meister_no_back",
        .name = "Dame Meister, no backward capture",
        .about = "dame_meister with its switch for backward captures off; the moves of german_schmidt.",
        .men_at_start = 12,
        .white_begins = true,
        .repetitions = 3,
        .misere = false,
        .draw_rule = {DRAW_PLIES, 50},
        .moves = &RULES,
    },
    {
        .id = "dame_meister_no_back_giveaway",
        .name = "Dame Meister, no backward capture, giveaway",
        .about = "The moves of dame_meister_no_back; who has no piece or no move left has won.",
        .men_at_start = 12,
        .white_begins = true,
        .repetitions = 3,
        .misere = true,
        .draw_rule = {DRAW_PLIES, 50},
        .moves = &RULES,
    },
};

#endif
