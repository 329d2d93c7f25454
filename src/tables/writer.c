#include "tables/writer.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"

struct block_entry writer_entry(enum block_kind kind, const uint8_t *payload, size_t size)
{
    assert(size > 0 && size <= TABLE_BLOCK_MAX && (kind != BLOCK_FILL || size == 1));
    assert(kind == BLOCK_RAW || size < TABLE_BLOCK_MAX);
    struct block_entry entry = {.kind = (uint8_t)kind};
    if (kind == BLOCK_FILL)
        entry.length = payload[0];
    else if (kind != BLOCK_RAW)
        entry.length = (uint16_t)size;
    return entry;
}

uint32_t writer_checksum(const uint8_t *payload, size_t size)
{
    return (uint32_t)hash_bytes(payload, size);
}

uint64_t writer_size(uint32_t block_count, uint32_t dictionary_size)
{
    return TABLE_HEADER_SIZE + (uint64_t)block_count * TABLE_ENTRY_SIZE + dictionary_size;
}

enum dame_status writer_write(const struct table_header *facts, const struct board *board,
                              const struct block_entry *entries, const uint8_t *dictionary, uint8_t *buffer,
                              size_t capacity, char *detail)
{
    struct table_header header = *facts;
    const uint64_t front = writer_size(header.block_count, header.dictionary_size);
    if (capacity < front)
        return detail_fail(detail, DAME_BAD_ARGUMENT, "the buffer is too small");
    header.file_size = front; /* a first guess that layout_check accepts */
    header.dictionary_hash =
        header.dictionary_size == 0 ? 0 : (uint32_t)hash_bytes(dictionary, header.dictionary_size);
    if (layout_check(&header, detail) != DAME_OK || layout_check_slice(&header, board, detail) != DAME_OK)
        return DAME_BAD_ARGUMENT;
    uint8_t *table = buffer + TABLE_HEADER_SIZE;
    const size_t table_size = (size_t)header.block_count * TABLE_ENTRY_SIZE;
    for (uint32_t block = 0; block < header.block_count; block++) {
        if (layout_check_entry(&header, block, entries[block], detail) != DAME_OK)
            return DAME_BAD_ARGUMENT;
        layout_pack_entry(entries[block], table + (size_t)block * TABLE_ENTRY_SIZE);
        header.file_size += layout_stored_bytes(&header, block, entries[block]);
    }
    if (header.dictionary_size != 0)
        memcpy(table + table_size, dictionary, header.dictionary_size);
    header.table_hash = hash_bytes(table, table_size);
    layout_pack_header(&header, buffer);
    return DAME_OK;
}
