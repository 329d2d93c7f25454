/* What tables are called: KKMvKM.wdl, with a draw rule KKMvKM.n40.wdl. */
#ifndef DAME_API_NAMES_H
#define DAME_API_NAMES_H

#include <stdbool.h>

#include "dame.h"
#include "slices/material.h"
#include "tables/layout.h"

/* Write the name, at most DAME_TABLE_NAME_MAX bytes, and return `name`. More pieces than any table has give a
   text that says so. */
const char *name_table(struct material material, enum metric metric, struct draw_rule rule, char *name);

/* Whether a file of this name is a table: *metric and *rule as the name says. */
bool name_parse(const char *name, enum metric *metric, struct draw_rule *rule);

#endif
