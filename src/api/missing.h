/* What is said where a table is missing: which, where it was looked for, and how to make it. */
#ifndef DAME_API_MISSING_H
#define DAME_API_MISSING_H

#include "api/handle.h"

/* One more place where tables were looked for. Those for which there is no room are told as "...". */
void missing_add_place(struct dame_tables *tables, const char *path);

/* Write the text, at most DAME_ERROR_SIZE bytes, and return `text`: "KKvK.wdl in tables (largest there: 2
   pieces); dame-fast build --pieces 3 --out DIR makes it". */
const char *missing_text(const struct dame_tables *tables, const struct missing_table *missing, char *text);

#endif
