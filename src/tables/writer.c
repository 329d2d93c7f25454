#include "tables/writer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/hash.h"

struct block_entry writer_entry(enum block_form form, const uint8_t *payload, size_t size)
{
    assert(size > 0 && size <= TABLE_BLOCK_MAX && (form != BLOCK_FILL || size == 1));
    assert(form == BLOCK_RAW || size < TABLE_BLOCK_MAX);
    struct block_entry entry = {.form = (uint8_t)form};
    if (form == BLOCK_FILL)
        entry.length = payload[0];
    else if (form != BLOCK_RAW)
        entry.length = (uint16_t)size;
    return entry;
}

uint32_t writer_checksum(const uint8_t *payload, size_t size)
{
    return (uint32_t)hash_bytes(payload, size);
}

size_t writer_block(struct block_entry entry, const uint8_t *payload, size_t size, uint8_t *out)
{
    if (entry.form == BLOCK_FILL)
        return 0;
    store_u32(out, writer_checksum(payload, size));
    memcpy(out + TABLE_CHECKSUM_SIZE, payload, size);
    return TABLE_CHECKSUM_SIZE + size;
}

size_t writer_table(const struct block_entry *entries, uint32_t count, uint8_t *out)
{
    size_t size = 0;
    for (uint32_t block = 0; block < count;) {
        struct block_entry entry = entries[block++];
        entry.more = 0;
        while (entry.form == BLOCK_FILL && block < count && entries[block].form == BLOCK_FILL &&
               entries[block].length == entry.length && entry.more < TABLE_FILLS_MAX - 1) {
            entry.more++;
            block++;
        }
        layout_pack_entry(entry, out + size);
        size += TABLE_ENTRY_SIZE;
    }
    return size;
}

uint64_t writer_size(uint32_t model_size)
{
    return TABLE_HEADER_SIZE + (uint64_t)model_size;
}

enum dame_status writer_write(const struct table_header *facts, const struct board *board,
                              const struct block_entry *entries, const uint8_t *model, uint8_t *buffer,
                              size_t capacity, char *detail)
{
    struct table_header header = *facts;
    const uint64_t front = writer_size(header.model_size);
    if (capacity < front)
        return detail_fail(detail, DAME_BAD_ARGUMENT, "the buffer is too small");
    header.model_hash = header.model_size == 0 ? 0 : (uint32_t)hash_bytes(model, header.model_size);
    header.entry_count = header.block_count;
    header.file_size =
        front + (uint64_t)header.block_count * TABLE_ENTRY_SIZE; /* guesses that layout_check accepts */
    if (layout_check(&header, detail) != DAME_OK || layout_check_slice(&header, board, detail) != DAME_OK)
        return DAME_BAD_ARGUMENT;
    header.file_size = front;
    for (uint32_t block = 0; block < header.block_count; block++) {
        if (layout_check_entry(&header, block, entries[block], detail) != DAME_OK)
            return DAME_BAD_ARGUMENT;
        header.file_size += layout_stored_bytes(&header, block, entries[block]);
    }
    uint8_t *table = malloc((size_t)header.block_count * TABLE_ENTRY_SIZE);
    if (table == NULL)
        return DAME_NO_MEMORY;
    const size_t table_size = writer_table(entries, header.block_count, table);
    header.entry_count = (uint32_t)(table_size / TABLE_ENTRY_SIZE);
    header.file_size += table_size;
    header.table_hash = hash_bytes(table, table_size);
    free(table);
    layout_pack_header(&header, buffer);
    if (header.model_size != 0)
        memcpy(buffer + TABLE_HEADER_SIZE, model, header.model_size);
    return DAME_OK;
}
