/* Table files: what is written is read again; what is damaged in any bit, cut short or absurd is refused. */
#include <fcntl.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "check.h"
#include "table_file.h"

/* KKvK with blocks of all kinds: values in rising runs, so that some blocks are full of one value. */
static uint8_t *sample(size_t *size, uint8_t *packed, struct table_header *header)
{
    *header = test_header(&BOARD_8X8, "english", "KKvK", TABLE_BLOCK_MIN, 0, 0, 0);
    for (uint64_t i = 0; i < header->values; i++) {
        const uint64_t block = i / (TABLE_BLOCK_MIN * VALUES_PER_BYTE);
        const uint64_t value = block % 3 == 0 ? block / 3 % 3 : block % 3 == 1 ? i / 100 % 3 : i * i / 7 % 3;
        values_set(packed, i, (int)value);
    }
    return test_file(&BOARD_8X8, header, packed, size);
}

enum { PACKED_MAX = 4096 };

static enum dame_status open_english(const char *path, struct table **table, char *detail)
{
    return table_open(path, "english", &BOARD_8X8, &TOY_CODEC, table, detail);
}

/* Open and read everything, as a user who wants to be sure. */
static enum dame_status open_and_check(const char *path, char *detail)
{
    struct table *table;
    enum dame_status status = open_english(path, &table, detail);
    if (status != DAME_OK)
        return status;
    status = table_check(table, NULL, detail);
    table_close(table);
    return status;
}

static void test_what_is_written_is_read(void)
{
    uint8_t packed[PACKED_MAX] = {0};
    struct table_header header;
    size_t size;
    uint8_t *file = sample(&size, packed, &header);
    const char *path = test_path("KKvK.wdl");
    write_file(path, file, size);

    struct table *table = NULL;
    char detail[DETAIL_MAX];
    CHECK(open_english(path, &table, detail) == DAME_OK);
    const struct table_header *found = table_header(table);
    CHECK(found->values == 15872 && found->block_count == 16 && found->file_size == size);
    CHECK(found->win == 0 && found->draw == 14880 && found->longest_win == TABLE_NO_DISTANCE);
    int kinds[BLOCK_KINDS] = {0};
    for (uint32_t block = 0; block < found->block_count; block++) {
        uint8_t bytes[TABLE_BLOCK_MIN];
        const uint32_t length = layout_block_bytes(found, block);
        CHECK(length == (block < 15 ? 256 : 128));
        CHECK(table_read(table, block, bytes, detail) == DAME_OK);
        CHECK(memcmp(bytes, packed + (size_t)block * TABLE_BLOCK_MIN, length) == 0);
        kinds[file[TABLE_HEADER_SIZE + block * TABLE_ENTRY_SIZE + 3]]++;
    }
    CHECK(kinds[BLOCK_FILL] > 0 && kinds[BLOCK_ZSTD] > 0 && kinds[BLOCK_RAW] > 0);
    CHECK(table_check(table, NULL, detail) == DAME_OK);
    table_close(table);

    CHECK(table_peek(path, &header, detail) == DAME_OK && header.win == 0 && header.draw == 14880);
    CHECK(table_open(path, "russian", &BOARD_8X8, NULL, &table, detail) == DAME_WRONG_VARIANT);
    CHECK(table_open(path, "english", &BOARD_8X8, NULL, &table, detail) == DAME_OK);
    CHECK(table_check(table, NULL, detail) == DAME_OK); /* checksums need no codec */
    const atomic_bool cancel = true;
    CHECK(table_check(table, &cancel, detail) == DAME_CANCELLED);
    uint8_t block[TABLE_BLOCK_MIN];
    CHECK(table_read(table, 1, block, detail) == DAME_NOT_SUPPORTED);
    table_close(table);
    free(file);
}

static void test_every_bit_matters(void)
{
    uint8_t packed[PACKED_MAX] = {0};
    struct table_header header;
    size_t size;
    uint8_t *file = sample(&size, packed, &header);
    const char *path = test_path("flipped.wdl");
    write_file(path, file, size);
    const int handle = open(path, O_WRONLY);
    CHECK(handle >= 0);
    int accepted = 0;
    for (size_t bit = 0; bit < size * 8; bit++) {
        const uint8_t flipped = (uint8_t)(file[bit / 8] ^ 1 << bit % 8);
        char detail[DETAIL_MAX] = "";
        CHECK(pwrite(handle, &flipped, 1, (off_t)(bit / 8)) == 1);
        accepted += open_and_check(path, detail) != DAME_CORRUPT_TABLE || detail[0] == '\0';
        CHECK(pwrite(handle, &file[bit / 8], 1, (off_t)(bit / 8)) == 1);
    }
    CHECK(accepted == 0);
    CHECK(open_and_check(path, NULL) == DAME_OK);
    for (size_t length = size; length-- > 0;) {
        CHECK(ftruncate(handle, (off_t)length) == 0);
        accepted += open_and_check(path, NULL) != DAME_CORRUPT_TABLE;
    }
    CHECK(accepted == 0);
    close(handle);
    free(file);
}

static void test_a_file_cut_short_while_open(void)
{
    uint8_t packed[PACKED_MAX] = {0};
    struct table_header header;
    size_t size;
    uint8_t *file = sample(&size, packed, &header);
    const char *path = test_path("cut.wdl");
    write_file(path, file, size);
    struct table *table;
    char detail[DETAIL_MAX];
    CHECK(open_english(path, &table, detail) == DAME_OK);
    CHECK(truncate(path, (off_t)size - 1) == 0);
    CHECK(table_check(table, NULL, detail) == DAME_CORRUPT_TABLE);
    CHECK(strcmp(detail, "file ends too early") == 0);
    table_close(table);
    free(file);
}

/* One absurd number each, under a checksum that is right. */
static void test_hostile_headers(void)
{
    static const struct {
        unsigned offset;
        uint8_t value;
        const char *detail;
    } CASES[] = {
        {8, 2, "unknown format version 2"},
        {9, 1, "unknown format version 257"},
        {10, 3, "header: unknown metric"},
        {10, 1, "header: no such coding for this metric"},
        {11, 1, "header: no such coding for this metric"},
        {14, 1, "header: reserved bytes are not zero"},
        {111, 0x80, "header: reserved bytes are not zero"},
        {17, 0, "header: material"},
        {18, 255, "header: material"},
        {17, 1, "header: number of values"},
        {20, 1, "header: block size"},
        {21, 2, "header: number of blocks"},
        {23, 0x80, "header: block size"},
        {24, 1, "header: number of values"},
        {31, 0xFF, "header: number of blocks"},
        {32, 1, "header: win, draw and loss do not add up"},
        {63, 0xFF, "header: number of blocks"},
        {64, 0, "file is longer than its header says"},
        {65, 0, "header: file size"},
        {67, 0xFF, "file is shorter than its header says"},
        {71, 0xFF, "header: file size"},
        {72, 'E', "header: variant"},
        {72, 0, "header: variant"},
        {103, 'x', "header: variant"},
        {112, 0, "block table checksum"},
    };
    uint8_t packed[PACKED_MAX] = {0};
    struct table_header header;
    size_t size;
    uint8_t *file = sample(&size, packed, &header);
    const char *path = test_path("hostile.wdl");
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const uint8_t kept = file[CASES[i].offset];
        char detail[DETAIL_MAX] = "";
        file[CASES[i].offset] = CASES[i].value;
        store_u64(file + 120, hash_bytes(file, 120));
        write_file(path, file, size);
        CHECK(open_and_check(path, detail) == DAME_CORRUPT_TABLE);
        if (strcmp(detail, CASES[i].detail) != 0)
            fprintf(stderr, "offset %u: %s\n", CASES[i].offset, detail);
        CHECK(strcmp(detail, CASES[i].detail) == 0);
        file[CASES[i].offset] = kept;
    }
    free(file);
}

/* The same for the block table: entries that contradict the block, and blocks that hold what no writer
 * writes. */
static void test_hostile_blocks(void)
{
    static const struct {
        unsigned block;
        struct block_entry entry;
        const char *detail;
    } CASES[] = {
        {0, {0x54, 0x51D8E999, BLOCK_FILL}, "block 0: entry in the block table"},
        {0, {0xFF, 0x51D8E999, BLOCK_FILL}, "block 0: entry in the block table"},
        {0, {0x155, 0x51D8E999, BLOCK_FILL}, "block 0: entry in the block table"},
        {0, {0, 0, BLOCK_FILL}, "block 0: entry in the block table"},
        {0, {0, 0x51D8E999, BLOCK_ZSTD}, "block 0: entry in the block table"},
        {0, {256, 0, BLOCK_ZSTD}, "block 0: entry in the block table"},
        {0, {255, 0, BLOCK_RAW}, "block 0: entry in the block table"},
        {0, {0xFFFFFF, 0, BLOCK_RAW}, "block 0: entry in the block table"},
        {0, {0, 0x51D8E999, BLOCK_KINDS}, "block 0: entry in the block table"},
        {0, {256, 0, BLOCK_RAW}, "blocks do not fill the file"},
        {1, {0, 0x51D8E999, BLOCK_FILL}, "blocks do not fill the file"},
    };
    uint8_t packed[PACKED_MAX] = {0};
    struct table_header header;
    size_t size;
    uint8_t *file = sample(&size, packed, &header);
    const char *path = test_path("blocks.wdl");
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        uint8_t kept[TABLE_ENTRY_SIZE];
        uint8_t *entry = file + TABLE_HEADER_SIZE + CASES[i].block * TABLE_ENTRY_SIZE;
        char detail[DETAIL_MAX] = "";
        memcpy(kept, entry, sizeof kept);
        layout_pack_entry(CASES[i].entry, entry);
        store_u64(file + 112, hash_bytes(file + TABLE_HEADER_SIZE, 16 * TABLE_ENTRY_SIZE));
        store_u64(file + 120, hash_bytes(file, 120));
        write_file(path, file, size);
        CHECK(open_and_check(path, detail) == DAME_CORRUPT_TABLE);
        CHECK(strcmp(detail, CASES[i].detail) == 0);
        memcpy(entry, kept, sizeof kept);
    }
    free(file);
}

/* A frame that decodes to another length, to too much, to a value that does not occur. */
static void test_hostile_frames(void)
{
    static const struct {
        uint8_t frame[4];
        const char *detail;
    } CASES[] = {
        {{255, 0, 1, 0}, NULL},
        {{255, 0, 0, 0}, "block 0: does not decompress"},
        {{255, 0, 2, 0}, "block 0: does not decompress"},
        {{255, 0, 1, 0xC0}, "block 0: impossible value"},
    };
    const struct table_header header = test_header(&BOARD_8X8, "english", "KvK", TABLE_BLOCK_MIN, 0, 0, 0);
    const char *path = test_path("frames.wdl");
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        uint8_t file[TABLE_HEADER_SIZE + TABLE_ENTRY_SIZE + 4];
        const struct block_entry entry = writer_entry(BLOCK_ZSTD, CASES[i].frame, 4);
        CHECK(writer_write(&header, &BOARD_8X8, &entry, file, sizeof file, NULL) == DAME_OK);
        memcpy(file + TABLE_HEADER_SIZE + TABLE_ENTRY_SIZE, CASES[i].frame, 4);
        write_file(path, file, sizeof file);
        char detail[DETAIL_MAX] = "";
        CHECK(open_and_check(path, detail) == (CASES[i].detail == NULL ? DAME_OK : DAME_CORRUPT_TABLE));
        CHECK(CASES[i].detail == NULL || strcmp(detail, CASES[i].detail) == 0);
    }
}

/* 2250 values: the last byte has room for two more. */
static void test_padding(void)
{
    const struct table_header header = test_header(&BOARD_10X10, "international", "MvK", 512, 0, 0, 0);
    uint8_t packed[1024];
    CHECK(header.values == 2250 && header.draw == 45 * 49);
    for (int padded = 0; padded < 2; padded++) {
        for (size_t i = 0; i < sizeof packed; i++)
            packed[i] = (uint8_t)(i % 3); /* no runs: stored as it is */
        packed[562] = padded ? 0x10 : 0x0A;
        size_t size;
        uint8_t *file = test_file(&BOARD_10X10, &header, packed, &size);
        const char *path = test_path("MvK.wdl");
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

static void test_the_writer_refuses(void)
{
    struct table_header header = test_header(&BOARD_8X8, "english", "KvK", TABLE_BLOCK_MIN, 0, 0, 0);
    const struct block_entry entry = writer_entry(BLOCK_FILL, (const uint8_t *)"", 1);
    uint8_t file[TABLE_HEADER_SIZE + TABLE_ENTRY_SIZE];
    CHECK(writer_write(&header, &BOARD_8X8, &entry, file, sizeof file, NULL) == DAME_OK);
    CHECK(writer_write(&header, &BOARD_8X8, &entry, file, sizeof file - 1, NULL) == DAME_BAD_ARGUMENT);
    CHECK(writer_write(&header, &BOARD_10X10, &entry, file, sizeof file, NULL) == DAME_BAD_ARGUMENT);
    header.win = 1;
    CHECK(writer_write(&header, &BOARD_8X8, &entry, file, sizeof file, NULL) == DAME_BAD_ARGUMENT);
}

static void test_files_that_are_none(void)
{
    struct table *table;
    char detail[DETAIL_MAX];
    CHECK(open_english(test_path("nothing.wdl"), &table, detail) == DAME_IO);
    CHECK(open_english("/tmp", &table, detail) == DAME_IO);
    write_file(test_path("text.wdl"), (const uint8_t *)"KKvK", 4);
    CHECK(open_english(test_path("text.wdl"), &table, detail) == DAME_CORRUPT_TABLE);
    uint8_t zeros[TABLE_HEADER_SIZE] = {0};
    write_file(test_path("zeros.wdl"), zeros, sizeof zeros);
    CHECK(open_english(test_path("zeros.wdl"), &table, detail) == DAME_CORRUPT_TABLE);
    CHECK(strcmp(detail, "not a table file") == 0);
}

int main(void)
{
    test_what_is_written_is_read();
    test_every_bit_matters();
    test_a_file_cut_short_while_open();
    test_hostile_headers();
    test_hostile_blocks();
    test_hostile_frames();
    test_padding();
    test_the_writer_refuses();
    test_files_that_are_none();
    return check_result();
}
