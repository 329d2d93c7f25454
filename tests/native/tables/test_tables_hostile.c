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
static void test_headers(enum sample_form form, const struct header_case *cases, size_t count)
{
    struct sample sample;
    sample_make(&sample, form);
    for (size_t i = 0; i < count; i++) {
        const uint8_t kept = sample.file[cases[i].offset];
        sample.file[cases[i].offset] = cases[i].value;
        store_u64(sample.file + AT(header_hash), hash_bytes(sample.file, AT(header_hash)));
        expect(test_path("header.wdl"), sample.file, sample.size, cases[i].detail);
        sample.file[cases[i].offset] = kept;
    }
    free(sample.file);
}

static const struct header_case ALL_HEADERS[] = {
    {AT(version), 1, "unknown format version 1"},
    {AT(version), 2, "unknown format version 2"},
    {AT(version), 4, "unknown format version 4"},
    {AT(version) + 1, 1, "unknown format version 259"},
    {AT(metric), METRICS, "header: unknown metric"},
    {AT(coding), 3, "header: no such coding for this metric"},
    {AT(nesting), 2, "header: nesting"},
    {AT(nesting), 23, "header: nesting"},
    {AT(nesting), 24, "header: nesting"},
    {AT(nesting), 0xFF, "header: nesting"},
    {AT(draw_counter), DRAW_CAPTURES, "header: reserved bytes are not zero"},
    {AT(draw_counter), 0x80, "header: reserved bytes are not zero"},
    {AT(material) + 1, 0, "header: material"},
    {AT(material) + 2, 255, "header: material"},
    {AT(material) + 1, 1, "header: number of values"},
    {AT(block_size), 1, "header: block size"},
    {AT(block_size) + 1, 0, "header: block size"},
    {AT(block_size) + 1, 0x40, "header: number of entries"},
    {AT(block_size) + 1, 0x80, "header: block size"},
    {AT(block_size) + 3, 0x80, "header: block size"},
    {AT(values), 1, "header: number of values"},
    {AT(values) + 3, 0xFF, "header: number of entries"},
    {AT(values) + 7, 0xFF, "header: number of blocks"},
    {AT(win), 1, "header: win, draw and loss do not add up"},
    {AT(win) + 7, 0xFF, "header: win, draw and loss do not add up"},
    {AT(entry_count), 0, "header: number of entries"},
    {AT(entry_count), 17, "header: number of entries"},
    {AT(entry_count) + 3, 0xFF, "header: number of entries"},
    {AT(file_size), 0, "file is longer than its header says"},
    {AT(file_size) + 3, 0xFF, "file is shorter than its header says"},
    {AT(file_size) + 7, 0x7F, "file is shorter than its header says"},
    {AT(file_size) + 7, 0xFF, "header: file size"},
    {AT(variant), 'E', "header: variant"},
    {AT(variant), 0, "header: variant"},
    {AT(variant) + 31, 'x', "header: variant"},
    {AT(table_hash), 0, "block table checksum"},
};

/* Of win, draw and loss. */
static const struct header_case VALUE_HEADERS[] = {
    {AT(metric), 1, "header: no such coding for this metric"},
    {AT(coding), 1, "header: no such coding for this metric"},
    {AT(nesting), 0, NULL},
    {AT(block_size) + 1, 2, "header: number of entries"},
    {AT(model_size) + 3, 0xFF, "header: model"},
};

static const struct header_case PLAIN_HEADERS[] = {
    {AT(model_size), 1, "blocks do not fill the file"},
    {AT(model_size) + 2, 2, "header: model"}, /* 131,072 */
    {AT(model_hash), 1, "header: model"},
    {AT(model_hash) + 3, 0x80, "header: model"},
};

/* Distances have no model, and nothing else stands in its place. */
static const struct header_case DISTANCE_HEADERS[] = {
    {AT(model_size), 1, "header: reserved bytes are not zero"},
    {AT(model_size) + 3, 0xFF, "header: reserved bytes are not zero"},
    {AT(model_hash), 1, "header: reserved bytes are not zero"},
    {AT(model_hash) + 3, 0x80, "header: reserved bytes are not zero"},
};

/* A file cannot be shorter than the parts around its blocks. */
static void test_file_sizes(void)
{
    struct sample sample;
    sample_make(&sample, SAMPLE_DISTANCES);
    const uint64_t least = writer_size(0) + SAMPLE_BLOCKS * TABLE_ENTRY_SIZE;
    for (int longer = 0; longer < 2; longer++) {
        store_u64(sample.file + AT(file_size), least - 1 + (uint64_t)longer);
        store_u64(sample.file + AT(header_hash), hash_bytes(sample.file, AT(header_hash)));
        expect(test_path("size.wdl"), sample.file, sample.size,
               longer ? "file is longer than its header says" : "header: file size");
    }
    expect(test_path("size.wdl"), sample.file, least, "block table checksum");
    sign_file(sample.file, least);
    char detail[DETAIL_MAX] = "";
    write_file(test_path("size.wdl"), sample.file, least);
    CHECK(open_and_check(test_path("size.wdl"), detail) == DAME_CORRUPT_TABLE);
    free(sample.file);
}

/* A model that is whole, but no use. */
static void test_unusable_models(void)
{
    static const struct {
        uint8_t size, bytes[8];
    } MODELS[] = {
        {1, {0}}, {2, {1, 0}}, {3, {0, 0x08, 0x00}}, {4, {0, 0x08, 0x46, 0}}, {3, {0xFF, 0xFF, 0xFF}}};
    struct table_header header = test_header(&BOARD_8X8, "english", "KvK", TABLE_BLOCK_MIN, 0, 0, 0);
    uint8_t file[TABLE_HEADER_SIZE + TABLE_CHECKSUM_SIZE + TABLE_ENTRY_SIZE + 16];
    for (size_t i = 0; i < sizeof MODELS / sizeof MODELS[0]; i++) {
        const uint8_t code[4] = {0, 0, 1, 0};
        const struct block_entry entry = writer_entry(BLOCK_CODE, code, sizeof code);
        header.model_size = MODELS[i].size;
        CHECK(writer_write(&header, &BOARD_8X8, &entry, MODELS[i].bytes, file, sizeof file, NULL) == DAME_OK);
        size_t size = TABLE_HEADER_SIZE + MODELS[i].size;
        size += put_payload(file + size, code, sizeof code);
        size += writer_table(&entry, 1, file + size);
        expect(test_path("unusable.wdl"), file, size, "model");
    }
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
        {0, {0x55, BLOCK_FILL, 0}, NULL},
        {0, {0x54, BLOCK_FILL, 0}, ENTRY},
        {0, {0xFF, BLOCK_FILL, 0}, ENTRY},
        {0, {0, BLOCK_FILL, 15}, "more entries than blocks"},
        {0, {0, BLOCK_FILL, 16}, ENTRY},
        {0, {0, BLOCK_FILL, 63}, ENTRY},
        {0, {4, BLOCK_ZSTD, 0}, ENTRY},
        {0, {0x3FFF, BLOCK_ZSTD, 0}, ENTRY},
        {0, {0, BLOCK_CODE, 0}, ENTRY},
        {0, {2, BLOCK_CODE, 0}, ENTRY},
        {0, {5, BLOCK_CODE, 0}, ENTRY},
        {0, {256, BLOCK_CODE, 0}, ENTRY},
        {0, {0x3FFE, BLOCK_CODE, 0}, ENTRY},
        {0, {1, BLOCK_RAW, 0}, ENTRY},
        {0, {256, BLOCK_RAW, 0}, ENTRY},
        {0, {0x3FFF, BLOCK_RAW, 0}, ENTRY},
        {0, {0, BLOCK_RAW, 0}, SIZES},
        {0, {4, BLOCK_CODE, 0}, SIZES},
        {1, {0, BLOCK_FILL, 0}, SIZES},
        {15, {0, BLOCK_FILL, 1}, "block 15: entry in the block table"},
        {15, {128, BLOCK_CODE, 0}, "block 15: entry in the block table"},
        {15, {126, BLOCK_ZSTD, 0}, "block 15: entry in the block table"},
    };
    struct sample sample;
    sample_make(&sample, SAMPLE_PLAIN);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        uint8_t *entry = sample_entries(&sample) + CASES[i].block * TABLE_ENTRY_SIZE;
        const uint16_t kept = load_u16(entry);
        layout_pack_entry(CASES[i].entry, entry);
        sign_file(sample.file, sample.size);
        expect(test_path("entries.wdl"), sample.file, sample.size, CASES[i].detail);
        store_u16(entry, kept);
    }
    free(sample.file);
}

/* Entries for less blocks than there are. */
static void test_few_entries(void)
{
    struct sample sample;
    sample_make(&sample, SAMPLE_PLAIN);
    memmove(sample_entries(&sample), sample_entries(&sample) + TABLE_ENTRY_SIZE,
            (SAMPLE_BLOCKS - 1) * TABLE_ENTRY_SIZE);
    sample.size -= TABLE_ENTRY_SIZE;
    store_u32(sample.file + AT(entry_count), SAMPLE_BLOCKS - 1);
    store_u64(sample.file + AT(file_size), sample.size);
    sign_file(sample.file, sample.size);
    expect(test_path("few.wdl"), sample.file, sample.size, "fewer entries than blocks");
    free(sample.file);
}

/* One block of KvK, 1024 values, stored as this. */
static void check_block(const struct table_header *header, enum block_form form, const uint8_t *payload,
                        size_t size, const char *wanted)
{
    uint8_t file[TABLE_HEADER_SIZE + TABLE_ENTRY_SIZE + TABLE_CHECKSUM_SIZE + 1024];
    const struct block_entry entry = writer_entry(form, payload, size);
    const size_t front = (size_t)writer_size(0), stored = TABLE_CHECKSUM_SIZE + size;
    CHECK(writer_write(header, &BOARD_8X8, &entry, NULL, file, sizeof file, NULL) == DAME_OK);
    put_payload(file + front, payload, size);
    writer_table(&entry, 1, file + front + stored);
    expect(test_path("block.wdl"), file, front + stored + TABLE_ENTRY_SIZE, wanted);
    file[front + (form == BLOCK_RAW ? stored - 1 : 0)] ^= 1;
    expect(test_path("block.wdl"), file, front + stored + TABLE_ENTRY_SIZE, "block 0: checksum");
}

/* Codes that do not end where they should. */
static void test_codes(void)
{
    static const char WRONG[] = "block 0: does not decode";
    static const struct {
        uint8_t size, payload[8];
    } CASES[] = {
        {4, {0, 0, 0, 0}},             /* a state that is too small */
        {4, {0xFF, 0xFF, 0, 0}},       /* the same */
        {4, {0, 0, 1, 0}},             /* nothing is in it */
        {4, {0xFF, 0xFF, 0xFF, 0xFF}}, /* and less than is asked for */
        {8, {0, 0, 1, 0, 1, 2, 3, 4}},
    };
    const struct table_header header = test_header(&BOARD_8X8, "english", "KvK", TABLE_BLOCK_MIN, 0, 0, 0);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
        check_block(&header, BLOCK_CODE, CASES[i].payload, CASES[i].size, WRONG);
    uint8_t packed[TABLE_BLOCK_MIN + CODER_SLACK] = {0}, code[TABLE_BLOCK_MIN];
    struct test_coding *coding = test_coding_create(&BOARD_8X8, &header, NULL, 0);
    for (size_t i = 0; i < TABLE_BLOCK_MIN; i++)
        packed[i] = i < 100 ? 0x55 : 0;
    const size_t size = block_code(&header, coding, 0, packed, code);
    CHECK(size > 0 && size <= TABLE_BLOCK_MIN - 2);
    check_block(&header, BLOCK_CODE, code, size, NULL);
    check_block(&header, BLOCK_CODE, code, size - 2, WRONG);
    memset(code + size, 0, 2);
    check_block(&header, BLOCK_CODE, code, size + 2, WRONG);
    test_coding_destroy(coding);
    check_block(&header, BLOCK_RAW, packed, TABLE_BLOCK_MIN, NULL);
    packed[255] = 0xC0;
    check_block(&header, BLOCK_RAW, packed, TABLE_BLOCK_MIN, "block 0: impossible value");
}

/* Distances are bytes, at most 6 here, and all of them. */
static void test_distance_payloads(void)
{
    struct table_header wdl = test_header(&BOARD_8X8, "english", "KvK", 1024, 300, 392, 300);
    const struct table_header header = with_distances(wdl, METRIC_DTW, (struct draw_rule){0}, 11, 10);
    const uint8_t good[] = {255, 6, 255, 0, 255, 1, 255, 2, 4, 3};
    const uint8_t much[] = {255, 6, 255, 0, 255, 1, 255, 2, 5, 3};
    const uint8_t few[] = {255, 6, 255, 0, 255, 1, 255, 2, 3, 3};
    const uint8_t wrong[] = {255, 6, 255, 0, 255, 1, 255, 2, 4, 7};
    check_block(&header, BLOCK_ZSTD, good, sizeof good, NULL);
    check_block(&header, BLOCK_ZSTD, much, sizeof much, "block 0: does not decompress");
    check_block(&header, BLOCK_ZSTD, few, sizeof few, "block 0: does not decompress");
    check_block(&header, BLOCK_ZSTD, wrong, sizeof wrong, "block 0: impossible value");
    const uint8_t half[] = {9}, nothing[] = {0, 9}; /* the frame is empty */
    check_block(&header, BLOCK_ZSTD, half, sizeof half, "block 0: does not decompress");
    check_block(&header, BLOCK_ZSTD, nothing, sizeof nothing, "block 0: does not decompress");
    struct table_header sized = header;
    sized.file_size = 4096;
    const struct block_entry code = writer_entry(BLOCK_CODE, good, sizeof good);
    CHECK(layout_check_entry(&sized, 0, code, NULL) == DAME_CORRUPT_TABLE); /* for values only */
}

#define HEADERS(form, cases) test_headers(form, cases, sizeof(cases) / sizeof(cases)[0])

int main(void)
{
    for (int form = 0; form < SAMPLE_FORMS; form++) {
        HEADERS((enum sample_form)form, ALL_HEADERS);
        if (form != SAMPLE_DISTANCES)
            HEADERS((enum sample_form)form, VALUE_HEADERS);
    }
    HEADERS(SAMPLE_PLAIN, PLAIN_HEADERS);
    HEADERS(SAMPLE_DISTANCES, DISTANCE_HEADERS);
    test_file_sizes();
    test_unusable_models();
    test_entries();
    test_few_entries();
    test_codes();
    test_distance_payloads();
    return check_result();
}
