/* The positions that take longest, against a loop over the obvious distances. */
#include "probe/longest.h"

#include "distance_library.h"

enum { MOST = 1 << 17 };

static struct position found[MOST], expected[MOST];

/* All of them, in the order of their indices. */
static size_t naive_longest(const struct distances *all, int i, int wdl)
{
    const int longest = wdl > 0 ? all->longest_win[i] : all->longest_loss[i];
    size_t count = 0;
    struct walk walk = walk_slice(&slices[i]);
    while (walk_next(&walk))
        if (all->wdl[i][walk.index] == wdl && all->plies[i][walk.index] == longest)
            expected[count++] = walk.position;
    return count;
}

static void check_slice(const struct library *library, const struct distances *all, int i, int wdl,
                        size_t limit, int threads)
{
    const size_t total = naive_longest(all, i, wdl);
    const int plies = wdl > 0 ? all->longest_win[i] : all->longest_loss[i];
    struct longest_report report;
    atomic_uint_fast64_t progress = 0;
    CHECK(longest_find(library, slices[i].material, all->metric, wdl, found, limit, threads, NULL, &progress,
                       &report, NULL) == DAME_OK);
    CHECK(report.plies == plies);
    CHECK(report.count == (limit < total ? limit : total));
    CHECK(memcmp(found, expected, report.count * sizeof(struct position)) == 0);
    CHECK(progress == (plies < 0 || limit == 0 ? 0 : slices[i].shape.size));
}

static void test_every_slice(const struct library *library, const struct distances *all)
{
    for (int i = 0; i < slice_count; i++)
        for (int wdl = -1; wdl <= 1; wdl += 2) {
            check_slice(library, all, i, wdl, 3, 1);
            check_slice(library, all, i, wdl, MOST, 2);
        }
}

static void test_limits(const struct library *library, const struct distances *all)
{
    static const size_t LIMITS[] = {0, 1, 2, 10, 100, 1000};
    for (int i = 0; i < slice_count; i += 5)
        for (size_t l = 0; l < sizeof LIMITS / sizeof LIMITS[0]; l++)
            for (int threads = 1; threads <= 4; threads++)
                check_slice(library, all, i, l % 2 == 0 ? 1 : -1, LIMITS[l], threads);
}

/* Some of the longest lines begin with a capture. */
static void test_captures_count(const struct distances *all)
{
    uint64_t captures = 0;
    for (int i = 0; i < slice_count; i++)
        for (size_t n = naive_longest(all, i, 1); n-- > 0;)
            captures += english()->must_capture(&expected[n]);
    CHECK(captures > 0);
}

/* In files, in memory, resolved. */
static void test_states(const struct distances *all)
{
    struct library *library = distance_library(all, true, true, true);
    test_every_slice(library, all);
    CHECK(library_preload(library, PIECES, UINT64_MAX, 2, NULL, NULL, NULL) == DAME_OK);
    test_every_slice(library, all);
    test_limits(library, all);
    CHECK(library_resolve(library, PIECES, 2, NULL, NULL, NULL, NULL) == DAME_OK);
    test_every_slice(library, all);
    library_destroy(library);
}

/* Of the slice itself, in either metric, and of one that captures lead to. */
static void test_missing_tables(const struct distances *all)
{
    const struct material m = slice_named("KMvK");
    struct longest_report report;
    struct library *library = distance_library(all, false, true, false);
    CHECK(longest_find(library, m, all->metric, 1, found, 5, 1, NULL, NULL, &report, NULL) == DAME_NO_TABLE);
    CHECK(report.missing.metric == all->metric && material_equal(report.missing.material, m));
    library_destroy(library);
    library = distance_library(all, false, false, true);
    CHECK(longest_find(library, m, all->metric, 1, found, 5, 1, NULL, NULL, &report, NULL) == DAME_NO_TABLE);
    CHECK(report.missing.metric == METRIC_WDL && material_equal(report.missing.material, m));
    library_destroy(library);
    if (all->metric != METRIC_DTW)
        return;
    const struct material smaller = slice_named("KvK");
    library = distance_library_without(all, slice_of(smaller));
    CHECK(longest_find(library, slice_named("KvKK"), METRIC_DTW, 1, found, 5, 2, NULL, NULL, &report, NULL) ==
          DAME_NO_TABLE);
    CHECK(report.missing.metric == METRIC_DTW && material_equal(report.missing.material, smaller));
    library_destroy(library);
}

static void test_arguments(const struct distances *all)
{
    struct library *library = distance_library(all, false, true, true);
    const struct material m = slices[0].material;
    const atomic_bool cancel = true;
    struct longest_report report;
    CHECK(longest_find(library, m, METRIC_WDL, 1, found, 5, 1, NULL, NULL, &report, NULL) ==
          DAME_BAD_ARGUMENT);
    CHECK(longest_find(library, m, METRICS, 1, found, 5, 1, NULL, NULL, &report, NULL) == DAME_BAD_ARGUMENT);
    CHECK(longest_find(library, m, all->metric, 0, found, 5, 1, NULL, NULL, &report, NULL) ==
          DAME_BAD_ARGUMENT);
    CHECK(longest_find(library, m, all->metric, 1, found, 5, 0, NULL, NULL, &report, NULL) ==
          DAME_BAD_ARGUMENT);
    CHECK(longest_find(library, m, all->metric, 1, found, 5, 1, &cancel, NULL, &report, NULL) ==
          DAME_CANCELLED);
    CHECK(longest_find(library, m, all->metric, 1, found, SIZE_MAX, 1, NULL, NULL, &report, NULL) ==
          DAME_NO_MEMORY);
    library_destroy(library);
}

/* A header that promises more than its values hold. */
static void test_wrong_header(const struct distances *all)
{
    if (all->draw_rule.plies != 0 && all->longest_win[0] + 2 > all->draw_rule.plies)
        return; /* the rule allows none */
    struct library *library = distance_library_without(all, 0);
    struct table_header header;
    uint8_t *bytes = distance_bytes(all, 0, &header);
    header.longest_win = (uint16_t)(header.longest_win + 2);
    add_table(library, &header, bytes, false);
    struct longest_report report;
    char detail[DETAIL_MAX] = "";
    CHECK(longest_find(library, slices[0].material, all->metric, 1, found, 5, 2, NULL, NULL, &report,
                       detail) == DAME_CORRUPT_TABLE);
    CHECK(strstr(detail, "header: no position takes ") != NULL);
    library_destroy(library);
}

int main(void)
{
    static const struct outcome_rule CASES[] = {{METRIC_DTW, {0}},
                                                {METRIC_DTZ, {0}},
                                                {METRIC_DTZ, {DRAW_PLIES, 10}},
                                                {METRIC_DTZ, {DRAW_PLIES, 40}},
                                                {METRIC_DTC, {0}},
                                                {METRIC_DTC, {DRAW_CAPTURES, 10}}};
    naive_solve_all();
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct distances *all = naive_distances(CASES[i]);
        test_captures_count(all);
        test_states(all);
        test_missing_tables(all);
        test_arguments(all);
        test_wrong_header(all);
        naive_distances_free(all);
    }
    naive_free();
    return check_result();
}
