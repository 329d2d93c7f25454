/* The builder against the obvious solver, against itself on one and on several threads and on every
   instruction set, and through files and back. */
#include "build/solver.h"

#include <pthread.h>
#include <unistd.h>

#include "build/solver_state.h"
#include "check.h"
#include "naive.h"
#include "solving.h"

extern const struct kernel kernels_english_base[FAMILY_MAX];
#if defined(DAME_KERNEL_V3)
extern const struct kernel kernels_english_v3[FAMILY_MAX];
#endif

static void check_same_bytes(struct solver *a, struct solver *b, int a_threads, int b_threads)
{
    for (int i = 0; i < slice_count; i++) {
        uint8_t *first = encoded(a, slices[i].material, a_threads);
        uint8_t *second = encoded(b, slices[i].material, b_threads);
        CHECK(memcmp(first, second, values_bytes(slices[i].shape.size)) == 0);
        free(first);
        free(second);
    }
}

/* ---- every value ---- */

static void test_every_value(struct solver *solver)
{
    for (int i = 0; i < slice_count; i++) {
        const struct solved *slice = &slices[i];
        const struct planes *planes = solver_planes(solver, slice->material);
        struct slice_counts counts;
        uint8_t *values = encoded(solver, slice->material, 1);
        uint64_t wrong = 0;
        struct walk walk = walk_slice(slice);
        while (walk_next(&walk)) {
            const int expected = slice->values[walk.index];
            wrong += plane_wdl(planes, plane_cell(planes, &walk.position)) != expected;
            if (must_be_stored(&walk.position)) /* the others are free */
                wrong += value_to_wdl(values_get(values, walk.index)) != expected;
        }
        CHECK(wrong == 0);
        CHECK(!values_contain_never(values, values_bytes(slice->shape.size)));
        if (slice->shape.size % VALUES_PER_BYTE != 0)
            CHECK(values[slice->shape.size / VALUES_PER_BYTE] >> slice->shape.size % VALUES_PER_BYTE * 2 ==
                  0);
        /* As many bits as positions: none stands where pieces share a square. */
        CHECK(solver_counts(solver, slice->material, NULL, &counts) == DAME_OK);
        CHECK(counts.win == slice->win && counts.draw == slice->draw && counts.loss == slice->loss);
        free(values);
    }
}

/* Exactly the values that a probe cannot find by playing are held. */
static void test_what_is_stored(struct solver *solver)
{
    for (int i = 0; i < slice_count; i++) {
        uint64_t wrong = 0, stored = 0;
        const struct planes *planes = solver_planes(solver, slices[i].material);
        CHECK(solver_encode_start(solver, slices[i].material, false, 2, NULL) == DAME_OK);
        struct walk walk = walk_slice(&slices[i]);
        while (walk_next(&walk)) {
            const struct plane_cell cell = plane_cell(planes, &walk.position);
            const bool is_stored = plane_has(blocks_at(&planes->stored, cell.block), cell.bit);
            wrong += is_stored != must_be_stored(&walk.position);
            stored += is_stored;
        }
        CHECK(wrong == 0);
        for (uint32_t block = 0; block < planes->stored.count;
             block++) /* and none where pieces share a square */
            for (size_t word = 0; word < planes->stored.blocks[block].words; word++)
                stored -= (uint64_t)bit_count(blocks_at(&planes->stored, block)[word]);
        CHECK(stored == 0);
        solver_encode_stop(solver);
        CHECK(!planes_has_stored(planes));
    }
}

/* ---- the same bytes ---- */

static void test_threads_and_levels(struct solver *solver)
{
    for (int threads = 2; threads <= 3; threads++) {
        struct solver *other = solve_all(english(), PIECES, threads, NULL);
        check_same_planes(solver, other);
        check_same_bytes(solver, other, 1, threads);
        solver_destroy(other);
    }
    struct solver *base = solve_all(&kernels_english_base[0], PIECES, 1, NULL);
    check_same_planes(solver, base);
    solver_destroy(base);
#if defined(DAME_KERNEL_V3)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) {
        struct solver *v3 = solve_all(&kernels_english_v3[0], PIECES, 1, NULL);
        check_same_planes(solver, v3);
        solver_destroy(v3);
    }
#endif
}

/* With values in work files, and hardly any of them in memory. */
static void test_work_files(struct solver *solver)
{
    char folder[] = "/tmp/dame_test_XXXXXX", missing[sizeof folder + 8];
    CHECK(mkdtemp(folder) != NULL);
    const struct solver_options options = {.work = folder, .budget = 1};
    struct solver *other = solve_all(english(), PIECES, 2, &options);
    check_same_planes(solver, other);
    check_same_bytes(solver, other, 1, 2);
    struct sample_report report;
    CHECK(solver_sample(other, slice_named("KMvK"), 5000, 1, 2, NULL, &report) == DAME_OK &&
          report.wrong == 0);
    solver_destroy(other);

    bool found;
    CHECK(solver_create(english(), PIECES, &options, &other) == DAME_OK);
    for (int i = 0; i < slice_count; i++) /* the files are there still */
        CHECK(solver_find(other, slices[i].material, &found) == DAME_OK && found);
    check_same_planes(solver, other);
    for (int i = 0; i < slice_count; i++)
        solver_drop(other, slices[i].material);
    CHECK(solver_find(other, slices[0].material, &found) == DAME_OK && !found);
    solver_destroy(other);
    CHECK(rmdir(folder) == 0); /* they have vanished */

    snprintf(missing, sizeof missing, "%s/none", folder);
    CHECK(solver_create(english(), 2, &(struct solver_options){.work = missing}, &other) == DAME_OK);
    CHECK(solver_solve(other, slice_named("KvK"), 1, NULL, NULL) == DAME_IO);
    char detail[DETAIL_MAX];
    CHECK(solver_take_failure(other, detail) == DAME_IO && strstr(detail, "none/KvK.values") != NULL);
    CHECK(solver_take_failure(other, detail) == DAME_OK && detail[0] == '\0');
    solver_destroy(other);
}

struct watch {
    atomic_uint_fast64_t done;
    atomic_bool cancel, over;
};

static void *cancel_after_the_first_unit(void *argument)
{
    struct watch *watch = argument;
    while (atomic_load(&watch->done) == 0 && !atomic_load(&watch->over))
        ;
    atomic_store(&watch->cancel, true);
    return NULL;
}

static enum dame_status solve_until_cancelled(struct solver *solver, struct material m)
{
    struct watch watch = {0};
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, cancel_after_the_first_unit, &watch) == 0);
    const enum dame_status status = solver_solve(solver, m, 2, &watch.cancel, &watch.done);
    atomic_store(&watch.over, true);
    pthread_join(thread, NULL);
    return status;
}

/* A solver that was cancelled leaves what it has solved; the next one writes each block that is missing, and
   no other one. */
static void test_going_on(struct solver *solver)
{
    char folder[] = "/tmp/dame_test_XXXXXX";
    CHECK(mkdtemp(folder) != NULL);
    const struct solver_options options = {.work = folder, .budget = 1};
    const struct material m = slice_named("MMvM");
    struct solver *first, *second;
    first = solve_all(english(), PIECES, 1, &options);
    solver_drop(first, m);
    const uint64_t before = store_statistics(first->store).writes;
    const enum dame_status status = solve_until_cancelled(first, m);
    CHECK(status == DAME_CANCELLED || status == DAME_OK); /* it may be quicker than the other thread */
    const uint64_t there = store_statistics(first->store).writes - before;
    CHECK(there > 0);
    solver_destroy(first);

    bool found;
    CHECK(solver_create(english(), PIECES, &options, &second) == DAME_OK);
    for (int i = 0; i < slice_count; i++)
        if (!material_equal(slices[i].material, m) && !material_equal(slices[i].material, material_mirror(m)))
            CHECK(solver_find(second, slices[i].material, &found) == DAME_OK && found);
    CHECK(store_statistics(second->store).writes == 0);
    CHECK(solver_solve(second, m, 1, NULL, NULL) == DAME_OK);
    const uint64_t blocks =
        solver_planes(second, m)->values.count + solver_planes(second, material_mirror(m))->values.count;
    CHECK(store_statistics(second->store).writes == blocks - there);
    check_same_planes(solver, second);
    for (int i = 0; i < slice_count; i++)
        solver_drop(second, slices[i].material);
    solver_destroy(second);
    CHECK(rmdir(folder) == 0);
}

/* ---- through files and back ---- */

static void test_load(struct solver *solver)
{
    for (uint64_t part = 1000000; part != 0; part = part > 4 ? 4 : 0) {
        struct solver *other;
        CHECK(solver_create(english(), PIECES, NULL, &other) == DAME_OK);
        for (int i = 0; i < slice_count; i++)
            load_pair(solver, other, slices[i].material, part); /* every pair twice */
        check_same_planes(solver, other);
        check_same_bytes(solver, other, 1, 2);
        solver_destroy(other);
    }
}

/* What the solver has stays if loading fails. */
static void test_failing_loads(struct solver *solver)
{
    struct solver *other = solve_all(english(), PIECES, 1, NULL);
    const struct material m = slice_named("KKvK"), mirror = material_mirror(m);
    uint8_t *values = encoded(solver, m, 1);
    const atomic_bool cancel = true;
    CHECK(solver_load_finish(other, NULL, 1, NULL) == DAME_BAD_ARGUMENT); /* nothing was started */
    CHECK(solver_load_values(other, m, 0, 0, 4, values, 1, NULL) == DAME_BAD_ARGUMENT);
    CHECK(solver_load_start(other, m) == DAME_OK);
    CHECK(load_slice(other, m, values, NULL, 4, &cancel) == DAME_CANCELLED);
    solver_load_stop(other);
    CHECK(solver_load_start(other, m) == DAME_OK);
    CHECK(solver_load_values(other, slice_named("KvK"), 0, 0, 4, values, 1, NULL) == DAME_BAD_ARGUMENT);
    CHECK(solver_load_start(other, mirror) == DAME_OK);
    CHECK(solver_load_values(other, m, NESTINGS, 0, 4, values, 1, NULL) == DAME_BAD_ARGUMENT);
    CHECK(solver_load_values(other, m, 0, slice_size(m), 4, values, 1, NULL) == DAME_BAD_ARGUMENT);
    CHECK(solver_load_values(other, m, 0, 0, 4, values, 1, NULL) == DAME_OK);
    CHECK(solver_load_finish(other, NULL, 1, NULL) == DAME_BAD_ARGUMENT); /* the rest is missing */
    CHECK(solver_load_start(other, m) == DAME_OK);
    CHECK(load_slice(other, m, values, NULL, 1000, NULL) == DAME_OK);
    CHECK(solver_load_finish(other, NULL, 1, NULL) == DAME_BAD_ARGUMENT); /* without the mirror */
    CHECK(load_encoded(solver, other, mirror, 1000) == DAME_OK);
    CHECK(solver_load_finish(other, NULL, 1, &cancel) == DAME_CANCELLED);
    memset(values, 0xFF, values_bytes(slice_size(m)));
    CHECK(solver_load_start(other, m) == DAME_OK);
    CHECK(load_slice(other, m, values, NULL, 1000, NULL) == DAME_CORRUPT_TABLE);
    solver_load_stop(other);
    solver_load_stop(other);
    check_same_planes(solver, other);
    solver_drop(other, slice_named("KvK"));
    free(values);
    values = encoded(solver, m, 1);
    CHECK(solver_load_start(other, m) == DAME_OK);
    CHECK(load_slice(other, m, values, NULL, 1000, NULL) == DAME_OK);
    CHECK(load_encoded(solver, other, mirror, 1000) == DAME_OK);
    CHECK(solver_load_finish(other, NULL, 1, NULL) == DAME_NO_TABLE); /* captures lead to KvK */
    solver_destroy(other);
    free(values);
}

/* ---- four pieces: several chunks, and every way of parting the men ---- */

/* Blocks may be encoded in any order, and again; what they are coded with is the same for any number of
   threads. */
static void check_blocks(struct solver *solver, struct material m)
{
    uint8_t first[SOLVER_BLOCK_BYTES], again[SOLVER_BLOCK_BYTES];
    size_t size, again_size;
    enum block_form form, again_form;
    struct solver_coding one, two;
    const atomic_bool cancel = true;
    CHECK(solver_encode_start(solver, m, false, 2, NULL) == DAME_OK);
    CHECK(solver_encode_blocks(solver, 0, 1, first, &size, &form) == DAME_BAD_ARGUMENT);
    CHECK(solver_encode_fit(solver, NULL, 1, &cancel, &one) == DAME_CANCELLED);
    for (int threads = 1; threads <= 3; threads++) {
        CHECK(solver_encode_fit(solver, NULL, threads, NULL, threads == 1 ? &one : &two) == DAME_OK);
        if (threads > 1)
            CHECK(one.nesting == two.nesting && one.block_bytes == two.block_bytes &&
                  one.model_size == two.model_size && memcmp(one.model, two.model, one.model_size) == 0);
    }
    CHECK(solver_encode_blocks(solver, 1, 1, first, &size, &form) == DAME_OK);
    CHECK(solver_encode_blocks(solver, 0, 1, again, &again_size, &again_form) == DAME_OK);
    CHECK(solver_encode_blocks(solver, 1, 1, again, &again_size, &again_form) == DAME_OK);
    CHECK(size == again_size && form == again_form && memcmp(first, again, size) == 0);
    solver_encode_stop(solver);
    CHECK(solver_encode_fit(solver, NULL, 1, NULL, &one) == DAME_BAD_ARGUMENT);
    CHECK(solver_encode_blocks(solver, 0, 1, first, &size, &form) == DAME_BAD_ARGUMENT);
}

/* The sums of tests/data/english_wdl_dtw.csv. */
static void test_four_pieces(void)
{
    struct solver *solver = solve_all(english(), 4, 2, NULL);
    struct solver *other;
    CHECK(solver_create(english(), 4, NULL, &other) == DAME_OK);
    for (int i = 0; i < slice_count; i++)
        load_pair(solver, other, slices[i].material, 100);
    struct material list[2 * SLICES_MAX];
    const int count = material_list(4, list);
    struct slice_counts total = {0};
    for (int i = 0; i < count; i++) {
        struct slice_counts counts = {0};
        CHECK(solver_counts(solver, list[i], NULL, &counts) == DAME_OK);
        total.win += counts.win;
        total.draw += counts.draw;
        total.loss += counts.loss;
        check_blocks(solver, list[i]);
        load_pair(solver, other, list[i], 100);
        check_same_slice(solver, other, list[i]);
        struct sample_report report = {0};
        CHECK(solver_sample(solver, list[i], 20000, (uint64_t)i, 2, NULL, &report) == DAME_OK);
        CHECK(report.positions == 20000 && report.wrong == 0);
    }
    CHECK(total.win == 2574304 && total.draw == 1717922 && total.loss == 1917090);
    solver_destroy(solver);
    solver_destroy(other);
}

/* ---- samples ---- */

static void test_sample(struct solver *solver)
{
    struct solver *other = solve_all(english(), PIECES, 1, NULL);
    const struct material m = slice_named("KMvK");
    struct sample_report report = {0}, again = {0};
    const atomic_bool cancel = true;
    CHECK(solver_sample(other, m, 5000, 1, 1, NULL, &report) == DAME_OK && report.wrong == 0);
    CHECK(solver_sample(other, m, 5000, 1, 1, &cancel, &report) == DAME_CANCELLED);
    struct planes *planes = other->slices[solver_place(m)];
    for (uint32_t block = 0; block < planes->values.count; block++) {
        const struct plane_rows at = planes_words(planes, block, 0);
        const struct plane_rows right = planes_words(solver_planes(solver, m), block, 0);
        for (size_t i = block % 7; i < planes->values.blocks[block].words; i += 7) { /* one word in seven */
            at.won[i] = right.lost[i];
            at.lost[i] = right.won[i];
        }
    }
    CHECK(solver_sample(other, m, 5000, 1, 1, NULL, &report) == DAME_OK && report.wrong > 100);
    CHECK(solver_sample(other, m, 5000, 1, 3, NULL, &again) == DAME_OK && again.wrong == report.wrong);
    solver_drop(other, slice_named("KvKK")); /* where the man is crowned */
    CHECK(solver_sample(other, m, 5000, 1, 1, NULL, &report) == DAME_NO_TABLE);
    solver_drop(other, m);
    CHECK(solver_sample(other, m, 5000, 1, 1, NULL, &report) == DAME_NO_TABLE);
    solver_destroy(other);
}

/* ---- what may go wrong ---- */

/* At once, in the middle, and for a slice that was there already: afterwards everything goes on as if nothing
   had happened. */
static void test_cancel(struct solver *solver)
{
    const struct material m = slice_named("MMvM");
    struct solver *other = solve_all(english(), PIECES, 1, NULL);
    const atomic_bool cancel = true;
    CHECK(solver_solve(other, m, 2, &cancel, NULL) == DAME_CANCELLED);
    CHECK(solver_encode_start(other, m, false, 2, &cancel) == DAME_CANCELLED);
    CHECK(!planes_has_stored(solver_planes(other, m)));
    check_same_planes(solver, other);
    solver_drop(other, m);
    CHECK(!is_solved(other, m) && !is_solved(other, material_mirror(m)));
    CHECK(solver_solve(other, m, 2, &cancel, NULL) == DAME_CANCELLED && !is_solved(other, m));

    const enum dame_status status = solve_until_cancelled(other, m);
    CHECK(status == DAME_CANCELLED || status == DAME_OK); /* it may be quicker than the other thread */
    CHECK(is_solved(other, m) == (status == DAME_OK));

    CHECK(solver_solve(other, m, 2, NULL, NULL) == DAME_OK);
    check_same_planes(solver, other);
    solver_destroy(other);
}

static void test_missing_slices(void)
{
    struct solver *solver;
    struct slice_counts counts;
    CHECK(solver_create(english(), PIECES, NULL, &solver) == DAME_OK);
    const struct material kk = slice_named("KvK"), mk = slice_named("MvK");
    CHECK(solver_solve(solver, slice_named("KKvK"), 1, NULL, NULL) ==
          DAME_NO_TABLE);                                            /* captures lead to KvK */
    CHECK(solver_solve(solver, mk, 1, NULL, NULL) == DAME_NO_TABLE); /* the man is crowned: KvK */
    CHECK(solver_counts(solver, kk, NULL, &counts) == DAME_NO_TABLE);
    CHECK(solver_encode_start(solver, kk, false, 1, NULL) == DAME_NO_TABLE);
    solver_drop(solver, kk);
    CHECK(solver_solve(solver, kk, 1, NULL, NULL) == DAME_OK && is_solved(solver, kk));
    CHECK(solver_solve(solver, mk, 1, NULL, NULL) == DAME_OK && is_solved(solver, slice_named("KvM")));
    solver_drop(solver, slice_named("KvM"));
    CHECK(!is_solved(solver, mk) && is_solved(solver, kk));
    solver_destroy(solver);
    solver_destroy(NULL);
}

static void test_arguments(void)
{
    struct solver *solver = NULL;
    CHECK(solver_create(english(), 1, NULL, &solver) == DAME_BAD_ARGUMENT);
    CHECK(solver_create(english(), PIECES_MAX + 1, NULL, &solver) == DAME_BAD_ARGUMENT && solver == NULL);
    CHECK(solver_create(english(), 2, NULL, &solver) == DAME_OK);
    CHECK(solver_solve(solver, slice_named("KvK"), 0, NULL, NULL) == DAME_BAD_ARGUMENT);
    CHECK(solver_solve(solver, slice_named("KKvK"), 1, NULL, NULL) ==
          DAME_BAD_ARGUMENT); /* made for 2 pieces */
    CHECK(solver_solve(solver, (struct material){0, 2, 0, 0}, 1, NULL, NULL) == DAME_BAD_ARGUMENT);
    CHECK(solver_solve(solver, (struct material){0, 0, 1, 1}, 1, NULL, NULL) == DAME_BAD_ARGUMENT);
    solver_destroy(solver);
}

/* No more threads work on a slice than it has pairs of classes. */
static uint64_t busy_threads(struct material m, uint64_t threads)
{
    struct side_shape own, other;
    CHECK(side_shape(english()->board, m.own_men, m.own_kings, true, &own) == DAME_OK);
    CHECK(side_shape(english()->board, m.other_men, m.other_kings, true, &other) == DAME_OK);
    const uint64_t units = own.classes * other.classes;
    return units < threads ? units : threads;
}

static void test_memory(void)
{
    struct solver_needs one, three;
    for (int pieces = 2; pieces <= PIECES_MAX; pieces++) {
        struct material list[512];
        const int count = material_list(pieces, list);
        for (int i = 0; i < count; i++) {
            const enum dame_status status = solver_needs(english(), list[i], METRIC_WDL, 1, &one);
            CHECK(status == DAME_OK || (pieces > 8 && status == DAME_TOO_LARGE));
            if (status != DAME_OK)
                continue;
            CHECK(solver_needs(english(), list[i], METRIC_WDL, 3, &three) == DAME_OK);
            CHECK(three.planes == one.planes && three.planes >= slice_size(list[i]) / 4);
            CHECK(three.stored == one.stored && three.stored >= slice_size(list[i]) / 8);
            CHECK(three.scratch == busy_threads(list[i], 3) * one.scratch);
            CHECK(three.pinned >= one.pinned && three.pinned <= busy_threads(list[i], 3) * one.pinned);
        }
    }
}

int main(void)
{
    naive_solve_all();
    struct solver *solver = solve_all(english(), PIECES, 1, NULL);
    test_every_value(solver);
    test_what_is_stored(solver);
    test_threads_and_levels(solver);
    test_work_files(solver);
    test_going_on(solver);
    test_load(solver);
    test_failing_loads(solver);
    test_sample(solver);
    test_cancel(solver);
    test_four_pieces();
    test_missing_slices();
    test_arguments();
    test_memory();
    solver_destroy(solver);
    naive_free();
    return check_result();
}
