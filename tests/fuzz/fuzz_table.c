/* A whole table file, however spoilt: it is refused, or what it says is sound and is said twice the same.

   Checksums would keep a fuzzer out of everything that lies behind them. So the first byte of an input says
   which of them are made right before the file is opened, and the rest is the file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "native/support/table_file.h"

enum { SIGN_HEADER = 1, SIGN_TABLE = 2, SIGN_MODEL = 4, SIGN_BLOCKS = 8, SET_SIZE = 16, NO_CODEC = 32 };

enum { FILE_MAX = 1 << 16 };

static void require(int condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "fuzz_table: %s\n", what);
    abort();
}

static uint64_t table_bytes(const uint8_t *file)
{
    return (uint64_t)load_u32(file + AT(entry_count)) * TABLE_ENTRY_SIZE;
}

/* The checksums of stored blocks, as far as header and block table lead to them. */
static void sign_blocks(uint8_t *file, size_t size)
{
    struct table_header header;
    if (layout_unpack_header(file, &header, NULL) != DAME_OK || header.file_size != size)
        return;
    uint64_t at = writer_size(header.model_size);
    const uint64_t end = layout_table_offset(&header);
    uint32_t block = 0;
    for (uint64_t entry_at = end; entry_at < size && block < header.block_count;
         entry_at += TABLE_ENTRY_SIZE) {
        const struct block_entry entry = layout_unpack_entry(file + entry_at);
        const uint32_t stored = layout_stored_bytes(&header, block, entry);
        if (at > end || stored > end - at)
            return;
        if (stored != 0)
            store_u32(file + at,
                      writer_checksum(file + at + TABLE_CHECKSUM_SIZE, stored - TABLE_CHECKSUM_SIZE));
        at += stored;
        block += entry.more + 1U;
    }
}

static void sign(uint8_t *file, size_t size, int what)
{
    const uint64_t table = table_bytes(file), model = load_u32(file + AT(model_size));
    if (what & SET_SIZE)
        store_u64(file + AT(file_size), size);
    if (what & SIGN_TABLE && table <= size - TABLE_HEADER_SIZE)
        store_u64(file + AT(table_hash), hash_bytes(file + size - table, table));
    if (what & SIGN_MODEL && model != 0 && model <= size - TABLE_HEADER_SIZE)
        store_u32(file + AT(model_hash), (uint32_t)hash_bytes(file + TABLE_HEADER_SIZE, model));
    if (what & SIGN_HEADER)
        store_u64(file + AT(header_hash), hash_bytes(file, AT(header_hash)));
    if (what & SIGN_BLOCKS) /* needs a header that is right */
        sign_blocks(file, size);
}

/* A file without a name, the same one each time. */
static const char *put_file(const uint8_t *bytes, size_t size)
{
    static char path[64];
    static FILE *kept;
    if (kept == NULL) {
        kept = tmpfile();
        require(kept != NULL, "no temporary file");
        snprintf(path, sizeof path, "/dev/fd/%d", fileno(kept));
    }
    require(ftruncate(fileno(kept), (off_t)size) == 0, "the temporary file cannot be cut");
    require(pwrite(fileno(kept), bytes, size, 0) == (ssize_t)size, "the temporary file cannot be written");
    return path;
}

static void check_block(const struct table *table, uint32_t block, enum dame_status whole, bool codec)
{
    const struct table_header *header = table_header(table);
    const uint32_t bytes = layout_block_bytes(header, block);
    uint8_t *first = malloc(bytes), *second = malloc(bytes); /* exactly the room that is asked for */
    char detail[DETAIL_MAX] = "";
    memset(first, 0x55, bytes);
    memset(second, 0xAA, bytes);
    const enum dame_status status = table_read(table, block, first, detail);
    require(table_read(table, block, second, detail) == status, "a block is read in two ways");
    require(status == DAME_OK || detail[0] != '\0', "no reason is given");
    require(status == DAME_OK || status == DAME_CORRUPT_TABLE || (!codec && status == DAME_NOT_SUPPORTED),
            "a status that no damaged block has");
    require(whole != DAME_OK || status == DAME_OK || !codec, "a block of a sound file is not read");
    if (status == DAME_OK) {
        const unsigned last = (unsigned)(header->values % (unsigned)layout_values_per_byte(header));
        require(memcmp(first, second, bytes) == 0, "a block holds two values");
        require(layout_values_occur(header, first, bytes), "a value that does not occur");
        require(block != header->block_count - 1 || last == 0 || first[bytes - 1] >> 2 * last == 0,
                "bits behind the last value");
    }
    free(second);
    free(first);
}

static void check_table(const char *path, const uint8_t *file, const struct table_header *peeked, bool codec)
{
    const struct board *board = strcmp(peeked->variant, "international") == 0 ? &BOARD_10X10 : &BOARD_8X8;
    struct table *table;
    char detail[DETAIL_MAX] = "";
    enum dame_status status =
        table_open(NULL, path, peeked->variant, board, codec ? &TOY_CODEC : NULL, &table, detail);
    require(status == DAME_OK || status == DAME_CORRUPT_TABLE, "a status that no damaged file has");
    require(status == DAME_OK || detail[0] != '\0', "no reason is given");
    if (status != DAME_OK)
        return;
    uint8_t packed[TABLE_HEADER_SIZE];
    layout_pack_header(table_header(table), packed);
    require(memcmp(packed, file, sizeof packed) == 0, "a byte of the header means nothing");
    struct index_shape shape;
    require(index_shape(board, peeked->material, peeked->nesting, &shape) == DAME_OK &&
                shape.size == peeked->values,
            "no such slice");
    require(index_same_nesting(&shape) == peeked->nesting, "one order with two names");
    require(peeked->model_size != 0 || peeked->model_hash == 0, "a model without bytes");
    require(peeked->file_size >= writer_size(peeked->model_size) + table_bytes(file), "parts overlap");
    status = table_check(table, NULL, detail);
    require(status == DAME_OK || status == DAME_CORRUPT_TABLE, "a status that no damaged block has");
    for (uint32_t block = 0; block < peeked->block_count; block++)
        check_block(table, block, status, codec);
    table_close(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || size > FILE_MAX)
        return 0;
    const int what = data[0];
    uint8_t *file = malloc(size);
    size--;
    memcpy(file, data + 1, size);
    if (size >= TABLE_HEADER_SIZE)
        sign(file, size, what);
    const char *path = put_file(file, size);
    struct table_header header;
    char detail[DETAIL_MAX] = "";
    const enum dame_status status = table_peek(path, &header, detail);
    require(status == DAME_OK || (status == DAME_CORRUPT_TABLE && detail[0] != '\0'), "peek");
    if (status == DAME_OK)
        check_table(path, file, &header, (what & NO_CODEC) == 0);
    free(file);
    return 0;
}
