#include "tables/writer.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"

bool writer_is_fill(enum table_coding coding, const uint8_t *block, size_t size)
{
    assert(size > 0);
    const bool one_value = coding != CODING_WDL || block[0] == 0x00 || block[0] == 0x55 || block[0] == 0xAA;
    return one_value && memcmp(block, block + 1, size - 1) == 0;
}

struct block_entry writer_entry(enum block_kind kind, const uint8_t *stored, size_t size)
{
    assert(size > 0 && size <= TABLE_BLOCK_MAX && (kind != BLOCK_FILL || size == 1));
    return (struct block_entry){
        .length = kind == BLOCK_FILL ? stored[0] : (uint32_t)size,
        .checksum = (uint32_t)hash_bytes(stored, kind == BLOCK_FILL ? 0 : size),
        .kind = (uint8_t)kind,
    };
}

uint64_t writer_size(uint32_t block_count)
{
    return TABLE_HEADER_SIZE + (uint64_t)block_count * TABLE_ENTRY_SIZE;
}

enum dame_status writer_write(const struct table_header *facts, const struct board *board,
                              const struct block_entry *entries, uint8_t *buffer, size_t capacity,
                              char *detail)
{
    struct table_header header = *facts;
    const uint64_t front = writer_size(header.block_count);
    if (capacity < front)
        return detail_fail(detail, DAME_BAD_ARGUMENT, "the buffer is too small");
    header.file_size = front; /* a first guess that layout_check accepts */
    if (layout_check(&header, detail) != DAME_OK || layout_check_slice(&header, board, detail) != DAME_OK)
        return DAME_BAD_ARGUMENT;
    uint8_t *table = buffer + TABLE_HEADER_SIZE;
    for (uint32_t block = 0; block < header.block_count; block++) {
        if (layout_check_entry(&header, block, entries[block], detail) != DAME_OK)
            return DAME_BAD_ARGUMENT;
        layout_pack_entry(entries[block], table + (size_t)block * TABLE_ENTRY_SIZE);
        header.file_size += layout_stored_bytes(entries[block]);
    }
    header.table_hash = hash_bytes(table, (size_t)header.block_count * TABLE_ENTRY_SIZE);
    layout_pack_header(&header, buffer);
    return DAME_OK;
}
