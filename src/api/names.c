#include "api/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RULE_DIGITS_MAX = 5 };

_Static_assert(DAME_TABLE_NAME_MAX >= MATERIAL_NAME_MAX + sizeof ".n65535.wdl", "every name fits");

const char *name_table(struct material material, enum metric metric, struct draw_rule rule, char *name)
{
    char pieces[MATERIAL_NAME_MAX], middle[16] = "";
    if (material_pieces(material) > PIECES_MAX) {
        snprintf(name, DAME_TABLE_NAME_MAX, "%d pieces", material_pieces(material));
        return name;
    }
    material_name(material, pieces);
    if (rule.plies != 0)
        snprintf(middle, sizeof middle, ".%c%d", draw_rule_page(rule)->letter, rule.plies);
    snprintf(name, DAME_TABLE_NAME_MAX, "%s%s.%s", pieces, middle, metric_page(metric)->name);
    return name;
}

/* The rule in ".n40", whose end is `end`; none if there is no such thing. */
static struct draw_rule parse_rule(const char *name, const char *end)
{
    const char *digit = end;
    struct draw_rule rule = {0};
    while (digit > name && digit[-1] >= '0' && digit[-1] <= '9')
        digit--;
    if (end - digit < 1 || end - digit > RULE_DIGITS_MAX || *digit == '0')
        return rule;
    if (digit - name < 2 || digit[-2] != '.')
        return rule;
    for (int counter = 0; counter < DRAW_COUNTERS; counter++)
        if (digit[-1] == DRAW_COUNTER_PAGES[counter].letter) {
            rule.counter = (enum draw_counter)counter;
            rule.plies = (int)strtol(digit, NULL, 10);
        }
    return rule;
}

bool name_parse(const char *name, enum metric *metric, struct draw_rule *rule)
{
    const char *dot = strrchr(name, '.');
    if (dot == NULL || name[0] == '.')
        return false;
    for (int i = 0; i < METRICS; i++)
        if (strcmp(dot + 1, METRIC_PAGES[i].name) == 0) {
            *metric = (enum metric)i;
            *rule = parse_rule(name, dot);
            return true;
        }
    return false;
}
