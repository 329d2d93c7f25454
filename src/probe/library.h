/* The open tables of one rule set.

   Use: library_create, library_add_file for every file, then, if wanted, library_preload and library_resolve;
   from then on any number of threads may probe (value.h). library_destroy when no thread uses it any more.
   Functions with a `detail` write at most DETAIL_MAX bytes there when they fail; it may be NULL. */
#ifndef DAME_PROBE_LIBRARY_H
#define DAME_PROBE_LIBRARY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "kernel/kernel.h"
#include "slices/material.h"
#include "tables/cache.h"
#include "tables/layout.h"
#include "tables/reader.h"

struct library;

/* A table that is not there. */
struct missing_table {
    struct material material;
    enum metric metric;
};

/* An empty library. `codec` (copied; NULL: none) decodes the blocks, at most `cache_bytes` of decoded blocks
   are kept. DAME_BAD_ARGUMENT: no such rule set. DAME_NO_MEMORY. */
enum dame_status library_create(const char *variant, const struct codec *codec, uint64_t cache_bytes,
                                struct library **out);

void library_destroy(struct library *library); /* NULL is allowed */

/* Another library of the same open files, with a cache of its own and nothing preloaded. No table of
   `library` may be from memory. It may be in use meanwhile; each of the two is destroyed by itself.
   DAME_NO_MEMORY. */
enum dame_status library_copy(const struct library *library, uint64_t cache_bytes, struct library **out);

/* Open a table file of any metric (table_open says what may fail). A table that is there already is passed
   over if the files are one, or have the same bytes. DAME_BAD_ARGUMENT: they have not, or its draw rule
   is another one than that of the tables that are open. */
enum dame_status library_add_file(struct library *library, const char *path, char *detail);

/* Add a table that is in memory: values as a file holds them (values.h) are copied, `header` needs the same
   fields as for writer_write. DAME_BAD_ARGUMENT, DAME_NO_MEMORY. */
enum dame_status library_add_values(struct library *library, const struct table_header *header,
                                    const uint8_t *packed, char *detail);

/* Read all tables of at most `max_pieces` pieces into memory, 2 bits a value, distances 8. Tables already
   there are skipped, and so are those for which `max_bytes` do not suffice, counted from the fewest pieces on
   in the order in which they were added. *progress (may be NULL) grows by the values that are read,
   header.values of each table. DAME_CANCELLED, DAME_NO_MEMORY and all failures of table_read. */
enum dame_status library_preload(struct library *library, int max_pieces, uint64_t max_bytes, int threads,
                                 const atomic_bool *cancel, atomic_uint_fast64_t *progress, char *detail);

/* Replace what preloaded tables hold for captures and answered threats by the values of these positions.
   Then a probe is one look-up in each table. Takes about as long as verifying half of the positions.
   `*progress` (`progress` may be NULL) grows by header.values of each table.
   DAME_NO_TABLE: captures lead to a slice without a table, or there is a table of distances without that of
   win, draw and loss; `*missing` (`missing` may be NULL) says which; tables of fewer pieces may have been
   resolved. */
enum dame_status library_resolve(struct library *library, int max_pieces, int threads,
                                 const atomic_bool *cancel, atomic_uint_fast64_t *progress,
                                 struct missing_table *missing, char *detail);

const struct kernel *library_kernel(const struct library *library);

/* Tables in the order in which they were added, 0 <= index < library_count. */
int library_count(const struct library *library);
const struct table_header *library_header(const struct library *library, int index);

/* The open file, for table_check; NULL if the table was added from memory. */
const struct table *library_table(const struct library *library, int index);

/* The index of the table of this material and metric, -1 if there is none. */
int library_find(const struct library *library, struct material material, enum metric metric);

/* Whether there is a table of this metric. */
bool library_has(const struct library *library, enum metric metric);

/* The draw rule of all tables. */
struct draw_rule library_draw_rule(const struct library *library);

/* Most pieces of any table, 0 if there is none. */
int library_largest(const struct library *library);

struct cache_statistics library_statistics(const struct library *library);

#endif
