/* Probed distances, and values when the plies of a draw rule count, against the obvious ones. */
#include "probe/distance.h"

#include "distance_library.h"

/* Through the cache, in memory, resolved. */
static void for_all_states(struct library *library, const struct distances *all,
                           void (*test)(const struct library *library, const struct distances *all))
{
    test(library, all);
    CHECK(library_preload(library, PIECES, UINT64_MAX, 2, NULL, NULL, NULL) == DAME_OK);
    test(library, all);
    CHECK(library_resolve(library, PIECES, 2, NULL, NULL, NULL, NULL) == DAME_OK);
    test(library, all);
}

static void test_every_value(const struct library *library, const struct distances *all)
{
    uint64_t wrong = 0;
    for (int i = 0; i < slice_count; i++) {
        struct walk walk = walk_slice(&slices[i]);
        while (walk_next(&walk)) {
            int wdl = UNKNOWN, plies = UNKNOWN;
            const enum dame_status status =
                probe_plies(library, all->metric, &walk.position, 0, &wdl, &plies, NULL, NULL);
            const int expected = all->wdl[i][walk.index] == 0 ? -1 : all->plies[i][walk.index];
            wrong += status != DAME_OK || wdl != all->wdl[i][walk.index] || plies != expected;
        }
    }
    CHECK(wrong == 0);
}

/* A position that is decided within the plies that are left. */
static void test_clock(const struct library *library, const struct distances *all)
{
    const int n = all->draw_rule.plies, clocks[] = {0, 1, n / 2, n - 1, n};
    const struct position any = {0, bit_at(0), 0, bit_at(31)};
    int wdl, plies;
    CHECK(probe_wdl_clock(library, &any, -1, &wdl, NULL, NULL) == DAME_BAD_ARGUMENT);
    CHECK(probe_plies(library, all->metric, &any, -1, &wdl, &plies, NULL, NULL) == DAME_BAD_ARGUMENT);
    CHECK(probe_wdl_clock(library, &any, n + 1, &wdl, NULL, NULL) == (n == 0 ? DAME_OK : DAME_BAD_ARGUMENT));
    CHECK(probe_plies(library, all->metric, &any, n + 1, &wdl, &plies, NULL, NULL) ==
          (n == 0 ? DAME_OK : DAME_BAD_ARGUMENT));
    uint64_t wrong = 0;
    for (size_t c = 0; c < (n == 0 ? 2 : sizeof clocks / sizeof clocks[0]); c++)
        for (int i = 0; i < slice_count; i++) {
            struct walk walk = walk_slice(&slices[i]);
            while (walk_next(&walk)) {
                const int left = n == 0 ? NO_DISTANCE - 1 : n - clocks[c];
                const int expected = value_within(all, &walk.position, left);
                wrong += probe_wdl_clock(library, &walk.position, clocks[c], &wdl, NULL, NULL) != DAME_OK ||
                         wdl != expected;
                wrong += probe_plies(library, all->metric, &walk.position, clocks[c], &wdl, &plies, NULL,
                                     NULL) != DAME_OK ||
                         wdl != expected || plies != (expected == 0 ? -1 : all->plies[i][walk.index]);
            }
        }
    CHECK(wrong == 0);
}

static void test_values(const struct distances *all)
{
    struct library *library = distance_library(all, true, true, true);
    CHECK(draw_rule_equal(library_draw_rule(library), all->draw_rule));
    for_all_states(library, all, test_every_value);
    CHECK(library_statistics(library).hits > 0);
    test_clock(library, all);
    library_destroy(library);
}

static struct position first_position(const struct distances *all, int slice, int wdl)
{
    struct walk walk = walk_slice(&slices[slice]);
    do
        CHECK(walk_next(&walk));
    while (all->wdl[slice][walk.index] != wdl || english()->must_capture(&walk.position));
    return walk.position;
}

/* The report names the metric. */
static void test_missing_tables(const struct distances *all)
{
    struct library *library = distance_library(all, false, true, false);
    const struct position won = first_position(all, 0, 1), drawn = first_position(all, 0, 0);
    struct missing_table missing = {.metric = METRICS};
    int wdl = UNKNOWN, plies = UNKNOWN;
    CHECK(probe_wdl(library, &won, &wdl, &missing, NULL) == DAME_OK && wdl == 1);
    for (int metric = METRIC_DTW; metric < METRICS; metric++) {
        const enum metric asked = (enum metric)metric;
        CHECK(probe_plies(library, asked, &won, 0, &wdl, &plies, &missing, NULL) == DAME_NO_TABLE);
        CHECK(missing.metric == asked && material_equal(missing.material, slices[0].material));
        CHECK(probe_plies(library, asked, &drawn, 0, &wdl, &plies, &missing, NULL) == DAME_OK);
        CHECK(wdl == 0 && plies == -1);
    }
    CHECK(probe_wdl_clock(library, &won, 0, &wdl, &missing, NULL) == DAME_OK);
    missing.metric = METRICS;
    CHECK(probe_wdl_clock(library, &won, 1, &wdl, &missing, NULL) ==
          (all->draw_rule.plies == 0 ? DAME_OK : DAME_NO_TABLE));
    CHECK(all->draw_rule.plies == 0 || missing.metric == all->metric);
    library_destroy(library);

    library = distance_library(all, false, false, true);
    CHECK(library_find(library, slices[0].material, METRIC_WDL) == -1);
    CHECK(library_find(library, slices[0].material, all->metric) == 0);
    CHECK(probe_plies(library, all->metric, &won, 0, &wdl, &plies, &missing, NULL) == DAME_NO_TABLE);
    CHECK(missing.metric == METRIC_WDL);
    CHECK(library_resolve(library, PIECES, 1, NULL, NULL, &missing, NULL) == DAME_NO_TABLE);
    CHECK(missing.metric == METRIC_WDL);
    library_destroy(library);
}

static void test_odd_positions(const struct distances *all)
{
    struct library *library = distance_library(all, false, true, true);
    const struct position bad = {1, 1, 0, 2}, alone = {0, 0, bit_at(20), 0}, winner = {bit_at(20), 0, 0, 0};
    const struct position start = {0xFFF, 0, 0xFFF00000, 0};
    struct missing_table missing;
    int wdl, plies;
    char detail[DETAIL_MAX] = "";
    for (int i = METRIC_DTW; i < METRICS; i++) {
        const enum metric metric = (enum metric)i;
        CHECK(probe_plies(library, metric, &bad, 0, &wdl, &plies, NULL, detail) == DAME_BAD_POSITION);
        CHECK(detail[0] != '\0');
        CHECK(probe_plies(library, metric, &alone, 0, &wdl, &plies, NULL, NULL) == DAME_OK);
        CHECK(wdl == -1 && plies == 0);
        CHECK(probe_plies(library, metric, &winner, 0, &wdl, &plies, NULL, NULL) == DAME_OK);
        CHECK(wdl == 1 && plies == 1);
        CHECK(probe_plies(library, metric, &start, 0, &wdl, &plies, &missing, NULL) == DAME_NO_TABLE);
        CHECK(missing.material.own_men == 12 && missing.metric == metric);
    }
    library_destroy(library);
}

/* A won position whose byte is 0: no number is made of it. */
static void test_contradiction(const struct distances *all)
{
    struct library *library = distance_library_without(all, 0);
    struct table_header header;
    uint8_t *bytes = distance_bytes(all, 0, &header);
    const struct position won = first_position(all, 0, 1);
    bytes[index_in(&slices[0], &won)] = 0;
    CHECK(library_add_values(library, &header, bytes, NULL) == DAME_OK);
    int wdl, plies;
    char detail[DETAIL_MAX] = "";
    CHECK(probe_plies(library, all->metric, &won, 0, &wdl, &plies, NULL, detail) == DAME_CORRUPT_TABLE);
    CHECK(detail[0] != '\0');
    free(bytes);
    library_destroy(library);
}

/* Tables that do not belong together, and bytes that do not occur. */
static void test_refused_tables(const struct distances *all)
{
    struct library *library = distance_library_without(all, 0);
    struct table_header header, other;
    uint8_t *bytes = distance_bytes(all, 0, &header);
    other = header;
    other.draw_rule.plies += 100;
    CHECK(library_add_values(library, &other, bytes, NULL) == DAME_BAD_ARGUMENT);
    bytes[5] = (uint8_t)(layout_largest_byte(&header) + 1);
    CHECK(library_add_values(library, &header, bytes, NULL) == DAME_BAD_ARGUMENT);
    bytes[5]--;
    CHECK(library_add_values(library, &header, bytes, NULL) == DAME_OK);
    CHECK(library_add_values(library, &header, bytes, NULL) == DAME_BAD_ARGUMENT); /* for the second time */
    free(bytes);
    library_destroy(library);
}

int main(void)
{
    static const struct outcome_rule CASES[] = {{METRIC_DTW, {0}},
                                                {METRIC_DTZ, {0}},
                                                {METRIC_DTZ, {DRAW_PLIES, 10}},
                                                {METRIC_DTZ, {DRAW_PLIES, 20}},
                                                {METRIC_DTZ, {DRAW_PLIES, 40}},
                                                {METRIC_DTC, {0}},
                                                {METRIC_DTC, {DRAW_CAPTURES, 10}},
                                                {METRIC_DTC, {DRAW_CAPTURES, 30}}};
    naive_solve_all();
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct distances *all = naive_distances(CASES[i]);
        test_values(all);
        test_missing_tables(all);
        test_odd_positions(all);
        test_contradiction(all);
        test_refused_tables(all);
        naive_distances_free(all);
    }
    naive_free();
    return check_result();
}
