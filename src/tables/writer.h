/* The front part of a table file: header and block table. The caller writes it before the blocks, in the
   order of the entries, and makes the file visible when it is complete. */
#ifndef DAME_TABLES_WRITER_H
#define DAME_TABLES_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "tables/layout.h"

/* Whether the `size` bytes of a block hold one value throughout, so that it is written as BLOCK_FILL. */
bool writer_is_fill(enum table_coding coding, const uint8_t *block, size_t size);

/* The entry of a block: BLOCK_FILL with `stored` pointing to the fill byte and `size` 1, BLOCK_ZSTD or
   BLOCK_RAW with the bytes as they go into the file. Use BLOCK_RAW if compression does not make a block
   shorter. */
struct block_entry writer_entry(enum block_kind kind, const uint8_t *stored, size_t size);

/* Bytes of header and block table of a file with `block_count` blocks. */
uint64_t writer_size(uint32_t block_count);

/* Write header and block table into `buffer`, which has room for writer_size(facts->block_count) bytes.
   `facts->file_size` and `facts->table_hash` are computed here, whatever they hold. DAME_BAD_ARGUMENT, and
   the reason in `detail`, if a reader would refuse what is asked for. */
enum dame_status writer_write(const struct table_header *facts, const struct board *board,
                              const struct block_entry *entries, uint8_t *buffer, size_t capacity,
                              char *detail);

#endif
