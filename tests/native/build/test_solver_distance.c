/* Distances of the builder against the obvious ones, and through files and back. */
#include "check.h"
#include "naive_distance.h"
#include "solving.h"

extern const struct kernel kernels_english_base[FAMILY_MAX];

static struct solver_options options_of(const struct distances *all)
{
    return (struct solver_options){.metric = all->metric, .draw_rule = all->draw_rule};
}

/* Value and distance of a position, straight from the planes. */
static void plane_outcome(const struct solver *solver, struct material m, const struct position *p, int *wdl,
                          int *plies)
{
    const struct planes *planes = solver_planes(solver, m);
    const struct plane_cell cell = plane_cell(planes, p);
    *wdl = plane_wdl(planes, cell);
    *plies = *wdl == 0 ? NO_DISTANCE : planes_words(planes, cell.block, 0).distance[cell.bit];
}

static void check_slice(struct solver *solver, const struct distances *all, int i)
{
    const struct solved *slice = &slices[i];
    uint8_t *values = encoded(solver, slice->material, 1);
    uint8_t *bytes = encoded_distances(solver, slice->material, 1);
    uint64_t wrong = 0;
    struct walk walk = walk_slice(slice);
    while (walk_next(&walk)) {
        const int expected = all->wdl[i][walk.index], plies = all->plies[i][walk.index];
        int wdl, found;
        plane_outcome(solver, slice->material, &walk.position, &wdl, &found);
        wrong += wdl != expected || found != plies;
        if (english()->must_capture(&walk.position)) /* the others are free */
            continue;
        if (all->draw_rule.plies != 0 || must_be_stored(&walk.position))
            wrong += value_to_wdl(values_get(values, walk.index)) != expected;
        if (expected != 0)
            wrong += bytes[walk.index] != (all->metric == METRIC_DTW ? (plies + 1) / 2 : plies);
    }
    CHECK(wrong == 0);
    struct slice_counts counts;
    CHECK(solver_counts(solver, slice->material, NULL, &counts) == DAME_OK);
    CHECK(counts.win == all->win[i] && counts.loss == all->loss[i]);
    CHECK(counts.longest_win == all->longest_win[i] && counts.longest_loss == all->longest_loss[i]);
    free(values);
    free(bytes);
}

/* No byte is above that of the longest distance, so that a reader can refuse others. */
static void check_free_bytes(struct solver *solver, const struct distances *all, int i)
{
    uint8_t *bytes = encoded_distances(solver, slices[i].material, 2);
    int most = all->longest_win[i] > all->longest_loss[i] ? all->longest_win[i] : all->longest_loss[i];
    most = most < 0 ? 0 : all->metric == METRIC_DTW ? (most + 1) / 2 : most;
    uint64_t above = 0;
    for (uint64_t index = 0; index < slices[i].shape.size; index++)
        above += bytes[index] > most;
    CHECK(above == 0);
    free(bytes);
}

static void check_sample(struct solver *solver, struct material m)
{
    struct sample_report report = {0};
    CHECK(solver_sample(solver, m, 3000, 1, 2, NULL, &report) == DAME_OK);
    CHECK(report.positions == 3000 && report.wrong == 0);
}

static void test_every_value(const struct distances *all)
{
    const struct solver_options options = options_of(all);
    struct solver *solver = solve_all(english(), PIECES, 2, &options);
    struct solver *base = solve_all(&kernels_english_base[0], PIECES, 1, &options);
    for (int i = 0; i < slice_count; i++) {
        check_slice(solver, all, i);
        check_free_bytes(solver, all, i);
        check_sample(solver, slices[i].material);
        if (all->draw_rule.plies == 0)
            CHECK(memcmp(all->wdl[i], slices[i].values, slices[i].shape.size) == 0);
    }
    check_same_planes(solver, base);
    solver_destroy(solver);
    solver_destroy(base);
}

static void check_same_files(struct solver *a, struct solver *b, struct material m)
{
    const uint64_t size = slice_size(m);
    uint8_t *values[2] = {encoded(a, m, 1), encoded(b, m, 2)};
    uint8_t *bytes[2] = {encoded_distances(a, m, 1), encoded_distances(b, m, 2)};
    CHECK(memcmp(values[0], values[1], values_bytes(size)) == 0);
    CHECK(memcmp(bytes[0], bytes[1], size) == 0);
    for (int i = 0; i < 2; i++) {
        free(values[i]);
        free(bytes[i]);
    }
}

/* Slices of two and three pieces loaded and those of four solved on top of them, or the other way round: the
   same planes as all solved at once, captures included, and the same files. */
static void test_load(struct solver_options options)
{
    struct solver *solver = solve_all(english(), 4, 2, &options);
    struct solver *loaded, *on_top;
    CHECK(solver_create(english(), 4, &options, &loaded) == DAME_OK);
    CHECK(solver_create(english(), 4, &options, &on_top) == DAME_OK);
    for (int pieces = 2; pieces <= 4; pieces++) {
        struct material list[2 * SLICES_MAX];
        const int count = material_list(pieces, list);
        for (int i = 0; i < count; i++) {
            if (!is_solved(loaded, list[i])) {
                load_pair(solver, loaded, list[i], pieces == 3 ? 8 : 1000);
                if (pieces < 4)
                    load_pair(solver, on_top, list[i], 1000);
                else
                    CHECK(solver_solve(on_top, list[i], 2, NULL, NULL) == DAME_OK);
            }
            check_same_slice(solver, loaded, list[i]);
            check_same_slice(solver, on_top, list[i]);
            check_same_files(solver, loaded, list[i]);
            check_sample(loaded, list[i]);
        }
    }
    solver_destroy(solver);
    solver_destroy(loaded);
    solver_destroy(on_top);
}

/* Two compressors of opposite minds: one likes the order with the fewest runs least. */
struct opinion {
    bool contrary;
    enum dame_status status;
    atomic_int calls;
};

static enum dame_status runs_of(void *context, const uint8_t *bytes, size_t size, size_t *compressed)
{
    struct opinion *opinion = context;
    *compressed = 0;
    for (size_t i = 1; i < size; i++)
        *compressed += (bytes[i] != bytes[i - 1]) != opinion->contrary;
    atomic_fetch_add(&opinion->calls, 1);
    return opinion->status;
}

/* Of two nestings that differ the compressor chooses; its failure is that of the fit. */
static void check_nestings(struct solver *solver, struct material m)
{
    struct solver_coding plain, asked;
    struct opinion opinion = {.contrary = false};
    const struct compressor compressor = {runs_of, &opinion};
    const atomic_bool cancel = true;
    CHECK(solver_encode_start(solver, m, true, 2, NULL) == DAME_OK);
    CHECK(solver_encode_fit(solver, NULL, 1, NULL, &plain) == DAME_OK);
    CHECK(plain.block_bytes == SOLVER_BLOCK_BYTES && plain.blocks == 1 && plain.model_size == 0);
    CHECK(solver_encode_fit(solver, NULL, 1, &cancel, &asked) == DAME_CANCELLED);
    for (int threads = 1; threads <= 3; threads++) {
        CHECK(solver_encode_fit(solver, &compressor, threads, NULL, &asked) == DAME_OK);
        CHECK(asked.nesting == plain.nesting && opinion.calls == 2 * threads);
    }
    opinion.contrary = true;
    CHECK(solver_encode_fit(solver, &compressor, 1, NULL, &asked) == DAME_OK);
    CHECK(asked.nesting == 1 - plain.nesting);
    opinion.status = DAME_NO_MEMORY;
    CHECK(solver_encode_fit(solver, &compressor, 1, NULL, &asked) == DAME_NO_MEMORY);
    solver_encode_stop(solver);
    CHECK(solver_encode_fit(solver, &compressor, 1, NULL, &asked) == DAME_BAD_ARGUMENT);
}

/* Bytes that no file of this solver holds, and parts that are left out. */
static void test_failing_loads(void)
{
    const struct solver_options options = {.metric = METRIC_DTZ, .draw_rule = {DRAW_PLIES, 10}};
    struct solver *solver = solve_all(english(), 2, 1, &options), *other, *plain;
    const struct material m = slice_named("KvK");
    uint8_t *values = encoded(solver, m, 1), *bytes = encoded_distances(solver, m, 1);
    CHECK(solver_create(english(), 2, &options, &other) == DAME_OK);
    CHECK(solver_load_distances(other, m, 0, 0, 4, bytes, 1, NULL) == DAME_BAD_ARGUMENT);
    CHECK(solver_load_start(other, m) == DAME_OK);
    CHECK(load_slice(other, m, values, NULL, 1000, NULL) == DAME_OK);
    CHECK(solver_load_finish(other, NULL, 1, NULL) == DAME_BAD_ARGUMENT); /* without distances */
    for (int value = 0; value < 256; value += 11) {
        memset(bytes, value, slice_size(m));
        CHECK(solver_load_start(other, m) == DAME_OK);
        CHECK(load_slice(other, m, values, bytes, 1000, NULL) == DAME_OK);
        const bool occurs = 0 < value && value <= 10;
        CHECK(solver_load_finish(other, NULL, 1, NULL) == (occurs ? DAME_OK : DAME_CORRUPT_TABLE));
        CHECK(is_solved(other, m) == occurs);
        solver_drop(other, m);
    }
    CHECK(solver_create(english(), 2, NULL, &plain) == DAME_OK);
    CHECK(solver_load_start(plain, m) == DAME_OK);
    CHECK(load_slice(plain, m, values, bytes, 1000, NULL) == DAME_NOT_SUPPORTED);
    CHECK(solver_encode_start(plain, m, true, 1, NULL) == DAME_NOT_SUPPORTED);
    check_nestings(solver, m);
    free(values);
    free(bytes);
    solver_destroy(solver);
    solver_destroy(other);
    solver_destroy(plain);
}

static void test_arguments(void)
{
    struct solver *solver = NULL;
    const struct solver_options bad[] = {{.metric = METRIC_DTW, .draw_rule = {DRAW_PLIES, 40}},
                                         {.draw_rule = {DRAW_PLIES, 40}},
                                         {.metric = METRIC_DTZ, .draw_rule = {DRAW_PLIES, -1}},
                                         {.metric = METRIC_DTZ, .draw_rule = {DRAW_PLIES, PLIES_MAX}},
                                         {.metric = METRIC_DTZ, .draw_rule = {DRAW_CAPTURES, 40}},
                                         {.metric = METRIC_DTC, .draw_rule = {DRAW_PLIES, 40}}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(solver_create(english(), 2, &bad[i], &solver) == DAME_BAD_ARGUMENT && solver == NULL);
}

int main(void)
{
    static const int PLIES[] = {0, 1, 2, 10, 20, 40};
    naive_solve_all();
    struct distances *all = naive_distances((struct outcome_rule){METRIC_DTW, {0}});
    test_every_value(all);
    naive_distances_free(all);
    for (size_t i = 0; i < sizeof PLIES / sizeof PLIES[0]; i++) {
        all = naive_distances((struct outcome_rule){METRIC_DTZ, {DRAW_PLIES, PLIES[i]}});
        test_every_value(all);
        naive_distances_free(all);
    }
    for (size_t i = 0; i < sizeof PLIES / sizeof PLIES[0]; i += 3) {
        all = naive_distances(
            (struct outcome_rule){METRIC_DTC, {PLIES[i] == 0 ? DRAW_PLIES : DRAW_CAPTURES, PLIES[i]}});
        test_every_value(all);
        naive_distances_free(all);
    }
    test_load((struct solver_options){.metric = METRIC_DTW});
    test_load((struct solver_options){.metric = METRIC_DTC});
    test_load((struct solver_options){.metric = METRIC_DTC, .draw_rule = {DRAW_CAPTURES, 10}});
    test_load((struct solver_options){.metric = METRIC_DTZ});
    test_load((struct solver_options){.metric = METRIC_DTZ, .draw_rule = {DRAW_PLIES, 10}});
    test_load((struct solver_options){.metric = METRIC_DTZ, .draw_rule = {DRAW_PLIES, 40}});
    test_failing_loads();
    test_arguments();
    naive_free();
    return check_result();
}
