#include "api/missing.h"

#include <stdio.h>
#include <string.h>

#include "api/names.h"

void missing_add_place(struct dame_tables *tables, const char *path)
{
    static const char REST[] = ", ...";
    const size_t used = strlen(tables->places), room = sizeof tables->places - used;
    const char *comma = used == 0 ? "" : ", ";
    if (strlen(comma) + strlen(path) + sizeof REST <= room)
        snprintf(tables->places + used, room, "%s%s", comma, path);
    else if (used == 0 || strcmp(tables->places + used - strlen("..."), "...") != 0)
        snprintf(tables->places + used, room, "%s...", comma);
}

/* The command that makes a table, without the directory. */
static void write_command(const struct dame_tables *tables, const struct missing_table *missing, char *text,
                          size_t size)
{
    const char *variant = library_kernel(tables->library)->rules->id;
    char rules[48] = "", plies[32] = "";
    if (strcmp(variant, "english") != 0)
        snprintf(rules, sizeof rules, " --variant %s", variant);
    const struct draw_rule rule = tables->draw_rule;
    if (rule.plies != 0)
        snprintf(plies, sizeof plies, " %s %d", draw_rule_page(rule)->option, rule.plies);
    /* Under a draw rule win, draw and loss are made together with the distances. */
    const enum metric metric = metric_has_plies(missing->metric) ? missing->metric : metric_of_rule(rule);
    const bool named = metric_has_plies(metric);
    snprintf(text, size, "dame-fast build --pieces %d%s%s%s%s", material_pieces(missing->material), rules,
             named ? " --metric " : "", named ? metric_page(metric)->name : "", plies);
}

/* Most pieces of any table of a metric, 0 if there is none. */
static int largest_of(const struct library *library, enum metric metric)
{
    int largest = 0;
    for (int i = 0; i < library_count(library); i++) {
        const struct table_header *header = library_header(library, i);
        const int pieces = material_pieces(header->material);
        if (header->metric == metric && pieces > largest)
            largest = pieces;
    }
    return largest;
}

const char *missing_text(const struct dame_tables *tables, const struct missing_table *missing, char *text)
{
    char name[DAME_TABLE_NAME_MAX], command[128], where[sizeof tables->places + 64];
    name_table(missing->material, missing->metric, tables->draw_rule, name);
    const int largest = largest_of(tables->library, missing->metric);
    if (library_count(tables->library) == 0)
        snprintf(where, sizeof where, " (nothing is open)");
    else if (largest == 0)
        snprintf(where, sizeof where, " in %s (no %s table is there)", tables->places,
                 metric_page(missing->metric)->name);
    else
        snprintf(where, sizeof where, " in %s (largest there: %d pieces)", tables->places, largest);
    write_command(tables, missing, command, sizeof command);
    if (material_pieces(missing->material) > PIECES_MAX)
        snprintf(text, DAME_ERROR_SIZE, "%s%s", name, where);
    else
        snprintf(text, DAME_ERROR_SIZE, "%s%s; %s --out DIR makes it", name, where, command);
    return text;
}
