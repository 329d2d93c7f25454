#include "altdeutsch/rules.h"

#include <stddef.h>
#include <string.h>

const struct board ALTDEUTSCH_BOARD = {.squares = 64, .columns = 8, .rows = 8, .men_squares = 56};

static const struct move_rules MOVES = {
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

static const struct rules RULE_SETS[] = {
    {
        .id = "altdeutsch",
        .name = "Old German draughts",
        .about = "All 64 squares: men capture forwards and sideways, short kings in eight directions.",
        .men_at_start = 16,
        .white_begins = true,
        .repetitions = 3,
        .misere = false,
        .draw_rule = {DRAW_PLIES, 50},
        .perft_by_moves = true,
        .moves = &MOVES,
    },
    {
        .id = "altdeutsch_giveaway",
        .name = "Old German draughts, giveaway",
        .about = "The moves of altdeutsch; who has no piece or no move left has won.",
        .men_at_start = 16,
        .white_begins = true,
        .repetitions = 3,
        .misere = true,
        .draw_rule = {DRAW_PLIES, 50},
        .perft_by_moves = true,
        .moves = &MOVES,
    },
};

enum { RULE_SET_COUNT = sizeof RULE_SETS / sizeof RULE_SETS[0] };

const struct rules *altdeutsch_rules_at(int index)
{
    return index >= 0 && index < RULE_SET_COUNT ? &RULE_SETS[index] : NULL;
}

const struct rules *altdeutsch_rules_find(const char *variant)
{
    for (int i = 0; i < RULE_SET_COUNT; i++)
        if (strcmp(RULE_SETS[i].id, variant) == 0)
            return &RULE_SETS[i];
    return NULL;
}

bool altdeutsch_supports(const struct move_rules *rules)
{
    return !rules->men_capture_backwards && rules->men_capture_kings && !rules->capture_optional &&
           rules->removal == REMOVAL_AT_END && rules->crowning == CROWNING_STOPS &&
           (rules->priority == PRIORITY_FREE || rules->priority == PRIORITY_MOST);
}
