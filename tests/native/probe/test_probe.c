/* Probe and verification against the obvious solver: all English slices of two and three pieces. */
#include "probe/value.h"
#include "probe/verify.h"

#include "check.h"
#include "naive_library.h"

static void test_every_value(const struct library *library)
{
    uint64_t wrong = 0;
    for (int i = 0; i < slice_count; i++) {
        const struct solved *slice = &slices[i];
        struct walk walk = walk_slice(slice);
        while (walk_next(&walk)) {
            int wdl = UNKNOWN;
            wrong += probe_wdl(library, &walk.position, &wdl, NULL, NULL) != DAME_OK ||
                     wdl != slice->values[walk.index];
        }
    }
    CHECK(wrong == 0);
}

/* tests/data/english_wdl_dtw.csv holds these numbers too. */
static void test_known_counts(void)
{
    CHECK(slices[0].win == 230 && slices[0].draw == 654 && slices[0].loss == 108); /* KvK */
    uint64_t win = 0, draw = 0, loss = 0;
    for (int i = 0; i < slice_count; i++) {
        win += slices[i].win;
        draw += slices[i].draw;
        loss += slices[i].loss;
    }
    CHECK(win + draw + loss == 3488 + 196032);
}

static void test_verify(const struct library *library, int threads)
{
    for (int i = 0; i < slice_count; i++) {
        struct verify_report report;
        atomic_uint_fast64_t progress = 0;
        CHECK(verify_slice(library, slices[i].material, METRIC_WDL, threads, NULL, &progress, &report,
                           NULL) == DAME_OK);
        CHECK(report.wrong == 0 && report.counts_agree);
        CHECK(report.positions == slices[i].win + slices[i].draw + slices[i].loss);
        CHECK(progress == report.positions && report.win == slices[i].win);
        struct verify_report sample, again;
        CHECK(verify_sample(library, slices[i].material, METRIC_WDL, 3000, 5, 1, NULL, NULL, &sample, NULL) ==
              DAME_OK);
        CHECK(verify_sample(library, slices[i].material, METRIC_WDL, 3000, 5, threads, NULL, NULL, &again,
                            NULL) == DAME_OK);
        CHECK(sample.positions == 3000 && sample.wrong == 0 && sample.win == again.win);
    }
    const atomic_bool cancel = true;
    struct verify_report report;
    CHECK(verify_slice(library, slices[3].material, METRIC_WDL, 1, &cancel, NULL, &report, NULL) ==
          DAME_CANCELLED);
}

/* One wrong value is found, and named. */
static void test_verify_finds_a_wrong_value(void)
{
    struct library *library = open_library(2, false, "KvK");
    const struct solved *slice = &slices[0];
    struct table_header header;
    uint8_t *packed = packed_values(slice, &header);
    struct walk walk = walk_slice(slice);
    do
        CHECK(walk_next(&walk));
    while (slice->values[walk.index] != 0 || !must_be_stored(&walk.position));
    values_set(packed, walk.index, VALUE_WIN);
    CHECK(library_add_values(library, &header, packed, NULL) == DAME_OK);
    free(packed);
    struct verify_report report;
    CHECK(verify_slice(library, slice->material, METRIC_WDL, 2, NULL, NULL, &report, NULL) == DAME_OK);
    CHECK(report.wrong >= 1);
    /* It is the first drawn one, so the moves that lead to it may only make later ones look wrong. */
    CHECK(report.first_wrong_index == walk.index && report.first_wrong.own_kings == walk.position.own_kings);
    CHECK(report.first_wrong_stored == 1 && report.first_wrong_derived == 0);
    CHECK(verify_sample(library, slice->material, METRIC_WDL, 20000, 1, 1, NULL, NULL, &report, NULL) ==
          DAME_OK);
    CHECK(report.wrong > 0);
    library_destroy(library);
}

static void test_verify_finds_wrong_counts(void)
{
    struct library *library = open_library(2, false, "KvK");
    struct table_header header;
    uint8_t *packed = packed_values(&slices[0], &header);
    header.win++;
    header.loss--;
    CHECK(library_add_values(library, &header, packed, NULL) == DAME_OK);
    free(packed);
    struct verify_report report;
    CHECK(verify_slice(library, slices[0].material, METRIC_WDL, 2, NULL, NULL, &report, NULL) == DAME_OK);
    CHECK(report.wrong == 0 && !report.counts_agree);
    header.draw_rule.plies = 40; /* another table */
    header.material.own_men++;
    CHECK(library_add_values(library, &header, NULL, NULL) == DAME_BAD_ARGUMENT);
    library_destroy(library);
}

static void test_missing_tables(void)
{
    struct library *library = open_library(PIECES, true, "KvKM");
    CHECK(library_largest(library) == 3 && library_count(library) == slice_count - 1);
    struct material kkm;
    struct missing_table missing = {0};
    CHECK(material_parse("KvKM", &kkm) == DAME_OK && library_find(library, kkm, METRIC_WDL) == -1);
    int wdl = UNKNOWN;
    const struct position quiet = {0, bit_at(0), bit_at(30), bit_at(31)};
    CHECK(probe_wdl(library, &quiet, &wdl, &missing, NULL) == DAME_NO_TABLE);
    CHECK(material_equal(missing.material, kkm) && missing.metric == METRIC_WDL);
    /* 1 jumps over 6 and goes on from 10 over 14: nothing is left, no table is needed. */
    const struct position jump = {0, bit_at(0), bit_at(5), bit_at(13)};
    CHECK(probe_wdl(library, &jump, &wdl, &missing, NULL) == DAME_OK && wdl == 1);
    struct verify_report report;
    CHECK(verify_slice(library, kkm, METRIC_WDL, 1, NULL, NULL, &report, NULL) == DAME_NO_TABLE);
    CHECK(material_equal(report.missing.material, kkm));
    CHECK(verify_slice(library, material_mirror(kkm), METRIC_WDL, 1, NULL, NULL, &report, NULL) ==
          DAME_NO_TABLE);
    CHECK(material_equal(report.missing.material, kkm));
    library_destroy(library);
}

static void test_odd_positions(const struct library *library)
{
    static const struct position BAD[] = {
        {1, 1, 0, 2},                 /* one square, own pieces */
        {1, 0, 0, 1},                 /* one square, both sides */
        {UINT64_C(1) << 28, 0, 0, 1}, /* a man on the crown row */
        {0, 2, 1, 0},
        {0, UINT64_C(1) << 32, 0, 1}, /* off the board */
        {0, 1, 0, UINT64_C(1) << 63},
    };
    int wdl = UNKNOWN;
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        char detail[DETAIL_MAX] = "";
        CHECK(probe_wdl(library, &BAD[i], &wdl, NULL, detail) == DAME_BAD_POSITION && detail[0] != '\0');
    }
    const struct position alone = {0, 0, bit_at(20), 0}, winner = {bit_at(20), 0, 0, 0};
    CHECK(probe_wdl(library, &alone, &wdl, NULL, NULL) == DAME_OK && wdl == -1);
    CHECK(probe_wdl(library, &winner, &wdl, NULL, NULL) == DAME_OK && wdl == 1);
    const struct position start = {0xFFF, 0, 0xFFF00000, 0};
    struct missing_table missing;
    CHECK(probe_wdl(library, &start, &wdl, &missing, NULL) == DAME_NO_TABLE &&
          missing.material.own_men == 12);
}

/* Both sides to move, and rows that have no value, in order. */
static void test_probe_many(const struct library *library, int threads)
{
    enum { COUNT = 5000 };
    static uint64_t rows[COUNT][PROBE_WORDS];
    static int8_t expected[COUNT], out[COUNT];
    const struct solved *slice = &slices[slice_count - 1];
    struct walk walk = walk_slice(slice);
    for (int i = 0; i < COUNT; i++) {
        CHECK(walk_next(&walk));
        const uint64_t sets[4] = {walk.position.own_men, walk.position.own_kings, walk.position.other_men,
                                  walk.position.other_kings};
        for (int j = 0; j < 4; j++)
            rows[i][j] = i % 2 == 0 ? sets[j] : bits_reverse(sets[j], 32);
        rows[i][4] = (uint64_t)i % 2;
        expected[i] = slice->values[walk.index];
    }
    rows[100][4] = 2;
    rows[101][1] |= UINT64_C(1) << 40;
    expected[100] = expected[101] = PROBE_ILLEGAL;
    memcpy(rows[102], (uint64_t[PROBE_WORDS]){0xFFF, 0, 0xFFF00000, 0, 0}, sizeof rows[102]);
    expected[102] = PROBE_MISSING;
    CHECK(probe_many(library, rows[0], COUNT, out, threads, NULL, NULL) == DAME_OK);
    CHECK(memcmp(out, expected, COUNT) == 0);
    CHECK(probe_many(library, rows[0], 0, out, threads, NULL, NULL) == DAME_OK);
    const atomic_bool cancel = true;
    CHECK(probe_many(library, rows[0], COUNT, out, threads, &cancel, NULL) == DAME_CANCELLED);
}

static void test_a_damaged_block(void)
{
    struct library *library = open_library(PIECES, true, NULL);
    const int last = library_count(library) - 1;
    const struct table_header *header = library_header(library, last);
    char name[MATERIAL_NAME_MAX], detail[DETAIL_MAX] = "";
    material_name(header->material, name);
    CHECK(truncate(test_path(name), (off_t)layout_table_offset(header) - 1) == 0);
    CHECK(table_check(library_table(library, last), NULL, detail) == DAME_CORRUPT_TABLE);
    detail[0] = '\0';
    CHECK(library_preload(library, PIECES, UINT64_MAX, 2, NULL, NULL, detail) == DAME_CORRUPT_TABLE);
    const size_t length = strlen(test_path(name));
    CHECK(strncmp(detail, test_path(name), length) == 0 && strncmp(detail + length, ": ", 2) == 0);
    library_destroy(library);
}

int main(void)
{
    naive_solve_all();
    test_known_counts();
    struct library *library = open_library(PIECES, true, NULL);
    for (int state = 0; state < 3; state++) { /* through the cache, in memory, resolved */
        if (state == 1)
            CHECK(library_preload(library, PIECES, UINT64_MAX, 2, NULL, NULL, NULL) == DAME_OK);
        if (state == 2)
            CHECK(library_resolve(library, PIECES, 2, NULL, NULL, NULL, NULL) == DAME_OK);
        test_every_value(library);
        test_verify(library, 2);
        test_probe_many(library, 1 + state);
        test_odd_positions(library);
    }
    CHECK(library_statistics(library).hits > 0);
    library_destroy(library);
    library = open_library(PIECES, false, NULL);
    test_every_value(library);
    library_destroy(library);
    test_verify_finds_a_wrong_value();
    test_verify_finds_wrong_counts();
    test_missing_tables();
    test_a_damaged_block();
    CHECK(library_create("no such rules", NULL, 0, &library) == DAME_BAD_ARGUMENT);
    naive_free();
    return check_result();
}
