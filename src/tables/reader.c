#include "tables/reader.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "slices/ordering.h"
#include "tables/coder.h"

/* Offsets are running sums. One in so many is kept; the others are added up when needed. */
enum { BLOCKS_PER_OFFSET = 64 };

struct table {
    atomic_int users; /* calls of table_close to come */
    struct file *file;
    struct table_header header;
    struct codec codec;  /* decode is NULL if there is none */
    uint8_t *entries;    /* of every block, packed as in the file */
    uint64_t *offsets;   /* of blocks 0, BLOCKS_PER_OFFSET, ... */
    struct model *model; /* NULL: no block is coded */
    struct lines lines;  /* if there is a model */
};

/* What every zstd frame begins with; files leave it out. */
static const uint8_t FRAME_MAGIC[TABLE_CHECKSUM_SIZE] = {0x28, 0xB5, 0x2F, 0xFD};

/* Open the file and read its header. The file stays open only if all went well. */
static enum dame_status open_file(struct files *files, const char *path, struct file **out,
                                  struct table_header *header, char *detail)
{
    struct file *file;
    uint8_t bytes[TABLE_HEADER_SIZE];
    enum dame_status status = file_open(files, path, &file, detail);
    if (status != DAME_OK)
        return status;
    if (file_size(file) < TABLE_HEADER_SIZE)
        status = detail_fail(detail, DAME_CORRUPT_TABLE, "file is shorter than a header");
    if (status == DAME_OK)
        status = file_read(file, 0, bytes, sizeof bytes, detail);
    if (status == DAME_OK)
        status = layout_unpack_header(bytes, header, detail);
    if (status == DAME_OK && file_size(file) != header->file_size)
        status = detail_fail(detail, DAME_CORRUPT_TABLE, "file is %s than its header says",
                             file_size(file) < header->file_size ? "shorter" : "longer");
    if (status == DAME_OK)
        *out = file;
    else
        file_close(file); /* keeps errno */
    return status;
}

/* The same without a library, whose files it would be one of. */
static enum dame_status open_alone(const char *path, struct file **out, struct table_header *header,
                                   char *detail)
{
    struct files *files;
    enum dame_status status = files_create(1, &files);
    if (status != DAME_OK)
        return status;
    status = open_file(files, path, out, header, detail);
    files_release(files);
    return status;
}

enum dame_status table_peek(const char *path, struct table_header *header, char *detail)
{
    struct file *file;
    const enum dame_status status = open_alone(path, &file, header, detail);
    if (status == DAME_OK)
        file_close(file);
    return status;
}

static struct block_entry entry_of(const struct table *table, uint32_t block)
{
    assert(block < table->header.block_count);
    return layout_unpack_entry(table->entries + (size_t)block * TABLE_ENTRY_SIZE);
}

static uint64_t offset_of(const struct table *table, uint32_t block)
{
    uint64_t offset = table->offsets[block / BLOCKS_PER_OFFSET];
    for (uint32_t i = block - block % BLOCKS_PER_OFFSET; i < block; i++)
        offset += layout_stored_bytes(&table->header, i, entry_of(table, i));
    assert(offset <= table->header.file_size);
    return offset;
}

/* Write an entry of the block table for each of the blocks that it stands for. */
static enum dame_status spread_entry(struct table *table, uint32_t *block, struct block_entry entry,
                                     uint64_t *offset, char *detail)
{
    const struct table_header *header = &table->header;
    if (*block == header->block_count)
        return detail_fail(detail, DAME_CORRUPT_TABLE, "more entries than blocks");
    enum dame_status status = layout_check_entry(header, *block, entry, detail);
    if (status != DAME_OK)
        return status;
    const uint32_t end = *block + entry.more + 1;
    entry.more = 0;
    for (; *block < end; ++*block) {
        if (*block % BLOCKS_PER_OFFSET == 0)
            table->offsets[*block / BLOCKS_PER_OFFSET] = *offset;
        layout_pack_entry(entry, table->entries + (size_t)*block * TABLE_ENTRY_SIZE);
        *offset += layout_stored_bytes(header, *block, entry);
    }
    return DAME_OK;
}

static enum dame_status spread_entries(struct table *table, const uint8_t *packed, bool *coded, char *detail)
{
    const struct table_header *header = &table->header;
    uint64_t offset = TABLE_HEADER_SIZE + (uint64_t)header->model_size;
    uint32_t block = 0;
    for (uint32_t i = 0; i < header->entry_count; i++) {
        const struct block_entry entry = layout_unpack_entry(packed + (size_t)i * TABLE_ENTRY_SIZE);
        enum dame_status status = spread_entry(table, &block, entry, &offset, detail);
        if (status != DAME_OK)
            return status;
        *coded |= entry.form == BLOCK_CODE;
    }
    if (block != header->block_count)
        return detail_fail(detail, DAME_CORRUPT_TABLE, "fewer entries than blocks");
    if (offset != layout_table_offset(header))
        return detail_fail(detail, DAME_CORRUPT_TABLE, "blocks do not fill the file");
    return DAME_OK;
}

/* The file is known to be as long as the header says, and an entry stands for 64 blocks at most, so what is
   allocated here is bounded by its length. */
static enum dame_status load_entries(struct table *table, bool *coded, char *detail)
{
    const struct table_header *header = &table->header;
    const size_t size = (size_t)header->entry_count * TABLE_ENTRY_SIZE;
    uint8_t *packed = malloc(size);
    table->entries = malloc((size_t)header->block_count * TABLE_ENTRY_SIZE);
    table->offsets = malloc(((size_t)header->block_count / BLOCKS_PER_OFFSET + 1) * sizeof *table->offsets);
    enum dame_status status = DAME_NO_MEMORY;
    if (packed != NULL && table->entries != NULL && table->offsets != NULL)
        status = file_read(table->file, layout_table_offset(header), packed, size, detail);
    if (status == DAME_OK && hash_bytes(packed, size) != header->table_hash)
        status = detail_fail(detail, DAME_CORRUPT_TABLE, "block table checksum");
    if (status == DAME_OK)
        status = spread_entries(table, packed, coded, detail);
    const int reason = errno;
    free(packed);
    errno = reason;
    return status;
}

/* What coded blocks are decoded with; `bytes` are those of the model. */
static enum dame_status prepare_model(struct table *table, const struct board *board, const uint8_t *bytes,
                                      char *detail)
{
    const struct table_header *header = &table->header;
    const uint64_t block_values = (uint64_t)header->block_size * VALUES_PER_BYTE;
    struct index_shape shape;
    struct ordering *ordering;
    table->model = malloc(sizeof *table->model);
    if (table->model == NULL || ordering_create(board, &ordering) != DAME_OK)
        return DAME_NO_MEMORY;
    enum dame_status status = index_shape(board, header->material, header->nesting, &shape);
    if (status == DAME_OK)
        status = lines_create(board, ordering, header->material, &shape, block_values, &table->lines);
    ordering_destroy(ordering);
    if (status == DAME_NO_MEMORY)
        return status;
    if (status != DAME_OK || lines_rows(&table->lines, block_values) > LINES_ROWS_MAX)
        return detail_fail(detail, DAME_CORRUPT_TABLE, "too many rows in a block");
    if (!model_read(bytes, header->model_size, table->model))
        return detail_fail(detail, DAME_CORRUPT_TABLE, "model");
    return DAME_OK;
}

/* A model that no block needs has its checksum looked at all the same. */
static enum dame_status load_model(struct table *table, const struct board *board, bool coded, char *detail)
{
    const uint32_t size = table->header.model_size;
    enum dame_status status = DAME_OK;
    uint8_t *bytes = NULL;
    if (size != 0) {
        bytes = malloc(size);
        if (bytes == NULL)
            return DAME_NO_MEMORY;
        status = file_read(table->file, TABLE_HEADER_SIZE, bytes, size, detail);
        if (status == DAME_OK && (uint32_t)hash_bytes(bytes, size) != table->header.model_hash)
            status = detail_fail(detail, DAME_CORRUPT_TABLE, "model checksum");
    }
    if (status == DAME_OK && coded)
        status = prepare_model(table, board, bytes, detail);
    const int reason = errno;
    free(bytes);
    errno = reason;
    return status;
}

enum dame_status table_open(struct files *files, const char *path, const char *variant,
                            const struct board *board, const struct codec *codec, struct table **out,
                            char *detail)
{
    struct file *file;
    struct table_header header;
    enum dame_status status = files != NULL ? open_file(files, path, &file, &header, detail)
                                            : open_alone(path, &file, &header, detail);
    if (status != DAME_OK)
        return status;
    struct table *table = calloc(1, sizeof *table);
    if (table == NULL) {
        file_close(file);
        return DAME_NO_MEMORY;
    }
    atomic_init(&table->users, 1);
    table->file = file;
    table->header = header;
    if (codec != NULL)
        table->codec = *codec;
    if (strcmp(header.variant, variant) != 0)
        status = detail_fail(detail, DAME_WRONG_VARIANT, "rule set %s", header.variant);
    if (status == DAME_OK)
        status = layout_check_slice(&header, board, detail);
    bool coded = false;
    if (status == DAME_OK)
        status = load_entries(table, &coded, detail);
    if (status == DAME_OK)
        status = load_model(table, board, coded, detail);
    if (status != DAME_OK) {
        const int reason = errno;
        table_close(table);
        errno = reason;
        return status;
    }
    *out = table;
    return DAME_OK;
}

struct table *table_share(struct table *table)
{
    atomic_fetch_add(&table->users, 1);
    return table;
}

void table_close(struct table *table)
{
    if (table == NULL || atomic_fetch_sub(&table->users, 1) > 1)
        return;
    file_close(table->file);
    lines_destroy(&table->lines);
    free(table->model);
    free(table->entries);
    free(table->offsets);
    free(table);
}

enum dame_status table_compare(const struct table *one, const struct table *other, bool *same, char *detail)
{
    return file_compare(one->file, other->file, same, detail);
}

const char *table_path(const struct table *table)
{
    return file_path(table->file);
}

const struct table_header *table_header(const struct table *table)
{
    return &table->header;
}

int table_fill(const struct table *table, uint32_t block)
{
    const struct block_entry entry = entry_of(table, block);
    return entry.form == BLOCK_FILL ? entry.length : -1;
}

/* A block as it stands in the file: its checksum, and the payload that follows it. */
struct stored {
    uint8_t bytes[TABLE_CHECKSUM_SIZE + TABLE_BLOCK_MAX + CODER_SLACK];
    size_t size; /* of the payload */
};

static enum dame_status read_stored(const struct table *table, uint32_t block, struct stored *stored,
                                    char *detail)
{
    const struct block_entry entry = entry_of(table, block);
    stored->size = layout_payload_bytes(&table->header, block, entry);
    enum dame_status status = file_read(table->file, offset_of(table, block), stored->bytes,
                                        TABLE_CHECKSUM_SIZE + stored->size, detail);
    if (status == DAME_OK &&
        (uint32_t)hash_bytes(stored->bytes + TABLE_CHECKSUM_SIZE, stored->size) != load_u32(stored->bytes))
        status = detail_fail(detail, DAME_CORRUPT_TABLE, "block %u: checksum", block);
    return status;
}

/* The frame gets its magic back where the checksum stood. */
static enum dame_status decompress(const struct table *table, uint32_t block, struct stored *stored,
                                   uint8_t *target, size_t *written, char *detail)
{
    if (table->codec.decode == NULL)
        return detail_fail(detail, DAME_NOT_SUPPORTED, "block %u: no decompressor was given", block);
    memcpy(stored->bytes, FRAME_MAGIC, sizeof FRAME_MAGIC);
    const uint32_t bytes = layout_block_bytes(&table->header, block);
    enum dame_status status = table->codec.decode(table->codec.context, stored->bytes,
                                                  TABLE_CHECKSUM_SIZE + stored->size, target, bytes, written);
    if (status == DAME_NO_MEMORY || status == DAME_CANCELLED)
        return status;
    if (status != DAME_OK || *written > bytes)
        return detail_fail(detail, DAME_CORRUPT_TABLE, "block %u: does not decompress", block);
    return DAME_OK;
}

static enum dame_status decode_values(const struct table *table, uint32_t block, struct stored *stored,
                                      uint8_t *target, char *detail)
{
    const uint64_t per_block = (uint64_t)table->header.block_size * VALUES_PER_BYTE,
                   first = block * per_block;
    const uint64_t left = table->header.values - first;
    uint8_t *code = stored->bytes + TABLE_CHECKSUM_SIZE;
    memset(code + stored->size, 0, CODER_SLACK);
    if (!coder_decode(&table->lines, table->model, first, (size_t)(left < per_block ? left : per_block), code,
                      stored->size, target))
        return detail_fail(detail, DAME_CORRUPT_TABLE, "block %u: does not decode", block);
    return DAME_OK;
}

static enum dame_status check_values(const struct table *table, uint32_t block, const uint8_t *packed,
                                     char *detail)
{
    const struct table_header *header = &table->header;
    const uint32_t bytes = layout_block_bytes(header, block);
    const unsigned in_last_byte = (unsigned)(header->values % (unsigned)layout_values_per_byte(header));
    if (!layout_values_occur(header, packed, bytes))
        return detail_fail(detail, DAME_CORRUPT_TABLE, "block %u: impossible value", block);
    if (block == header->block_count - 1 && in_last_byte != 0 && packed[bytes - 1] >> in_last_byte * 2 != 0)
        return detail_fail(detail, DAME_CORRUPT_TABLE, "block %u: unused bits are not zero", block);
    return DAME_OK;
}

static enum dame_status read_into(const struct table *table, uint32_t block, struct stored *stored,
                                  uint8_t *target, char *detail)
{
    const uint32_t bytes = layout_block_bytes(&table->header, block);
    enum dame_status status = read_stored(table, block, stored, detail);
    if (status != DAME_OK)
        return status;
    const enum block_form form = entry_of(table, block).form;
    if (form == BLOCK_CODE) /* has no impossible values, and leaves unused bits zero */
        return decode_values(table, block, stored, target, detail);
    if (form == BLOCK_RAW) {
        memcpy(target, stored->bytes + TABLE_CHECKSUM_SIZE, bytes);
        return check_values(table, block, target, detail);
    }
    size_t size;
    status = decompress(table, block, stored, target, &size, detail);
    if (status != DAME_OK)
        return status;
    if (size != bytes)
        return detail_fail(detail, DAME_CORRUPT_TABLE, "block %u: does not decompress", block);
    return check_values(table, block, target, detail);
}

/* A block that is not BLOCK_FILL. On the heap: reading and decoding would need half of a small stack. */
static enum dame_status read_block(const struct table *table, uint32_t block, uint8_t *target, char *detail)
{
    struct stored *stored = malloc(sizeof *stored);
    if (stored == NULL)
        return DAME_NO_MEMORY;
    const enum dame_status status = read_into(table, block, stored, target, detail);
    free(stored);
    return status;
}

enum dame_status table_read(const struct table *table, uint32_t block, uint8_t *target, char *detail)
{
    const struct block_entry entry = entry_of(table, block);
    if (entry.form == BLOCK_FILL) {
        memset(target, (int)entry.length, layout_block_bytes(&table->header, block));
        return DAME_OK; /* the byte was checked when the table was opened */
    }
    return read_block(table, block, target, detail);
}

enum dame_status table_check(const struct table *table, const atomic_bool *cancel, char *detail)
{
    uint8_t target[TABLE_BLOCK_MAX];
    struct stored stored;
    enum dame_status status = DAME_OK;
    for (uint32_t block = 0; block < table->header.block_count && status == DAME_OK; block++) {
        if (cancel != NULL && atomic_load(cancel))
            status = DAME_CANCELLED;
        else if (entry_of(table, block).form == BLOCK_ZSTD && table->codec.decode == NULL)
            status = read_stored(table, block, &stored, detail);
        else
            status = table_read(table, block, target, detail);
    }
    return status;
}
