/* Verification of distances: sound tables pass, and one wrong number is found and named. */
#include "probe/verify.h"

#include "distance_library.h"

static void check_report(const struct distances *all, int i, const struct verify_report *report)
{
    CHECK(report->wrong == 0 && report->counts_agree);
    CHECK(report->win == all->win[i] && report->loss == all->loss[i]);
    CHECK(report->positions == report->win + report->draw + report->loss);
    CHECK(report->longest_win == all->longest_win[i] && report->longest_loss == all->longest_loss[i]);
}

/* Win, draw and loss alone as well; under a draw rule that means both. */
static void test_sound_tables(const struct distances *all)
{
    struct library *library = distance_library(all, true, true, true);
    for (int state = 0; state < 2; state++) {
        for (int i = 0; i < slice_count; i++) {
            struct verify_report report, sample, again;
            atomic_uint_fast64_t progress = 0;
            const struct material m = slices[i].material;
            CHECK(verify_slice(library, m, all->metric, 1 + state, NULL, &progress, &report, NULL) ==
                  DAME_OK);
            check_report(all, i, &report);
            CHECK(progress == report.positions);
            CHECK(verify_slice(library, m, METRIC_WDL, 2, NULL, NULL, &report, NULL) == DAME_OK);
            CHECK(report.wrong == 0 && report.counts_agree);
            CHECK(report.longest_win == (all->draw_rule.plies == 0 ? -1 : all->longest_win[i]));
            CHECK(verify_sample(library, m, all->metric, 2000, 5, 1, NULL, NULL, &sample, NULL) == DAME_OK);
            CHECK(verify_sample(library, m, all->metric, 2000, 5, 2, NULL, NULL, &again, NULL) == DAME_OK);
            CHECK(sample.positions == 2000 && sample.wrong == 0 && sample.win == again.win);
            CHECK(sample.longest_win == again.longest_win && sample.longest_win <= all->longest_win[i]);
        }
        CHECK(library_preload(library, PIECES, UINT64_MAX, 2, NULL, NULL, NULL) == DAME_OK);
        CHECK(library_resolve(library, PIECES, 2, NULL, NULL, NULL, NULL) == DAME_OK);
    }
    library_destroy(library);
}

/* The first position with a distance that another small one can take the place of. */
static uint64_t spoil_a_distance(const struct distances *all, int i, uint8_t *bytes)
{
    struct walk walk = walk_slice(&slices[i]);
    do
        CHECK(walk_next(&walk));
    while (all->wdl[i][walk.index] == 0 || bytes[walk.index] < 2 || english()->must_capture(&walk.position));
    bytes[walk.index]--;
    return walk.index;
}

static void test_a_wrong_distance(const struct distances *all)
{
    enum { SLICE = 0 };
    struct library *library = distance_library_without(all, SLICE);
    struct table_header header;
    uint8_t *bytes = distance_bytes(all, SLICE, &header);
    const uint64_t index = spoil_a_distance(all, SLICE, bytes);
    const int plies = all->plies[SLICE][index], wdl = all->wdl[SLICE][index];
    add_table(library, &header, bytes, false);
    struct verify_report report;
    CHECK(verify_slice(library, slices[SLICE].material, all->metric, 2, NULL, NULL, &report, NULL) ==
          DAME_OK);
    CHECK(report.wrong >= 1 && report.first_wrong_index <= index);
    if (report.first_wrong_index == index) { /* unless a position before it leads there */
        CHECK(report.first_wrong_stored == wdl && report.first_wrong_derived == wdl);
        CHECK(report.first_wrong_derived_plies == plies);
        CHECK(report.first_wrong_stored_plies == plies - (all->metric == METRIC_DTW ? 2 : 1));
    }
    CHECK(verify_slice(library, slices[SLICE].material, METRIC_WDL, 1, NULL, NULL, &report, NULL) == DAME_OK);
    CHECK((report.wrong == 0) == (all->draw_rule.plies == 0));
    CHECK(verify_sample(library, slices[SLICE].material, all->metric, 20000, 1, 1, NULL, NULL, &report,
                        NULL) == DAME_OK);
    CHECK(report.wrong > 0);
    library_destroy(library);
}

/* A header with another longest win than the positions have. */
static void test_wrong_longest(const struct distances *all)
{
    if (all->draw_rule.plies != 0 && all->longest_win[0] + 2 > all->draw_rule.plies)
        return; /* the rule allows none */
    struct library *library = distance_library_without(all, 0);
    struct table_header header;
    uint8_t *bytes = distance_bytes(all, 0, &header);
    header.longest_win += 2;
    add_table(library, &header, bytes, false);
    struct verify_report report;
    CHECK(verify_slice(library, slices[0].material, all->metric, 2, NULL, NULL, &report, NULL) == DAME_OK);
    CHECK(report.wrong == 0 && !report.counts_agree);
    library_destroy(library);
}

static void test_missing_tables(const struct distances *all)
{
    struct library *library = distance_library(all, false, true, false);
    struct verify_report report;
    const atomic_bool cancel = true;
    const struct material m = slices[0].material;
    CHECK(verify_slice(library, m, all->metric, 1, NULL, NULL, &report, NULL) == DAME_NO_TABLE);
    CHECK(report.missing.metric == all->metric && material_equal(report.missing.material, m));
    CHECK(verify_slice(library, m, METRIC_WDL, 1, NULL, NULL, &report, NULL) ==
          (all->draw_rule.plies == 0 ? DAME_OK : DAME_NO_TABLE));
    library_destroy(library);
    library = distance_library(all, false, false, true);
    CHECK(verify_slice(library, m, all->metric, 1, NULL, NULL, &report, NULL) == DAME_NO_TABLE);
    CHECK(report.missing.metric == METRIC_WDL);
    library_destroy(library);
    library = distance_library_without(all, 0);
    const struct material larger = slices[slice_count - 1].material;
    CHECK(
        verify_slice(library, slice_named("KKvK"), all->metric, 1, NULL, NULL, &report, NULL) ==
        (all->metric == METRIC_DTW ? DAME_NO_TABLE : DAME_OK)); /* captures that lead to KvK end the phase */
    CHECK(verify_slice(library, larger, all->metric, 1, &cancel, NULL, &report, NULL) == DAME_CANCELLED);
    library_destroy(library);
}

int main(void)
{
    static const struct outcome_rule CASES[] = {{METRIC_DTW, {0}},
                                                {METRIC_DTZ, {0}},
                                                {METRIC_DTZ, {DRAW_PLIES, 6}},
                                                {METRIC_DTZ, {DRAW_PLIES, 10}},
                                                {METRIC_DTZ, {DRAW_PLIES, 20}},
                                                {METRIC_DTZ, {DRAW_PLIES, 40}},
                                                {METRIC_DTC, {0}},
                                                {METRIC_DTC, {DRAW_CAPTURES, 6}},
                                                {METRIC_DTC, {DRAW_CAPTURES, 30}}};
    naive_solve_all();
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct distances *all = naive_distances(CASES[i]);
        test_sound_tables(all);
        test_a_wrong_distance(all);
        test_wrong_longest(all);
        test_missing_tables(all);
        naive_distances_free(all);
    }
    naive_free();
    return check_result();
}
