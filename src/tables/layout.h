/* Header and block table of a table file, in memory and as bytes. FORMAT.md is the specification. */
#ifndef DAME_TABLES_LAYOUT_H
#define DAME_TABLES_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/detail.h"
#include "base/metric.h"
#include "base/status.h"
#include "boards/board.h"
#include "slices/material.h"
#include "tables/values.h"

enum {
    TABLE_VERSION = 3,
    TABLE_HEADER_SIZE = 128,
    TABLE_ENTRY_SIZE = 2,
    TABLE_CHECKSUM_SIZE = 4, /* in front of every stored block */
    TABLE_FILLS_MAX = 64,    /* blocks that one entry stands for */
    TABLE_VARIANT_SIZE = 32,
    TABLE_BLOCK_MIN = 256,
    TABLE_BLOCK_MAX = 1 << 14,
    TABLE_MODEL_MAX = 1 << 16,
    TABLE_NO_DISTANCE = 0xFFFF /* longest win or loss: does not apply */
};

enum block_form { BLOCK_FILL, BLOCK_ZSTD, BLOCK_RAW, BLOCK_CODE, BLOCK_FORMS };

/* The header as it stands in the file, field by field; FORMAT.md says what they mean. */
struct header_bytes {
    uint8_t magic[8];
    uint8_t version[2];
    uint8_t metric[1];
    uint8_t coding[1];
    uint8_t draw_plies[2];
    uint8_t nesting[1];
    uint8_t draw_counter[1];
    uint8_t material[4];
    uint8_t block_size[4];
    uint8_t values[8];
    uint8_t win[8];
    uint8_t draw[8];
    uint8_t loss[8];
    uint8_t longest_win[2];
    uint8_t longest_loss[2];
    uint8_t entry_count[4];
    uint8_t file_size[8];
    uint8_t variant[TABLE_VARIANT_SIZE];
    uint8_t model_size[4];
    uint8_t model_hash[4];
    uint8_t table_hash[8];
    uint8_t header_hash[8];
};

struct table_header {
    enum metric metric;
    enum coding coding;
    struct draw_rule draw_rule;
    struct material material;
    uint32_t block_size;                /* bytes before compression */
    uint64_t values;                    /* indices of the slice */
    uint64_t win, draw, loss;           /* of all legal placements */
    uint16_t longest_win, longest_loss; /* plies, or TABLE_NO_DISTANCE */
    uint32_t block_count;               /* follows from values and block size */
    uint32_t entry_count;               /* of the block table */
    uint64_t file_size;
    uint64_t table_hash;             /* of the block table */
    uint8_t nesting;                 /* slices/index.h */
    uint32_t model_size, model_hash; /* of wdl (model.h); 0: none */
    char variant[TABLE_VARIANT_SIZE];
};

struct block_entry {
    uint16_t length; /* bytes after the checksum; BLOCK_FILL: the byte that fills it; BLOCK_RAW: 0 */
    uint8_t form;
    uint8_t more; /* BLOCK_FILL: so many blocks after this one are filled with the same byte */
};

/* A longest win or loss as plies, -1 if it does not apply. */
static inline int layout_longest(uint16_t longest)
{
    return longest == TABLE_NO_DISTANCE ? -1 : longest;
}

static inline int layout_values_per_byte(const struct table_header *header)
{
    return header->coding == CODING_VALUES ? VALUES_PER_BYTE : 1;
}

/* The value, still coded, at `place` of the bytes of a block or of all values. */
static inline int layout_value(const struct table_header *header, const uint8_t *bytes, uint64_t place)
{
    return header->coding == CODING_VALUES ? values_get(bytes, place) : bytes[place];
}

/* The largest byte of a table of distances that passes layout_check: that of the longest win or loss. */
uint8_t layout_largest_byte(const struct table_header *header);

/* Whether `size` bytes hold only values that occur. */
bool layout_values_occur(const struct table_header *header, const uint8_t *bytes, size_t size);

/* Bytes of all values, and of block `block` (the last may be shorter), before compression. */
uint64_t layout_value_bytes(const struct table_header *header);
uint32_t layout_block_bytes(const struct table_header *header, uint32_t block);

/* Where the block table begins. */
static inline uint64_t layout_table_offset(const struct table_header *header)
{
    return header->file_size - (uint64_t)header->entry_count * TABLE_ENTRY_SIZE;
}

/* The number of blocks that `header->values` and `header->block_size` ask for. */
uint64_t layout_block_count(const struct table_header *header);

/* The bytes of a block that follow its checksum, and all that it takes in the file. */
static inline uint32_t layout_payload_bytes(const struct table_header *header, uint32_t block,
                                            struct block_entry entry)
{
    return entry.form == BLOCK_RAW ? layout_block_bytes(header, block) : entry.length;
}
static inline uint32_t layout_stored_bytes(const struct table_header *header, uint32_t block,
                                           struct block_entry entry)
{
    return entry.form == BLOCK_FILL ? 0 : TABLE_CHECKSUM_SIZE + layout_payload_bytes(header, block, entry);
}

/* The header's own rules: everything that FORMAT.md says about it, except what needs the board. */
enum dame_status layout_check(const struct table_header *header, char *detail);

/* The number of values and the counts against the slice on this board. Call layout_check first. */
enum dame_status layout_check_slice(const struct table_header *header, const struct board *board,
                                    char *detail);

/* One entry against the first block it stands for. Call layout_check first; `block` < header->block_count. */
enum dame_status layout_check_entry(const struct table_header *header, uint32_t block,
                                    struct block_entry entry, char *detail);

/* TABLE_HEADER_SIZE bytes from a header that passes layout_check, checksum included. */
void layout_pack_header(const struct table_header *header, uint8_t *bytes);

/* The inverse, for any TABLE_HEADER_SIZE bytes: DAME_CORRUPT_TABLE, or a header that passes layout_check. */
enum dame_status layout_unpack_header(const uint8_t *bytes, struct table_header *header, char *detail);

/* TABLE_ENTRY_SIZE bytes of the block table. */
void layout_pack_entry(struct block_entry entry, uint8_t *bytes);
struct block_entry layout_unpack_entry(const uint8_t *bytes);

#endif
