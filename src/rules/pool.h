/* Pool checkers (APCA; rule book, section 4.7). */
#ifndef DAME_RULES_POOL_H
#define DAME_RULES_POOL_H

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
    .crowning = CROWNING_GOES_MAN,
    .priority = PRIORITY_FREE,
};

static const struct rules FAMILY[FAMILY_MAX] = {
    {
        .id = "pool",
        .name = "Pool checkers",
        .about = "Flying kings, men capture in all directions, a man passes the last row in mid-capture as a "
                 "man; free choice.",
        .game_type = "23,B,8,8,N1,0",
        .men_at_start = 12,
        .white_begins = false,
        .repetitions = 3,
        .misere = false,
        .draw_rule = {0},
        .moves = &RULES,
    },
    {
        .id = "pool_giveaway",
        .name = "Pool checkers, giveaway",
        .about = "The moves of pool; who has no piece or no move left has won.",
        .men_at_start = 12,
        .white_begins = false,
        .repetitions = 3,
        .misere = true,
        .draw_rule = {0},
        .moves = &RULES,
    },
};

#endif
