/* Files of distances: what is written is read again, what their headers must not say, and what no byte may
   be. */
#include "base/bytes.h"
#include "base/hash.h"
#include "check.h"
#include "table_file.h"

enum { WINS = 300, LOSSES = 200, VALUES = 1024 };

/* KvK with some wins and losses. */
static struct table_header facts(enum metric metric, struct draw_rule rule, int longest_win, int longest_loss)
{
    const struct table_header wdl =
        test_header(&BOARD_8X8, "english", "KvK", TABLE_BLOCK_MIN, WINS, 992 - WINS - LOSSES, LOSSES);
    return with_distances(wdl, metric, rule, longest_win, longest_loss);
}

static enum dame_status open_and_check(const char *path, char *detail)
{
    struct table *table;
    enum dame_status status = table_open(NULL, path, "english", &BOARD_8X8, &TOY_CODEC, &table, detail);
    if (status != DAME_OK)
        return status;
    status = table_check(table, NULL, detail);
    table_close(table);
    return status;
}

/* Blocks of all forms, one filled with a byte that no table of win, draw and loss is filled with. */
static void fill_bytes(uint8_t bytes[VALUES], int most)
{
    for (int i = 0; i < VALUES; i++) {
        const int block = i / TABLE_BLOCK_MIN;
        bytes[i] = (uint8_t)(block == 0 ? most : block == 1 ? i / 40 % (most + 1) : i * i / 7 % (most + 1));
    }
}

static void test_what_is_written_is_read(enum metric metric, int longest_win, int most)
{
    const struct table_header header = facts(metric, (struct draw_rule){0}, longest_win, 10);
    uint8_t bytes[VALUES], found[TABLE_BLOCK_MIN];
    char detail[DETAIL_MAX] = "";
    size_t size;
    CHECK(header.block_count == 4 && layout_largest_byte(&header) == most);
    fill_bytes(bytes, most);
    uint8_t *file = test_file(&BOARD_8X8, &header, bytes, &size);
    const char *path = test_path("KvK.distance");
    write_file(path, file, size);
    struct table *table = NULL;
    CHECK(table_open(NULL, path, "english", &BOARD_8X8, &TOY_CODEC, &table, detail) == DAME_OK);
    CHECK(table_header(table)->longest_win == longest_win && table_header(table)->longest_loss == 10);
    CHECK(table_header(table)->metric == metric &&
          table_header(table)->coding == metric_page(metric)->coding);
    for (uint32_t block = 0; block < header.block_count; block++) {
        CHECK(table_read(table, block, found, detail) == DAME_OK);
        CHECK(memcmp(found, bytes + (size_t)block * TABLE_BLOCK_MIN, TABLE_BLOCK_MIN) == 0);
    }
    table_close(table);
    static const enum block_form EXPECTED[] = {BLOCK_FILL, BLOCK_ZSTD, BLOCK_RAW, BLOCK_RAW};
    for (int block = 0; block < 4; block++) {
        const struct block_entry entry =
            layout_unpack_entry(file + size - (size_t)(4 - block) * TABLE_ENTRY_SIZE);
        CHECK(entry.form == EXPECTED[block] && (block != 0 || entry.length == most));
    }
    free(file);

    for (int block = 0; block < 4; block++) { /* one byte too large, in blocks of all forms */
        fill_bytes(bytes, most);
        for (int i = 0; i < (block == 0 ? TABLE_BLOCK_MIN : 1); i++)
            bytes[block * TABLE_BLOCK_MIN + i] = (uint8_t)(most + 1);
        struct table_header lying = header;
        lying.longest_loss += 2; /* so that the writer takes it */
        lying.longest_win += 2;
        file = test_file(&BOARD_8X8, &lying, bytes, &size);
        store_u16(file + AT(longest_win), header.longest_win);
        store_u16(file + AT(longest_loss), header.longest_loss);
        store_u64(file + AT(header_hash), hash_bytes(file, AT(header_hash)));
        write_file(path, file, size);
        CHECK(open_and_check(path, detail) == DAME_CORRUPT_TABLE);
        free(file);
    }
}

/* Longest distances as they may be, and as they may not. */
static void test_headers(void)
{
    static const struct {
        enum metric metric;
        struct draw_rule rule;
        int longest_win, longest_loss;
        bool sound;
    } CASES[] = {
        {METRIC_WDL, {0}, -1, -1, true},
        {METRIC_WDL, {DRAW_PLIES, 40}, -1, -1, true},
        {METRIC_WDL, {0}, 11, -1, false},
        {METRIC_WDL, {0}, -1, 10, false},
        {METRIC_DTW, {0}, 11, 10, true},
        {METRIC_DTW, {0}, 1, 0, true},
        {METRIC_DTW, {0}, 509, 510, true},
        {METRIC_DTW, {0}, 11, -1, false},
        {METRIC_DTW, {0}, -1, 10, false},
        {METRIC_DTW, {0}, 10, 10, false},
        {METRIC_DTW, {0}, 11, 11, false},
        {METRIC_DTW, {0}, 511, 10, false},
        {METRIC_DTW, {0}, 11, 512, false},
        {METRIC_DTW, {DRAW_PLIES, 40}, 11, 10, false},
        {METRIC_DTZ, {0}, 12, 11, true},
        {METRIC_DTZ, {0}, 1, 0, true},
        {METRIC_DTZ, {0}, 0, 0, false},
        {METRIC_DTZ, {0}, 255, 255, true},
        {METRIC_DTZ, {0}, 256, 0, false},
        {METRIC_DTZ, {0}, 12, 256, false},
        {METRIC_DTZ, {DRAW_PLIES, 40}, 40, 40, true},
        {METRIC_DTZ, {DRAW_PLIES, 40}, 41, 40, false},
        {METRIC_DTZ, {DRAW_PLIES, 40}, 40, 41, false},
        {METRIC_DTZ, {DRAW_PLIES, 40}, -1, 40, false},
        {METRIC_DTZ, {DRAW_PLIES, 40}, 40, -1, false},
        {METRIC_DTC, {0}, 1, 0, true},
        {METRIC_DTC, {0}, 0, 0, false},
        {METRIC_DTC, {0}, 255, 254, true},
        {METRIC_DTC, {0}, 256, 0, false},
        {METRIC_DTC, {DRAW_CAPTURES, 40}, 40, 40, true},
        {METRIC_DTC, {DRAW_CAPTURES, 40}, 41, 40, false},
        {METRIC_DTC, {DRAW_PLIES, 40}, 11, 10, false},
        {METRIC_DTZ, {DRAW_CAPTURES, 40}, 11, 10, false},
        {METRIC_DTW, {DRAW_CAPTURES, 40}, 11, 10, false},
        {METRIC_WDL, {DRAW_CAPTURES, 40}, -1, -1, true},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct table_header header =
            facts(CASES[i].metric, CASES[i].rule, CASES[i].longest_win, CASES[i].longest_loss);
        header.file_size = 4096;
        header.entry_count = header.block_count;
        CHECK(layout_check(&header, NULL) == (CASES[i].sound ? DAME_OK : DAME_CORRUPT_TABLE));
        header.win = header.loss = 0; /* then none is longest */
        const bool none = header.longest_win == TABLE_NO_DISTANCE && header.longest_loss == TABLE_NO_DISTANCE;
        CHECK(layout_check(&header, NULL) == (none ? DAME_OK : DAME_CORRUPT_TABLE));
    }
    const struct draw_rule impossible[] = {{DRAW_COUNTERS, 40}, {DRAW_PLIES, 65536}, {DRAW_CAPTURES, -1}};
    for (size_t i = 0; i < sizeof impossible / sizeof impossible[0]; i++) {
        struct table_header ruled = facts(METRIC_WDL, impossible[i], -1, -1);
        ruled.file_size = 4096;
        ruled.entry_count = ruled.block_count;
        CHECK(layout_check(&ruled, NULL) == DAME_CORRUPT_TABLE);
    }
    struct table_header header = facts(METRIC_DTZ, (struct draw_rule){0}, 12, 11);
    header.coding = CODING_HALVES;
    header.file_size = 4096;
    CHECK(layout_check(&header, NULL) == DAME_CORRUPT_TABLE);
    header.metric = METRICS;
    CHECK(layout_check(&header, NULL) == DAME_CORRUPT_TABLE);
}

static bool comes_back(enum coding coding, int plies, bool odd)
{
    const int byte = coding_to_byte(coding, plies);
    return 0 <= byte && byte <= 255 && coding_from_byte(coding, byte, odd) == plies;
}

static void test_coding(void)
{
    for (int plies = 1; plies <= 509; plies += 2)
        CHECK(comes_back(CODING_HALVES, plies, true));
    for (int plies = 0; plies <= 510; plies += 2)
        CHECK(comes_back(CODING_HALVES, plies, false));
    for (int plies = 0; plies <= 255; plies++)
        CHECK(comes_back(CODING_PLIES, plies, plies % 2 != 0));
}

int main(void)
{
    test_what_is_written_is_read(METRIC_DTW, 35, 18);
    test_what_is_written_is_read(METRIC_DTZ, 12, 12);
    test_what_is_written_is_read(METRIC_DTC, 12, 12);
    test_headers();
    test_coding();
    return check_result();
}
