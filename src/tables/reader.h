/* One open table file. Nothing in the file is trusted: every number is checked before it is used, every block
   is checked each time it is read, and a file that changes while it is open gives a status. An open table
   does not change, so any number of threads may read it. */
#ifndef DAME_TABLES_READER_H
#define DAME_TABLES_READER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "boards/board.h"
#include "tables/files.h"
#include "tables/layout.h"

/* The decompressor, given from outside. `decode` writes what the zstd frame of `size` bytes at `source`
   holds, at most `capacity` bytes, and their number to *written. It may be called by several threads at once,
   never while a lock of the core is held. DAME_NO_MEMORY and DAME_CANCELLED are handed on; any other failure
   means that the frame is damaged. */
struct codec {
    enum dame_status (*decode)(void *context, const uint8_t *source, size_t size, uint8_t *target,
                               size_t capacity, size_t *written);
    void *context;
};

struct table;

/* The header alone, for a look at a file of any rule set. Checks what the header can tell by itself and the
   size of the file. DAME_IO, DAME_CORRUPT_TABLE. */
enum dame_status table_peek(const char *path, struct table_header *header, char *detail);

/* Open a table of the rule set `variant`, played on `board` (of static lifetime): check header, block table
   and file size. The file is one of `files`; NULL: it keeps a descriptor of its own. `codec` is copied;
   without one (NULL) blocks of the form BLOCK_ZSTD give DAME_NOT_SUPPORTED when read. Close the table with
   table_close. DAME_IO (errno says why), DAME_CORRUPT_TABLE, DAME_WRONG_VARIANT, DAME_NO_MEMORY. */
enum dame_status table_open(struct files *files, const char *path, const char *variant,
                            const struct board *board, const struct codec *codec, struct table **out,
                            char *detail);

/* One more call of table_close to come. Returns `table`. */
struct table *table_share(struct table *table);

void table_close(struct table *table); /* NULL is allowed */

/* Whether two tables are of one file, or of files with the same bytes. Fails as table_read does. */
enum dame_status table_compare(const struct table *one, const struct table *other, bool *same, char *detail);

/* The path as it was given, for messages. */
const char *table_path(const struct table *table);

const struct table_header *table_header(const struct table *table);

/* The byte that fills block `block`, -1 if it holds different ones. */
int table_fill(const struct table *table, uint32_t block);

/* Read, check and decode block `block` into `target`, which has room for layout_block_bytes(header,
   block). */
enum dame_status table_read(const struct table *table, uint32_t block, uint8_t *target, char *detail);

/* Read, decode and check every block of the file; without a codec those of the form BLOCK_ZSTD are only
   read. */
enum dame_status table_check(const struct table *table, const atomic_bool *cancel, char *detail);

#endif
