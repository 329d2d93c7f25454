/* What a table file holds besides its blocks: header and model in front of them, the block table behind.
   The caller writes the front when all else stands, and makes the file visible when it is complete. */
#ifndef DAME_TABLES_WRITER_H
#define DAME_TABLES_WRITER_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "tables/layout.h"

/* The entry of a block: BLOCK_FILL with the fill byte as `payload`, else what goes into the file after the
   checksum. BLOCK_ZSTD and BLOCK_CODE need a payload that is shorter than the decoded block. */
struct block_entry writer_entry(enum block_form form, const uint8_t *payload, size_t size);

/* The checksum that goes in front of a payload. */
uint32_t writer_checksum(const uint8_t *payload, size_t size);

/* What the file holds of a block besides its entry, in `out`: nothing if it is filled, else checksum and
   payload. Returns its bytes. */
size_t writer_block(struct block_entry entry, const uint8_t *payload, size_t size, uint8_t *out);

/* The block table for the entries of all blocks, in `out`, which has room for an entry of each. Returns its
   bytes: one entry stands for several blocks that are filled alike. */
size_t writer_table(const struct block_entry *entries, uint32_t count, uint8_t *out);

/* Bytes of header and model. */
uint64_t writer_size(uint32_t model_size);

/* Write both into `buffer`, which has room for writer_size() bytes. `facts->model_size` bytes are copied
   from `model`; `facts->entry_count`, `file_size`, `table_hash` and `model_hash` are computed here,
   whatever they hold. DAME_NO_MEMORY; DAME_BAD_ARGUMENT, and the reason in `detail`, if a reader would refuse
   what is asked for. */
enum dame_status writer_write(const struct table_header *facts, const struct board *board,
                              const struct block_entry *entries, const uint8_t *model, uint8_t *buffer,
                              size_t capacity, char *detail);

#endif
