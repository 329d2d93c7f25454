/* Table files: what is written is read again; what is damaged in any bit or cut short is refused. */
#include <fcntl.h>

#include "check.h"
#include "table_sample.h"

static void check_sample_blocks(const struct sample *sample, const struct table *table)
{
    const struct table_header *found = table_header(table);
    int forms[BLOCK_FORMS] = {0};
    for (uint32_t block = 0; block < found->block_count; block++) {
        uint8_t bytes[1024];
        char detail[DETAIL_MAX];
        const uint32_t length = layout_block_bytes(found, block);
        CHECK(length == found->block_size / (block < SAMPLE_BLOCKS - 1 ? 1 : 2));
        CHECK(table_read(table, block, bytes, detail) == DAME_OK);
        const uint64_t per_byte = (uint64_t)layout_values_per_byte(found);
        CHECK(sample_same(sample, (uint64_t)block * found->block_size * per_byte, length * per_byte, bytes,
                          sample->packed + (size_t)block * found->block_size));
        const struct block_entry entry =
            layout_unpack_entry(sample_entries(sample) + block * TABLE_ENTRY_SIZE);
        forms[entry.form]++;
        CHECK(table_fill(table, block) == (entry.form == BLOCK_FILL ? bytes[0] : -1));
    }
    const bool values = found->coding == CODING_VALUES;
    CHECK(forms[BLOCK_FILL] >= 3 && forms[BLOCK_RAW] >= 3);
    CHECK((forms[BLOCK_CODE] >= 3) == values && (forms[BLOCK_ZSTD] >= 3) == !values);
    CHECK(forms[values ? BLOCK_ZSTD : BLOCK_CODE] == 0);
}

static void test_what_is_written_is_read(enum sample_form form)
{
    struct sample sample;
    sample_make(&sample, form);
    const char *path = test_path("KKvK.wdl");
    write_file(path, sample.file, sample.size);

    struct table *table = NULL;
    struct table_header header;
    char detail[DETAIL_MAX];
    CHECK(open_english(path, &table, detail) == DAME_OK);
    const struct table_header *found = table_header(table);
    CHECK(found->values == SAMPLE_VALUES && found->block_count == SAMPLE_BLOCKS &&
          found->file_size == sample.size);
    CHECK(found->win + found->draw == 14880 && found->nesting == 0);
    CHECK(found->model_size == sample.header.model_size);
    check_sample_blocks(&sample, table);
    CHECK(table_check(table, NULL, detail) == DAME_OK);
    table_close(table);

    CHECK(table_peek(path, &header, detail) == DAME_OK && header.win + header.draw == 14880);
    CHECK(table_open(NULL, path, "russian", &BOARD_8X8, NULL, &table, detail) == DAME_WRONG_VARIANT);
    CHECK(strcmp(detail, "rule set english") == 0);
    CHECK(table_open(NULL, path, "english", &BOARD_8X8, NULL, &table, detail) == DAME_OK);
    CHECK(table_check(table, NULL, detail) == DAME_OK); /* checksums need no codec */
    const atomic_bool cancel = true;
    CHECK(table_check(table, &cancel, detail) == DAME_CANCELLED);
    uint8_t block[1024];
    const bool distances = form == SAMPLE_DISTANCES; /* win, draw and loss need none at all */
    CHECK(table_read(table, 1, block, detail) == (distances ? DAME_NOT_SUPPORTED : DAME_OK));
    CHECK(!distances || strcmp(detail, "block 1: no decompressor was given") == 0);
    table_close(table);
    free(sample.file);
}

/* A model stands behind the header. */
static void test_another_model(void)
{
    struct sample sample;
    sample_make(&sample, SAMPLE_MODEL);
    const char *path = test_path("model.wdl");
    char detail[DETAIL_MAX];
    sample.file[TABLE_HEADER_SIZE]++;
    write_file(path, sample.file, sample.size);
    CHECK(open_and_check(path, detail) == DAME_CORRUPT_TABLE);
    CHECK(strcmp(detail, "model checksum") == 0);
    struct table *table;
    CHECK(table_open(NULL, path, "english", &BOARD_8X8, NULL, &table, detail) == DAME_CORRUPT_TABLE);
    free(sample.file);
}

/* Blocks that are filled alike share an entry. */
static void test_fills(void)
{
    struct table_header header = test_header(&BOARD_8X8, "english", "KKvK", TABLE_BLOCK_MIN, 0, 0, 0);
    uint8_t packed[SAMPLE_BLOCKS * TABLE_BLOCK_MIN];
    memset(packed, 0x55, sizeof packed);
    memset(packed + 5 * TABLE_BLOCK_MIN, 0xAA, TABLE_BLOCK_MIN);
    size_t size;
    uint8_t *file = test_file(&BOARD_8X8, &header, packed, &size);
    CHECK(size == TABLE_HEADER_SIZE + 3 * TABLE_ENTRY_SIZE && load_u32(file + AT(entry_count)) == 3);
    const struct block_entry first = layout_unpack_entry(file + TABLE_HEADER_SIZE);
    CHECK(first.form == BLOCK_FILL && first.length == 0x55 && first.more == 4);
    write_file(test_path("fills.wdl"), file, size);
    struct table *table;
    CHECK(open_english(test_path("fills.wdl"), &table, NULL) == DAME_OK);
    for (uint32_t block = 0; block < SAMPLE_BLOCKS; block++)
        CHECK(table_fill(table, block) == (block == 5 ? 0xAA : 0x55));
    table_close(table);
    free(file);
    struct block_entry entries[2 * TABLE_FILLS_MAX + 1];
    uint8_t table_bytes[sizeof entries];
    for (int i = 0; i < 2 * TABLE_FILLS_MAX + 1; i++)
        entries[i] = writer_entry(BLOCK_FILL, (const uint8_t *)"", 1);
    CHECK(writer_table(entries, 2 * TABLE_FILLS_MAX + 1, table_bytes) == 3 * TABLE_ENTRY_SIZE);
    CHECK(layout_unpack_entry(table_bytes + TABLE_ENTRY_SIZE).more == TABLE_FILLS_MAX - 1);
    CHECK(layout_unpack_entry(table_bytes + 2 * TABLE_ENTRY_SIZE).more == 0);
}

static void test_every_bit_matters(enum sample_form form)
{
    struct sample sample;
    sample_make(&sample, form);
    const char *path = test_path("flipped.wdl");
    write_file(path, sample.file, sample.size);
    const int handle = open(path, O_WRONLY);
    CHECK(handle >= 0);
    int accepted = 0;
    for (size_t bit = 0; bit < sample.size * 8; bit++) {
        const uint8_t flipped = (uint8_t)(sample.file[bit / 8] ^ 1 << bit % 8);
        char detail[DETAIL_MAX] = "";
        CHECK(pwrite(handle, &flipped, 1, (off_t)(bit / 8)) == 1);
        accepted += open_and_check(path, detail) != DAME_CORRUPT_TABLE || detail[0] == '\0';
        CHECK(pwrite(handle, &sample.file[bit / 8], 1, (off_t)(bit / 8)) == 1);
    }
    CHECK(accepted == 0);
    CHECK(open_and_check(path, NULL) == DAME_OK);
    for (size_t length = sample.size; length-- > 0;) {
        CHECK(ftruncate(handle, (off_t)length) == 0);
        accepted += open_and_check(path, NULL) != DAME_CORRUPT_TABLE;
    }
    CHECK(accepted == 0);
    close(handle);
    free(sample.file);
}

/* The same without a codec: the file is whole or it is not, whoever reads it. */
static void test_every_bit_matters_without_a_codec(void)
{
    struct sample sample;
    sample_make(&sample, SAMPLE_DISTANCES);
    const char *path = test_path("unread.wdl");
    int accepted = 0;
    for (size_t byte = 0; byte < sample.size; byte++) {
        struct table *table;
        sample.file[byte] ^= (uint8_t)(1 << byte % 8);
        write_file(path, sample.file, sample.size);
        if (table_open(NULL, path, "english", &BOARD_8X8, NULL, &table, NULL) == DAME_OK) {
            accepted += table_check(table, NULL, NULL) != DAME_CORRUPT_TABLE;
            table_close(table);
        }
        sample.file[byte] ^= (uint8_t)(1 << byte % 8);
    }
    CHECK(accepted == 0);
    free(sample.file);
}

static void test_a_file_cut_short_while_open(void)
{
    struct sample sample;
    sample_make(&sample, SAMPLE_DISTANCES);
    const char *path = test_path("cut.wdl");
    write_file(path, sample.file, sample.size);
    struct table *table;
    char detail[DETAIL_MAX];
    CHECK(open_english(path, &table, detail) == DAME_OK);
    CHECK(truncate(path, sample_entries(&sample) - sample.file - 1) == 0); /* the block table is in memory */
    CHECK(table_check(table, NULL, detail) == DAME_CORRUPT_TABLE);
    CHECK(strcmp(detail, "file ends too early") == 0);
    uint8_t block[1024];
    CHECK(table_read(table, 2, block, detail) == DAME_OK); /* what is still there */
    CHECK(truncate(path, 0) == 0);
    CHECK(table_read(table, 2, block, detail) == DAME_CORRUPT_TABLE);
    table_close(table);
    free(sample.file);
}

/* 2250 values: the last byte has room for two more. */
static void test_padding(void)
{
    const struct table_header header = test_header(&BOARD_10X10, "international", "MvK", 512, 0, 0, 0);
    uint8_t packed[1024];
    CHECK(header.values == 2250 && header.draw == 45 * 49);
    for (int padded = 0; padded < 2; padded++) {
        for (size_t i = 0; i < sizeof packed; i++)
            packed[i] = (uint8_t)(i * i / 3 % 3 << i % 3 * 2); /* a mess */
        packed[562] = padded ? 0x10 : 0x0A;
        size_t size;
        uint8_t *file = test_file(&BOARD_10X10, &header, packed, &size);
        const char *path = test_path("MvK.wdl");
        /* Only a block that is stored as it is can have bits behind the last value. */
        const struct block_entry raw = {.form = BLOCK_RAW}, first = layout_unpack_entry(file + size - 4);
        const uint32_t bytes = layout_block_bytes(&header, 1);
        size = TABLE_HEADER_SIZE + layout_stored_bytes(&header, 0, first);
        file = realloc(file, size + bytes + TABLE_CHECKSUM_SIZE + 2 * TABLE_ENTRY_SIZE);
        size += put_payload(file + size, packed + 512, bytes);
        layout_pack_entry(first, file + size);
        layout_pack_entry(raw, file + size + TABLE_ENTRY_SIZE);
        size += 2 * TABLE_ENTRY_SIZE;
        store_u64(file + AT(file_size), size);
        sign_file(file, size);
        write_file(path, file, size);
        struct table *table;
        char detail[DETAIL_MAX];
        CHECK(table_open(NULL, path, "international", &BOARD_10X10, NULL, &table, detail) == DAME_OK);
        CHECK(table_check(table, NULL, detail) == (padded ? DAME_CORRUPT_TABLE : DAME_OK));
        CHECK(!padded || strcmp(detail, "block 1: unused bits are not zero") == 0);
        table_close(table);
        free(file);
    }
    struct block_entry fill = writer_entry(BLOCK_FILL, (const uint8_t *)"\x55", 1);
    struct table_header sized = header;
    sized.file_size = 4096;
    CHECK(layout_check_entry(&sized, 0, fill, NULL) == DAME_OK);
    CHECK(layout_check_entry(&sized, 1, fill, NULL) == DAME_CORRUPT_TABLE);
    fill.more = 1; /* up to the last block */
    CHECK(layout_check_entry(&sized, 0, fill, NULL) == DAME_CORRUPT_TABLE);
}

static enum dame_status write_fill(const struct table_header *header, const struct board *board,
                                   struct block_entry entry, size_t capacity, char *detail)
{
    uint8_t file[TABLE_HEADER_SIZE + 1];
    CHECK(capacity <= sizeof file);
    return writer_write(header, board, &entry, (const uint8_t *)"a", file, capacity, detail);
}

static void test_the_writer_refuses(void)
{
    enum { FRONT = TABLE_HEADER_SIZE };
    struct table_header header = test_header(&BOARD_8X8, "english", "KvK", TABLE_BLOCK_MIN, 0, 0, 0);
    const struct block_entry fill = writer_entry(BLOCK_FILL, (const uint8_t *)"", 1);
    const struct block_entry odd = writer_entry(BLOCK_FILL, (const uint8_t *)"\x01", 1);
    char detail[DETAIL_MAX];
    CHECK(writer_size(0) == FRONT && writer_size(5) == FRONT + 5);
    CHECK(write_fill(&header, &BOARD_8X8, fill, FRONT, detail) == DAME_OK);
    CHECK(write_fill(&header, &BOARD_8X8, fill, FRONT - 1, detail) == DAME_BAD_ARGUMENT);
    CHECK(strcmp(detail, "the buffer is too small") == 0);
    CHECK(write_fill(&header, &BOARD_8X8, odd, FRONT, detail) == DAME_BAD_ARGUMENT);
    CHECK(strcmp(detail, "block 0: entry in the block table") == 0);
    CHECK(write_fill(&header, &BOARD_10X10, fill, FRONT, NULL) == DAME_BAD_ARGUMENT);
    header.model_size = 1;
    CHECK(write_fill(&header, &BOARD_8X8, fill, FRONT, NULL) == DAME_BAD_ARGUMENT);
    CHECK(write_fill(&header, &BOARD_8X8, fill, FRONT + 1, NULL) == DAME_OK);
    header.nesting = 1; /* of two kings: nothing but 0 and 1 differ */
    CHECK(write_fill(&header, &BOARD_8X8, fill, FRONT + 1, NULL) == DAME_OK);
    for (int nesting = 2; nesting < 256; nesting++) {
        struct index_shape shape;
        header.nesting = (uint8_t)nesting;
        const bool sound = index_shape(&BOARD_8X8, header.material, nesting, &shape) == DAME_OK &&
                           index_same_nesting(&shape) == nesting;
        CHECK(write_fill(&header, &BOARD_8X8, fill, FRONT + 1, detail) ==
              (sound ? DAME_OK : DAME_BAD_ARGUMENT));
        CHECK(sound || strcmp(detail, "header: nesting") == 0);
    }
    header.nesting = 0;
    header.win = 1;
    CHECK(write_fill(&header, &BOARD_8X8, fill, FRONT + 1, NULL) == DAME_BAD_ARGUMENT);
}

static void test_files_that_are_none(void)
{
    struct table *table;
    char detail[DETAIL_MAX];
    CHECK(open_english(test_path("nothing.wdl"), &table, detail) == DAME_IO);
    CHECK(open_english("/tmp", &table, detail) == DAME_IO);
    CHECK(open_english("/dev/null", &table, detail) == DAME_IO);
    write_file(test_path("text.wdl"), (const uint8_t *)"KKvK", 4);
    CHECK(open_english(test_path("text.wdl"), &table, detail) == DAME_CORRUPT_TABLE);
    CHECK(strcmp(detail, "file is shorter than a header") == 0);
    uint8_t zeros[TABLE_HEADER_SIZE] = {0};
    write_file(test_path("zeros.wdl"), zeros, sizeof zeros);
    CHECK(open_english(test_path("zeros.wdl"), &table, detail) == DAME_CORRUPT_TABLE);
    CHECK(strcmp(detail, "not a table file") == 0);
}

int main(void)
{
    for (int form = 0; form < SAMPLE_FORMS; form++) {
        test_what_is_written_is_read((enum sample_form)form);
        test_every_bit_matters((enum sample_form)form);
    }
    test_another_model();
    test_fills();
    test_every_bit_matters_without_a_codec();
    test_a_file_cut_short_while_open();
    test_padding();
    test_the_writer_refuses();
    test_files_that_are_none();
    return check_result();
}
