/* The C library: opening, probing, facts, and what it refuses. Values are compared with Python's in
   tests/test_c_library.py. */
#include "dame.h"

#include <errno.h>

#include "api/names.h"
#include "api/status.h"
#include "base/bits.h"
#include "check.h"
#include "table_file.h"

enum { MANY = 5000 };

static struct dame_error error;

static bool says(const char *text)
{
    if (strstr(error.text, text) != NULL)
        return true;
    fprintf(stderr, "the text is: %s\n", error.text);
    return false;
}

static struct dame_tables *open_shipped(const struct dame_options *options)
{
    struct dame_tables *tables = NULL;
    CHECK(dame_open(SHIPPED, "english", options, &tables, &error) == DAME_STATUS_OK && says(""));
    return tables;
}

static const struct dame_position WON = {
    .black_men = 1U << 11, .black_kings = 1U << 27, .white_kings = 1U << 18 | 1U << 22, .side = DAME_WHITE};

static void test_statuses(void)
{
    for (int i = 0; i <= DAME_STATUS_INTERNAL; i++)
        for (int j = 0; j < i; j++)
            CHECK(strcmp(dame_status_text((dame_status)i), dame_status_text((dame_status)j)) != 0);
    CHECK(strcmp(dame_status_text((dame_status)1000), "unknown status") == 0);
    for (int i = 1; i < DAME_STATUS_COUNT; i++)
        CHECK(public_status((enum dame_status)i) != DAME_STATUS_OK);
    CHECK(public_status(DAME_OK) == DAME_STATUS_OK);
    CHECK(public_status((enum dame_status)1000) == DAME_STATUS_INTERNAL);
    CHECK(strcmp(dame_version(), "0.1.0") == 0);
}

static void test_names(void)
{
    enum metric metric;
    struct draw_rule rule;
    CHECK(name_parse("KKvK.wdl", &metric, &rule) && metric == METRIC_WDL && rule.plies == 0);
    CHECK(name_parse("KKvK.n40.dtz", &metric, &rule) && metric == METRIC_DTZ && rule.plies == 40);
    CHECK(name_parse("KKvK.c100.dtc", &metric, &rule) && metric == METRIC_DTC && rule.plies == 100);
    CHECK(rule.counter == DRAW_CAPTURES);
    CHECK(name_parse("KKvK.x100.dtc", &metric, &rule) && rule.plies == 0);
    CHECK(name_parse("KKvK.n040.dtw", &metric, &rule) && metric == METRIC_DTW && rule.plies == 0);
    CHECK(name_parse("n40.wdl", &metric, &rule) && rule.plies == 0);
    CHECK(name_parse("K.n.wdl", &metric, &rule) && rule.plies == 0);
    CHECK(name_parse("K.n123456.wdl", &metric, &rule) && rule.plies == 0);
    for (const char *const *bad =
             (const char *const[]){"", "wdl", ".wdl", ".KvK.wdl", "KvK.wdl.x", "a.dt", NULL};
         *bad != NULL; bad++)
        CHECK(!name_parse(*bad, &metric, &rule));
}

static void test_opening_fails(void)
{
    struct dame_tables *tables = NULL;
    CHECK(dame_open(SHIPPED, "chess", NULL, &tables, &error) == DAME_STATUS_BAD_ARGUMENT && says("chess"));
    CHECK(dame_open(SHIPPED, "russian", NULL, &tables, &error) == DAME_STATUS_WRONG_VARIANT &&
          says("english"));
    CHECK(dame_open(SHIPPED "/no", "english", NULL, &tables, &error) == DAME_STATUS_IO && errno == ENOENT);
    CHECK(says(SHIPPED "/no: "));
    CHECK(dame_open(SHIPPED "/no", "english", NULL, &tables, NULL) == DAME_STATUS_IO);
    const struct dame_options negative = {.draw_plies = -1}, long_rule = {.draw_plies = 254},
                              rule = {.draw_plies = 40}, threads = {.preload_pieces = 2, .threads = -1},
                              preload = {.preload_pieces = -1}, resolve = {.resolve = 1},
                              bytes = {.preload_bytes = 1};
    CHECK(dame_open(SHIPPED, "english", &negative, &tables, &error) == DAME_STATUS_BAD_ARGUMENT);
    CHECK(dame_open(SHIPPED, "english", &long_rule, &tables, &error) == DAME_STATUS_BAD_ARGUMENT);
    CHECK(says("draw_plies 254"));
    CHECK(dame_open(SHIPPED, "english", &threads, &tables, &error) == DAME_STATUS_BAD_ARGUMENT);
    CHECK(dame_open(SHIPPED, "english", &preload, &tables, &error) == DAME_STATUS_BAD_ARGUMENT);
    CHECK(says("preload_pieces -1"));
    CHECK(dame_open(SHIPPED, "english", &resolve, &tables, &error) == DAME_STATUS_BAD_ARGUMENT);
    CHECK(says("resolve without preload_pieces"));
    CHECK(dame_open(SHIPPED, "english", &bytes, &tables, &error) == DAME_STATUS_BAD_ARGUMENT);
    CHECK(says("preload_bytes without preload_pieces"));
    CHECK(dame_open(SHIPPED, "english", &rule, &tables, &error) == DAME_STATUS_NO_TABLE &&
          says("draw_plies 40"));
    CHECK(tables == NULL);
    dame_close(NULL);
}

static void test_facts(const struct dame_tables *tables)
{
    struct dame_table facts;
    int distances = 0;
    CHECK(dame_count(tables) == 126 && dame_largest(tables) == 5 && dame_draw_plies(tables) == 0);
    CHECK(strcmp(dame_variant(tables), "english") == 0);
    CHECK(dame_table_facts(tables, -1, &facts) == DAME_STATUS_BAD_ARGUMENT);
    CHECK(dame_table_facts(tables, dame_count(tables), &facts) == DAME_STATUS_BAD_ARGUMENT);
    for (int i = 0; i < dame_count(tables); i++) {
        CHECK(dame_table_facts(tables, i, &facts) == DAME_STATUS_OK);
        distances += facts.metric == DAME_METRIC_DTW;
        if (strcmp(facts.name, "KvK.dtw") == 0)
            CHECK(facts.pieces == 2 && facts.win == 230 && facts.draw == 654 && facts.loss == 108 &&
                  facts.longest_win > 0 && facts.file_bytes > 128);
        if (strcmp(facts.name, "KvK.wdl") == 0)
            CHECK(facts.longest_win == DAME_NO_PLIES && facts.longest_loss == DAME_NO_PLIES);
    }
    CHECK(distances == 41);
    CHECK(dame_verify(tables, 2, &error) == DAME_STATUS_OK && says(""));
    CHECK(dame_verify(tables, 0, &error) == DAME_STATUS_BAD_ARGUMENT);
}

static void test_bad_positions(const struct dame_tables *tables)
{
    struct dame_position bad[] = {WON, WON, WON, WON, WON, {.side = DAME_WHITE}};
    int wdl = 7, plies = 7;
    bad[0].side = 2;
    bad[1].white_kings |= UINT64_C(1) << 32;
    bad[2].black_men |= 1U << 27;
    bad[3].black_men |= 1U << 28;
    bad[4].white_men |= 1U << 3;
    for (int i = 0; i < 6; i++) {
        CHECK(dame_probe_wdl(tables, &bad[i], 0, &wdl, &error) == DAME_STATUS_BAD_POSITION);
        CHECK(strlen(error.text) > strlen("illegal position: "));
        CHECK(dame_probe_dtw(tables, &bad[i], &wdl, &plies, NULL) == DAME_STATUS_BAD_POSITION);
        CHECK(dame_probe_dtz(tables, &bad[i], 0, &wdl, &plies, NULL) == DAME_STATUS_BAD_POSITION);
    }
    CHECK(dame_probe_wdl(tables, &WON, -1, &wdl, &error) == DAME_STATUS_BAD_ARGUMENT && says("clock -1"));
    CHECK(dame_probe_dtz(tables, &WON, 0, &wdl, &plies, &error) == DAME_STATUS_NO_TABLE &&
          says("KKvKM.dtz in " SHIPPED " (no dtz table is there); "
               "dame-fast build --pieces 4 --metric dtz --out DIR makes it"));
    const struct dame_position full = {.black_men = 0xFFF, .white_men = 0xFFF00000, .side = DAME_BLACK};
    CHECK(dame_probe_wdl(tables, &full, 0, &wdl, &error) == DAME_STATUS_NO_TABLE &&
          says("24 pieces in " SHIPPED " (largest there: 5 pieces)"));
    CHECK(strchr(error.text, ';') == NULL); /* nothing builds that */
    CHECK(wdl == 7 && plies == 7);
}

/* Kings on pseudo-random squares, some of them illegal. */
static void make_positions(struct dame_position *positions)
{
    uint64_t random = 1;
    for (int i = 0; i < MANY; i++) {
        int squares[5];
        for (int j = 0; j < 5; j++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407U;
            squares[j] = (int)(random >> 59);
        }
        positions[i] = (struct dame_position){
            .black_kings = bit_at(squares[0]) | bit_at(squares[1]),
            .black_men = bit_at(squares[2]),
            .white_kings = bit_at(squares[3]),
            .white_men = bit_at(squares[4]),
            .side = i % 2,
        };
    }
}

/* Through a small cache, through a large one, in memory, and resolved: the same answers. */
static void test_many(void)
{
    static struct dame_position positions[MANY];
    static int8_t first[MANY], again[MANY];
    static dame_status statuses[MANY];
    const struct dame_options ways[] = {{.cache_bytes = 1},
                                        {.threads = 1},
                                        {.preload_pieces = 5, .threads = 2},
                                        {.preload_pieces = 5, .preload_bytes = 3000000, .resolve = 1},
                                        {.preload_pieces = 4, .resolve = 1}};
    int known = 0;
    make_positions(positions);
    positions[0] = (struct dame_position){.side = DAME_BLACK}; /* nothing but a side to move: no position */
    for (int way = 0; way < 5; way++) {
        struct dame_tables *tables = open_shipped(&ways[way]);
        int8_t *out = way == 0 ? first : again;
        CHECK(dame_probe_many(tables, positions, MANY, 4, out, statuses) == DAME_STATUS_OK);
        for (int i = 0; i < MANY; i++) {
            int wdl = DAME_NO_VALUE;
            CHECK(dame_probe_wdl(tables, &positions[i], 0, &wdl, NULL) == statuses[i] && wdl == out[i]);
            CHECK((statuses[i] == DAME_STATUS_OK) == (wdl != DAME_NO_VALUE));
            known += statuses[i] == DAME_STATUS_OK;
        }
        CHECK(statuses[0] == DAME_STATUS_BAD_POSITION && out[0] == DAME_NO_VALUE);
        CHECK(way == 0 || memcmp(first, again, MANY) == 0);
        struct dame_statistics statistics;
        dame_cache_statistics(tables, &statistics);
        CHECK((statistics.decode_time > 0) == (statistics.misses > 0));
        CHECK((statistics.misses > 0) == (way != 2) && (statistics.hits > 0) == (way != 2));
        CHECK(dame_probe_many(tables, positions, MANY, 0, again, NULL) == DAME_STATUS_BAD_ARGUMENT);
        CHECK(dame_probe_many(tables, positions, 0, 1, again, NULL) == DAME_STATUS_OK);
        dame_close(tables);
    }
    CHECK(known > MANY && known < 5 * MANY);
}

/* Values that the toy compression cannot shorten: libzstd would not read it. */
static void write_rule_table(const char *name, struct draw_rule rule)
{
    struct table_header header = test_header(&BOARD_8X8, "english", "KvK", 256, 0, 0, 0);
    header.draw_rule = rule;
    uint8_t packed[256] = {0};
    for (uint64_t i = 0; i < header.values; i++)
        values_set(packed, i, (int)(i / 4 % 2));
    size_t size;
    uint8_t *file = test_file(&BOARD_8X8, &header, packed, &size);
    write_file(test_path(name), file, size);
    free(file);
}

static void test_adding(void)
{
    struct dame_tables *tables;
    int wdl;
    const struct dame_position kings = {.black_kings = 1, .white_kings = 1U << 31, .side = DAME_BLACK};
    CHECK(dame_open(NULL, "english", NULL, &tables, &error) == DAME_STATUS_OK);
    CHECK(dame_count(tables) == 0 && dame_largest(tables) == 0);
    CHECK(dame_probe_wdl(tables, &kings, 0, &wdl, &error) == DAME_STATUS_NO_TABLE);
    CHECK(strcmp(error.text,
                 "no table: KvK.wdl (nothing is open); dame-fast build --pieces 2 --out DIR makes it") == 0);
    CHECK(dame_add(tables, SHIPPED "/KvK.wdl", &error) == DAME_STATUS_OK);
    CHECK(dame_probe_wdl(tables, &kings, 0, &wdl, &error) == DAME_STATUS_OK && wdl == 0);
    CHECK(dame_preload(tables, 12, 0, 1, 1, &error) ==
          DAME_STATUS_OK); /* captures lead to the end of the game */
    CHECK(dame_add(tables, SHIPPED "/KvK.wdl", &error) == DAME_STATUS_OK && dame_count(tables) == 1);
    write_rule_table("KvK.wdl", (struct draw_rule){0});
    CHECK(dame_add(tables, test_path("KvK.wdl"), &error) == DAME_STATUS_BAD_ARGUMENT);
    CHECK(says(test_path("KvK.wdl")) &&
          says(": differs from " SHIPPED "/KvK.wdl, a table of the same slice"));
    CHECK(dame_add(tables, SHIPPED "/manifest.json", &error) == DAME_STATUS_CORRUPT_TABLE);
    CHECK(dame_add(tables, SHIPPED "/no", &error) == DAME_STATUS_IO);
    CHECK(dame_preload(tables, 12, 0, 0, 0, &error) == DAME_STATUS_BAD_ARGUMENT);
    CHECK(dame_preload(tables, -1, 0, 0, 1, &error) == DAME_STATUS_BAD_ARGUMENT &&
          says("tables of -1 pieces"));
    CHECK(dame_add(tables, SHIPPED, &error) == DAME_STATUS_OK && dame_count(tables) == 126);
    dame_close(tables);
    CHECK(dame_open(test_folder, "english", NULL, &tables, &error) == DAME_STATUS_OK);
    CHECK(unlink(test_path("KvK.wdl")) == 0);
    CHECK(dame_add(tables, SHIPPED "/KKvKM.wdl", &error) == DAME_STATUS_OK);
    CHECK(dame_preload(tables, 12, 0, 1, 1, &error) == DAME_STATUS_NO_TABLE);
    CHECK(says("no table: ") && says(".wdl in ") &&
          says(SHIPPED "/KKvKM.wdl (largest there: 4 pieces); dame-fast build"));
    dame_close(tables);
}

static size_t read_shipped(const char *name, uint8_t *bytes, size_t capacity)
{
    char path[sizeof SHIPPED + 64];
    snprintf(path, sizeof path, "%s/%s", SHIPPED, name);
    FILE *file = fopen(path, "rb");
    const size_t size = file == NULL ? 0 : fread(bytes, 1, capacity, file);
    CHECK(size > 0 && size < capacity && fclose(file) == 0);
    return size;
}

static void test_a_damaged_file(void)
{
    static uint8_t bytes[1 << 20];
    struct dame_tables *tables;
    const size_t size = read_shipped("KKvKM.wdl", bytes, sizeof bytes);
    write_file(test_path("KKvKM.dtw"), bytes, size);
    CHECK(dame_open(test_folder, "english", NULL, &tables, &error) == DAME_STATUS_CORRUPT_TABLE);
    CHECK(says("KKvKM.dtw: holds a table of another metric") && unlink(test_path("KKvKM.dtw")) == 0);
    for (size_t i = size / 2; i < size / 2 + 64; i++)
        bytes[i] ^= 0x10;
    write_file(test_path("KKvKM.wdl"), bytes, size);
    CHECK(dame_open(test_folder, "english", NULL, &tables, &error) == DAME_STATUS_OK);
    CHECK(dame_verify(tables, 1, &error) == DAME_STATUS_CORRUPT_TABLE && says("KKvKM.wdl: block "));
    CHECK(dame_preload(tables, 4, 0, 0, 1, &error) == DAME_STATUS_CORRUPT_TABLE && says("KKvKM.wdl: block "));
    dame_close(tables);
    CHECK(unlink(test_path("KKvKM.wdl")) == 0);
}

static void test_draw_rules(void)
{
    struct dame_tables *tables;
    struct dame_table facts;
    int wdl;
    const struct dame_options forty = {.draw_plies = 40}, fifty = {.draw_plies = 50};
    const struct dame_options captures = {.draw_captures = 40},
                              both = {.draw_plies = 40, .draw_captures = 40};
    const struct dame_options negative = {.draw_captures = -1};
    const struct dame_position kings = {.black_kings = 1, .white_kings = 1U << 31, .side = DAME_BLACK};
    write_rule_table("KvK.n40.wdl", (struct draw_rule){DRAW_PLIES, 40});
    write_rule_table("KvK.n50.wdl", (struct draw_rule){DRAW_PLIES, 51});
    write_rule_table("KvK.c40.wdl", (struct draw_rule){DRAW_CAPTURES, 40});
    CHECK(dame_open(test_folder, "english", NULL, &tables, &error) == DAME_STATUS_NO_TABLE);
    CHECK(dame_open(test_folder, "english", &fifty, &tables, &error) == DAME_STATUS_CORRUPT_TABLE);
    CHECK(says("draw_plies 51, not draw_plies 50"));
    CHECK(dame_open(test_folder, "english", &forty, &tables, &error) == DAME_STATUS_OK);
    CHECK(dame_draw_plies(tables) == 40 && dame_draw_captures(tables) == 0 && dame_count(tables) == 1);
    CHECK(dame_table_facts(tables, 0, &facts) == DAME_STATUS_OK && strcmp(facts.name, "KvK.n40.wdl") == 0);
    CHECK(dame_add(tables, SHIPPED "/KvK.wdl", &error) == DAME_STATUS_BAD_ARGUMENT);
    CHECK(dame_probe_wdl(tables, &kings, 0, &wdl, &error) == DAME_STATUS_OK);
    CHECK(dame_probe_wdl(tables, &kings, 41, &wdl, &error) == DAME_STATUS_BAD_ARGUMENT);
    dame_close(tables);

    CHECK(dame_open(test_folder, "english", &both, &tables, &error) == DAME_STATUS_BAD_ARGUMENT);
    CHECK(says("draw_captures 40"));
    CHECK(dame_open(test_folder, "english", &negative, &tables, &error) == DAME_STATUS_BAD_ARGUMENT);
    CHECK(dame_open(test_folder, "english", &captures, &tables, &error) == DAME_STATUS_OK);
    CHECK(dame_draw_plies(tables) == 0 && dame_draw_captures(tables) == 40 && dame_count(tables) == 1);
    CHECK(dame_table_facts(tables, 0, &facts) == DAME_STATUS_OK && strcmp(facts.name, "KvK.c40.wdl") == 0);
    int plies;
    CHECK(dame_probe_wdl(tables, &kings, 0, &wdl, &error) == DAME_STATUS_OK);
    CHECK(dame_probe_dtc(tables, &WON, 0, &wdl, &plies, &error) == DAME_STATUS_NO_TABLE);
    dame_close(tables);
}

int main(void)
{
    test_statuses();
    test_names();
    test_opening_fails();
    struct dame_tables *tables = open_shipped(NULL);
    test_facts(tables);
    test_bad_positions(tables);
    dame_close(tables);
    test_many();
    test_adding();
    test_a_damaged_file();
    test_draw_rules();
    return check_result();
}
