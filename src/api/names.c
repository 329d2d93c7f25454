#include "api/names.h"

#include <stdio.h>
#include <string.h>

static const char *const METRIC_NAMES[METRICS] = {
    [METRIC_WDL] = "wdl", [METRIC_DTW] = "dtw", [METRIC_DTZ] = "dtz"};

enum { RULE_DIGITS_MAX = 5 };

_Static_assert(DAME_TABLE_NAME_MAX >= MATERIAL_NAME_MAX + sizeof ".n65535.wdl", "every name fits");

const char *name_table(struct material material, enum table_metric metric, int draw_plies, char *name)
{
    char pieces[MATERIAL_NAME_MAX], rule[16] = "";
    if (material_pieces(material) > PIECES_MAX) {
        snprintf(name, DAME_TABLE_NAME_MAX, "%d pieces", material_pieces(material));
        return name;
    }
    material_name(material, pieces);
    if (draw_plies != 0)
        snprintf(rule, sizeof rule, ".n%d", draw_plies);
    snprintf(name, DAME_TABLE_NAME_MAX, "%s%s.%s", pieces, rule, METRIC_NAMES[metric]);
    return name;
}

const char *name_metric(enum table_metric metric)
{
    return METRIC_NAMES[metric];
}

/* The number in ".n40", whose end is `end`; 0 if there is no such thing. */
static int parse_rule(const char *name, const char *end)
{
    const char *digit = end;
    int rule = 0;
    while (digit > name && digit[-1] >= '0' && digit[-1] <= '9')
        digit--;
    if (end - digit < 1 || end - digit > RULE_DIGITS_MAX || *digit == '0')
        return 0;
    if (digit - name < 2 || digit[-1] != 'n' || digit[-2] != '.')
        return 0;
    for (; digit < end; digit++)
        rule = rule * 10 + (*digit - '0');
    return rule;
}

bool name_parse(const char *name, enum table_metric *metric, int *draw_plies)
{
    const char *dot = strrchr(name, '.');
    if (dot == NULL || name[0] == '.')
        return false;
    for (int i = 0; i < METRICS; i++)
        if (strcmp(dot + 1, METRIC_NAMES[i]) == 0) {
            *metric = (enum table_metric)i;
            *draw_plies = parse_rule(name, dot);
            return true;
        }
    return false;
}
