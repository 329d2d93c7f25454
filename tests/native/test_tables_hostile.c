/* Files whose checksums are right and whose contents are absurd: somebody wrote them with intent. */
#include "check.h"
#include "table_sample.h"

static void expect(const char *path, const uint8_t *file, size_t size, const char *wanted)
{
    char detail[DETAIL_MAX] = "";
    write_file(path, file, size);
    CHECK(open_and_check(path, detail) == (wanted == NULL ? DAME_OK : DAME_CORRUPT_TABLE));
    if (wanted != NULL && strcmp(detail, wanted) != 0) {
        fprintf(stderr, "'%s' instead of '%s'\n", detail, wanted);
        CHECK(!"the text is another one");
    }
}

struct header_case {
    unsigned offset;
    uint8_t value;
    const char *detail; /* NULL: the file is sound */
};

/* One absurd number each. */
static void test_headers(const uint8_t *dictionary, const struct header_case *cases, size_t count)
{
    struct sample sample;
    sample_make(&sample, dictionary);
    for (size_t i = 0; i < count; i++) {
        const uint8_t kept = sample.file[cases[i].offset];
        sample.file[cases[i].offset] = cases[i].value;
        store_u64(sample.file + AT_HEADER_HASH, hash_bytes(sample.file, AT_HEADER_HASH));
        expect(test_path("header.wdl"), sample.file, sample.size, cases[i].detail);
        sample.file[cases[i].offset] = kept;
    }
    free(sample.file);
}

static const struct header_case ALL_HEADERS[] = {
    {8, 1, "unknown format version 1"},
    {8, 3, "unknown format version 3"},
    {9, 1, "unknown format version 258"},
    {10, 3, "header: unknown metric"},
    {10, 1, "header: no such coding for this metric"},
    {11, 1, "header: no such coding for this metric"},
    {14, 1, NULL}, /* own kings slower than the other's: another order, and as good */
    {14, 2, "header: nesting"},
    {14, 23, "header: nesting"},
    {14, 24, "header: nesting"},
    {14, 0xFF, "header: nesting"},
    {15, 1, "header: reserved bytes are not zero"},
    {15, 0x80, "header: reserved bytes are not zero"},
    {17, 0, "header: material"},
    {18, 255, "header: material"},
    {17, 1, "header: number of values"},
    {20, 1, "header: block size"},
    {21, 0, "header: block size"},
    {21, 2, "header: number of blocks"},
    {21, 0x40, "header: number of blocks"},
    {21, 0x80, "header: block size"},
    {23, 0x80, "header: block size"},
    {24, 1, "header: number of values"},
    {31, 0xFF, "header: number of blocks"},
    {32, 1, "header: win, draw and loss do not add up"},
    {39, 0xFF, "header: win, draw and loss do not add up"},
    {63, 0xFF, "header: number of blocks"},
    {64, 0, "file is longer than its header says"},
    {67, 0xFF, "file is shorter than its header says"},
    {71, 0x7F, "file is shorter than its header says"},
    {71, 0xFF, "header: file size"},
    {72, 'E', "header: variant"},
    {72, 0, "header: variant"},
    {103, 'x', "header: variant"},
    {107, 0xFF, "header: dictionary"},
    {112, 0, "block table checksum"},
};

static const struct header_case PLAIN_HEADERS[] = {
    {104, 1, "blocks do not fill the file"},
    {106, 2, "header: dictionary"},
    {108, 1, "header: dictionary"},
    {111, 0x80, "header: dictionary"},
};

static const struct header_case DICTIONARY_HEADERS[] = {
    {104, 0, "header: dictionary"},  {104, 2, "blocks do not fill the file"},
    {106, 1, "header: dictionary"}, /* 65,537 */
    {108, 0, "dictionary checksum"}, {111, 0, "dictionary checksum"},
};

/* A file cannot be shorter than the parts in front of its blocks. */
static void test_file_sizes(void)
{
    const uint8_t dictionary[1] = {7};
    struct sample sample;
    sample_make(&sample, dictionary);
    const uint64_t front = writer_size(SAMPLE_BLOCKS, 1);
    for (int longer = 0; longer < 2; longer++) {
        store_u64(sample.file + 64, front - 1 + (uint64_t)longer);
        store_u64(sample.file + AT_HEADER_HASH, hash_bytes(sample.file, AT_HEADER_HASH));
        expect(test_path("size.wdl"), sample.file, sample.size,
               longer ? "file is longer than its header says" : "header: file size");
    }
    expect(test_path("size.wdl"), sample.file, front, "blocks do not fill the file");
    free(sample.file);
}

/* A dictionary that is whole, but that the codec cannot use. */
static void test_unusable_dictionary(void)
{
    const struct block_entry fill = writer_entry(BLOCK_FILL, (const uint8_t *)"", 1);
    struct table_header header = test_header(&BOARD_8X8, "english", "KvK", TABLE_BLOCK_MIN, 0, 0, 0);
    uint8_t file[TABLE_HEADER_SIZE + TABLE_ENTRY_SIZE + 2];
    header.dictionary_size = 2;
    CHECK(writer_write(&header, &BOARD_8X8, &fill, (const uint8_t *)"ab", file, sizeof file, NULL) ==
          DAME_OK);
    expect(test_path("unusable.wdl"), file, sizeof file, "dictionary");
}

/* Entries that contradict the block. */
static void test_entries(void)
{
    static const char ENTRY[] = "block 0: entry in the block table", SIZES[] = "blocks do not fill the file";
    static const struct {
        unsigned block;
        struct block_entry entry;
        const char *detail;
    } CASES[] = {
        {0, {0x55, BLOCK_FILL}, NULL},
        {0, {0x54, BLOCK_FILL}, ENTRY},
        {0, {0xFF, BLOCK_FILL}, ENTRY},
        {0, {0x155, BLOCK_FILL}, ENTRY},
        {0, {0x3FFF, BLOCK_FILL}, ENTRY},
        {0, {0, BLOCK_ZSTD}, ENTRY},
        {0, {256, BLOCK_ZSTD}, ENTRY},
        {0, {0x3FFF, BLOCK_ZSTD}, ENTRY},
        {0, {0, BLOCK_CODE}, ENTRY},
        {0, {256, BLOCK_CODE}, ENTRY},
        {0, {0x3FFF, BLOCK_CODE}, ENTRY},
        {0, {1, BLOCK_RAW}, ENTRY},
        {0, {256, BLOCK_RAW}, ENTRY},
        {0, {0x3FFF, BLOCK_RAW}, ENTRY},
        {0, {0, BLOCK_RAW}, SIZES},
        {0, {1, BLOCK_CODE}, SIZES},
        {0, {255, BLOCK_ZSTD}, SIZES},
        {1, {0, BLOCK_FILL}, SIZES},
        {15, {128, BLOCK_CODE}, "block 15: entry in the block table"},
        {15, {128, BLOCK_ZSTD}, "block 15: entry in the block table"},
    };
    struct sample sample;
    sample_make(&sample, NULL);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        uint8_t *entry = sample.file + TABLE_HEADER_SIZE + CASES[i].block * TABLE_ENTRY_SIZE;
        const uint16_t kept = load_u16(entry);
        layout_pack_entry(CASES[i].entry, entry);
        sign_file(sample.file, SAMPLE_BLOCKS);
        expect(test_path("entries.wdl"), sample.file, sample.size, CASES[i].detail);
        store_u16(entry, kept);
    }
    free(sample.file);
}

/* One block of KvK, 1024 values, stored as this. */
static void check_block(const struct table_header *header, enum block_kind kind, const uint8_t *payload,
                        size_t size, const char *wanted)
{
    uint8_t file[TABLE_HEADER_SIZE + TABLE_ENTRY_SIZE + TABLE_CHECKSUM_SIZE + 1024];
    const struct block_entry entry = writer_entry(kind, payload, size);
    const size_t front = (size_t)writer_size(1, 0), stored = TABLE_CHECKSUM_SIZE + size;
    CHECK(writer_write(header, &BOARD_8X8, &entry, NULL, file, sizeof file, NULL) == DAME_OK);
    put_payload(file + front, payload, size);
    expect(test_path("block.wdl"), file, front + stored, wanted);
    file[front + (kind == BLOCK_RAW ? stored - 1 : 0)] ^= 1;
    expect(test_path("block.wdl"), file, front + stored, "block 0: checksum");
}

/* Frames that are none, decode to too much, or to what is no code of runs; codes that do not fill the block.
 */
static void test_payloads(void)
{
    static const char FRAME[] = "block 0: does not decompress", RUNS[] = "block 0: runs do not fill it";
    static const struct {
        uint8_t size, payload[8];
        enum block_kind kind;
        const char *detail;
    } CASES[] = {
        {2, {1, 2}, BLOCK_ZSTD, NULL},                 /* 1024 losses */
        {4, {1, 0, 1, 1}, BLOCK_ZSTD, NULL},           /* a draw, 1023 wins */
        {6, {1, 0, 4, 255, 1, 3}, BLOCK_ZSTD, NULL},   /* 1023 draws, a win */
        {6, {1, 0, 4, 255, 1, 4}, BLOCK_ZSTD, RUNS},   /* 1024, and nothing left */
        {6, {1, 0, 200, 255, 1, 4}, BLOCK_ZSTD, RUNS}, /* far too many */
        {4, {1, 0, 4, 255}, BLOCK_ZSTD, RUNS},         /* a length that does not end */
        {4, {1, 0, 2, 0}, BLOCK_ZSTD, RUNS},           /* no length */
        {2, {1, 3}, BLOCK_ZSTD, RUNS},                 /* no value */
        {1, {9}, BLOCK_ZSTD, RUNS},                    /* half a pair: the frame is empty */
        {2, {0, 9}, BLOCK_ZSTD, RUNS},                 /* a pair of nothing */
        {4, {255, 0, 2, 0}, BLOCK_ZSTD, FRAME},        /* 257 bytes */
        {1, {1}, BLOCK_CODE, NULL},                    /* 1024 wins */
        {1, {3}, BLOCK_CODE, RUNS},
        {2, {0, 0}, BLOCK_CODE, RUNS},
        {2, {0, 255}, BLOCK_CODE, RUNS},
        {3, {0, 1, 0}, BLOCK_CODE, NULL}, /* one draw, and the third value to the end */
        {4, {0, 1, 0, 0}, BLOCK_CODE, RUNS},
        {6, {0, 255, 255, 255, 255, 3}, BLOCK_CODE, NULL},
        {6, {0, 255, 255, 255, 255, 4}, BLOCK_CODE, RUNS},
        {7, {0, 255, 255, 255, 255, 3, 1}, BLOCK_CODE, RUNS},
    };
    const struct table_header header = test_header(&BOARD_8X8, "english", "KvK", TABLE_BLOCK_MIN, 0, 0, 0);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
        check_block(&header, CASES[i].kind, CASES[i].payload, CASES[i].size, CASES[i].detail);
    uint8_t raw[TABLE_BLOCK_MIN] = {0};
    check_block(&header, BLOCK_RAW, raw, sizeof raw, NULL); /* a fill would have done */
    raw[255] = 0xC0;
    check_block(&header, BLOCK_RAW, raw, sizeof raw, "block 0: impossible value");
}

/* Distances are bytes, at most 6 here, and all of them. */
static void test_distance_payloads(void)
{
    struct table_header wdl = test_header(&BOARD_8X8, "english", "KvK", 1024, 300, 392, 300);
    const struct table_header header = with_distances(wdl, METRIC_DTW, 0, 11, 10);
    const uint8_t good[] = {255, 6, 255, 0, 255, 1, 255, 2, 4, 3};
    const uint8_t much[] = {255, 6, 255, 0, 255, 1, 255, 2, 5, 3};
    const uint8_t few[] = {255, 6, 255, 0, 255, 1, 255, 2, 3, 3};
    const uint8_t wrong[] = {255, 6, 255, 0, 255, 1, 255, 2, 4, 7};
    check_block(&header, BLOCK_ZSTD, good, sizeof good, NULL);
    check_block(&header, BLOCK_ZSTD, much, sizeof much, "block 0: does not decompress");
    check_block(&header, BLOCK_ZSTD, few, sizeof few, "block 0: does not decompress");
    check_block(&header, BLOCK_ZSTD, wrong, sizeof wrong, "block 0: impossible value");
    struct table_header sized = header;
    sized.file_size = 4096;
    const struct block_entry code = writer_entry(BLOCK_CODE, good, sizeof good);
    CHECK(layout_check_entry(&sized, 0, code, NULL) == DAME_CORRUPT_TABLE); /* runs are for values only */
}

#define HEADERS(dictionary, cases) test_headers(dictionary, cases, sizeof(cases) / sizeof(cases)[0])

int main(void)
{
    const uint8_t dictionary[1] = {7};
    HEADERS(NULL, ALL_HEADERS);
    HEADERS(dictionary, ALL_HEADERS);
    HEADERS(NULL, PLAIN_HEADERS);
    HEADERS(dictionary, DICTIONARY_HEADERS);
    test_file_sizes();
    test_unusable_dictionary();
    test_entries();
    test_payloads();
    test_distance_payloads();
    return check_result();
}
