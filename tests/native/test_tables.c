/* Table files: what is written is read again; what is damaged in any bit or cut short is refused. */
#include <fcntl.h>

#include "check.h"
#include "table_sample.h"

static const uint8_t DICTIONARY[1] = {7};

static void check_sample_blocks(const struct sample *sample, const struct table *table)
{
    const struct table_header *found = table_header(table);
    int kinds[BLOCK_KINDS] = {0};
    for (uint32_t block = 0; block < found->block_count; block++) {
        uint8_t bytes[TABLE_BLOCK_MIN];
        char detail[DETAIL_MAX];
        const uint32_t length = layout_block_bytes(found, block);
        CHECK(length == (block < SAMPLE_BLOCKS - 1 ? 256 : 128));
        CHECK(table_read(table, block, bytes, detail) == DAME_OK);
        CHECK(memcmp(bytes, sample->packed + (size_t)block * TABLE_BLOCK_MIN, length) == 0);
        const struct block_entry entry =
            layout_unpack_entry(sample->file + TABLE_HEADER_SIZE + block * TABLE_ENTRY_SIZE);
        kinds[entry.kind]++;
        CHECK(table_fill(table, block) == (entry.kind == BLOCK_FILL ? bytes[0] : -1));
    }
    for (int kind = 0; kind < BLOCK_KINDS; kind++)
        CHECK(kinds[kind] >= 3);
}

static void test_what_is_written_is_read(const uint8_t *dictionary)
{
    struct sample sample;
    sample_make(&sample, dictionary);
    const char *path = test_path("KKvK.wdl");
    write_file(path, sample.file, sample.size);

    struct table *table = NULL;
    struct table_header header;
    char detail[DETAIL_MAX];
    CHECK(open_english(path, &table, detail) == DAME_OK);
    const struct table_header *found = table_header(table);
    CHECK(found->values == 15872 && found->block_count == SAMPLE_BLOCKS && found->file_size == sample.size);
    CHECK(found->win == 0 && found->draw == 14880 && found->longest_win == TABLE_NO_DISTANCE);
    CHECK(found->nesting == 0 && found->dictionary_size == (dictionary != NULL));
    check_sample_blocks(&sample, table);
    CHECK(table_check(table, NULL, detail) == DAME_OK);
    table_close(table);

    CHECK(table_peek(path, &header, detail) == DAME_OK && header.win == 0 && header.draw == 14880);
    CHECK(table_open(path, "russian", &BOARD_8X8, NULL, &table, detail) == DAME_WRONG_VARIANT);
    CHECK(strcmp(detail, "rule set english") == 0);
    CHECK(table_open(path, "english", &BOARD_8X8, NULL, &table, detail) == DAME_OK);
    CHECK(table_check(table, NULL, detail) == DAME_OK); /* checksums need no codec */
    const atomic_bool cancel = true;
    CHECK(table_check(table, &cancel, detail) == DAME_CANCELLED);
    uint8_t block[TABLE_BLOCK_MIN];
    CHECK(table_read(table, 1, block, detail) == DAME_OK); /* runs alone need none either */
    CHECK(table_read(table, 2, block, detail) == DAME_NOT_SUPPORTED);
    CHECK(strcmp(detail, "block 2: no decompressor was given") == 0);
    table_close(table);
    free(sample.file);
}

/* A dictionary matters to those blocks alone that are compressed. */
static void test_another_dictionary(void)
{
    struct sample plain, learned;
    sample_make(&plain, NULL);
    sample_make(&learned, DICTIONARY);
    CHECK(learned.size == plain.size + 1 &&
          learned.file[TABLE_HEADER_SIZE + SAMPLE_BLOCKS * TABLE_ENTRY_SIZE] == 7);
    const char *path = test_path("dictionary.wdl");
    char detail[DETAIL_MAX];
    learned.file[TABLE_HEADER_SIZE + SAMPLE_BLOCKS * TABLE_ENTRY_SIZE] = 8;
    write_file(path, learned.file, learned.size);
    CHECK(open_and_check(path, detail) == DAME_CORRUPT_TABLE);
    CHECK(strcmp(detail, "dictionary checksum") == 0);
    struct table *table;
    CHECK(table_open(path, "english", &BOARD_8X8, NULL, &table, detail) == DAME_CORRUPT_TABLE);
    free(plain.file);
    free(learned.file);
}

static void test_every_bit_matters(const uint8_t *dictionary)
{
    struct sample sample;
    sample_make(&sample, dictionary);
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
    sample_make(&sample, DICTIONARY);
    const char *path = test_path("unread.wdl");
    int accepted = 0;
    for (size_t byte = 0; byte < sample.size; byte++) {
        struct table *table;
        sample.file[byte] ^= (uint8_t)(1 << byte % 8);
        write_file(path, sample.file, sample.size);
        if (table_open(path, "english", &BOARD_8X8, NULL, &table, NULL) == DAME_OK) {
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
    sample_make(&sample, DICTIONARY);
    const char *path = test_path("cut.wdl");
    write_file(path, sample.file, sample.size);
    struct table *table;
    char detail[DETAIL_MAX];
    CHECK(open_english(path, &table, detail) == DAME_OK);
    CHECK(truncate(path, (off_t)sample.size - 1) == 0);
    CHECK(table_check(table, NULL, detail) == DAME_CORRUPT_TABLE);
    CHECK(strcmp(detail, "file ends too early") == 0);
    uint8_t block[TABLE_BLOCK_MIN];
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
            packed[i] = (uint8_t)(i * i / 3 % 3 << i % 3 * 2); /* many runs: stored as it is */
        packed[562] = padded ? 0x10 : 0x0A;
        size_t size;
        uint8_t *file = test_file(&BOARD_10X10, &header, packed, &size);
        const char *path = test_path("MvK.wdl");
        /* Only a block that is stored as it is can have bits behind the last value. */
        struct block_entry raw = {.kind = BLOCK_RAW},
                           entry = layout_unpack_entry(file + TABLE_HEADER_SIZE + 2);
        const uint32_t stored = layout_stored_bytes(&header, 1, entry),
                       bytes = layout_block_bytes(&header, 1);
        file = realloc(file, size + bytes);
        size += put_payload(file + size - stored, packed + 512, bytes) - stored;
        layout_pack_entry(raw, file + TABLE_HEADER_SIZE + 2);
        store_u64(file + 64, size);
        sign_file(file, 2);
        write_file(path, file, size);
        struct table *table;
        char detail[DETAIL_MAX];
        CHECK(table_open(path, "international", &BOARD_10X10, NULL, &table, detail) == DAME_OK);
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
}

static enum dame_status write_fill(const struct table_header *header, const struct board *board,
                                   struct block_entry entry, size_t capacity, char *detail)
{
    uint8_t file[TABLE_HEADER_SIZE + TABLE_ENTRY_SIZE + sizeof DICTIONARY];
    CHECK(capacity <= sizeof file);
    return writer_write(header, board, &entry, DICTIONARY, file, capacity, detail);
}

static void test_the_writer_refuses(void)
{
    enum { FRONT = TABLE_HEADER_SIZE + TABLE_ENTRY_SIZE };
    struct table_header header = test_header(&BOARD_8X8, "english", "KvK", TABLE_BLOCK_MIN, 0, 0, 0);
    const struct block_entry fill = writer_entry(BLOCK_FILL, (const uint8_t *)"", 1);
    const struct block_entry odd = writer_entry(BLOCK_FILL, (const uint8_t *)"\x01", 1);
    char detail[DETAIL_MAX];
    CHECK(writer_size(1, 0) == FRONT && writer_size(3, 5) == FRONT + 2 * TABLE_ENTRY_SIZE + 5);
    CHECK(write_fill(&header, &BOARD_8X8, fill, FRONT, detail) == DAME_OK);
    CHECK(write_fill(&header, &BOARD_8X8, fill, FRONT - 1, detail) == DAME_BAD_ARGUMENT);
    CHECK(strcmp(detail, "the buffer is too small") == 0);
    CHECK(write_fill(&header, &BOARD_8X8, odd, FRONT, detail) == DAME_BAD_ARGUMENT);
    CHECK(strcmp(detail, "block 0: entry in the block table") == 0);
    CHECK(write_fill(&header, &BOARD_10X10, fill, FRONT, NULL) == DAME_BAD_ARGUMENT);
    header.dictionary_size = 1;
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
    test_what_is_written_is_read(NULL);
    test_what_is_written_is_read(DICTIONARY);
    test_another_dictionary();
    test_every_bit_matters(NULL);
    test_every_bit_matters(DICTIONARY);
    test_every_bit_matters_without_a_codec();
    test_a_file_cut_short_while_open();
    test_padding();
    test_the_writer_refuses();
    test_files_that_are_none();
    return check_result();
}
