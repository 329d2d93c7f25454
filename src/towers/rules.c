#include "towers/rules.h"

#include <stddef.h>
#include <string.h>

const struct board TOWER_BOARD = {.squares = 32, .columns = 4, .rows = 8, .men_squares = 28};

static const struct move_rules MOVES = {
    .men_capture_backwards = true,
    .men_capture_kings = true,
    .flying_kings = true,
    .must_go_on = true,
    .capture_optional = false,
    .landing = LANDING_ANY,
    .removal = REMOVAL_AT_ONCE,
    .crowning = CROWNING_GOES_KING,
    .priority = PRIORITY_FREE,
};

static const struct tower_rules RULE_SETS[] = {
    {
        .rules =
            {
                .id = "bashni",
                .name = "Bashni (towers)",
                .about = "Russian draughts with towers: a captured piece goes under the capturing stack.",
                .men_at_start = 12,
                .white_begins = true,
                .repetitions = 3,
                .misere = false,
                .draw_rule = {DRAW_PLIES, 50},
                .moves = &MOVES,
            },
        .jump_again = false,
    },
    {
        .rules =
            {
                .id = "bashni_giveaway",
                .name = "Bashni (towers), giveaway",
                .about = "The moves of bashni; who has no piece or no move left has won.",
                .men_at_start = 12,
                .white_begins = true,
                .repetitions = 3,
                .misere = true,
                .draw_rule = {DRAW_PLIES, 50},
                .moves = &MOVES,
            },
        .jump_again = false,
    },
    {
        .rules =
            {
                .id = "bashni_again",
                .name = "Bashni (towers), jumping again",
                .about = "The moves of bashni, but one move may jump the same stack again, and a king may "
                         "turn back.",
                .men_at_start = 12,
                .white_begins = true,
                .repetitions = 3,
                .misere = false,
                .draw_rule = {DRAW_PLIES, 50},
                .moves = &MOVES,
            },
        .jump_again = true,
    },
    {
        .rules =
            {
                .id = "bashni_again_giveaway",
                .name = "Bashni (towers), jumping again, giveaway",
                .about = "The moves of bashni_again; who has no piece or no move left has won.",
                .men_at_start = 12,
                .white_begins = true,
                .repetitions = 3,
                .misere = true,
                .draw_rule = {DRAW_PLIES, 50},
                .moves = &MOVES,
            },
        .jump_again = true,
    },
};

enum { RULE_SET_COUNT = sizeof RULE_SETS / sizeof RULE_SETS[0] };

const struct tower_rules *tower_rules_at(int index)
{
    return index >= 0 && index < RULE_SET_COUNT ? &RULE_SETS[index] : NULL;
}

const struct tower_rules *tower_rules_find(const char *variant)
{
    for (int i = 0; i < RULE_SET_COUNT; i++)
        if (strcmp(RULE_SETS[i].rules.id, variant) == 0)
            return &RULE_SETS[i];
    return NULL;
}
