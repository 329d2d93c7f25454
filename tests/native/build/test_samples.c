/* Samples of a slice: the same ones however they are drawn, and none that a coder cannot take. */
#include "build/samples.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "kernel/kernel.h"
#include "random_planes.h"

static struct material named(const char *name)
{
    struct material m = {0};
    CHECK(material_parse(name, &m) == DAME_OK);
    return m;
}

/* A solver for its order of sets, and one slice of random values. */
struct slice {
    struct solver *solver;
    struct random_planes random;
    struct places places;
    struct gatherer gatherer;
};

static void slice_create(const char *name, int nesting, struct slice *out)
{
    const struct kernel *kernel = kernel_find("english");
    CHECK(solver_create(kernel, 8, NULL, &out->solver) == DAME_OK);
    random_planes_create(kernel->board, named(name), true, &out->random);
    CHECK(places_create(out->solver->ordering, out->random.planes, nesting, &out->places) == DAME_OK);
    CHECK(gatherer_create(&out->places, &out->gatherer) == DAME_OK);
}

static void slice_destroy(struct slice *slice)
{
    gatherer_destroy(&slice->gatherer);
    places_destroy(&slice->places);
    random_planes_destroy(&slice->random);
    solver_destroy(slice->solver);
}

/* At once, in parts, and while they are counted, on any number of threads. */
static void test_drawing(void)
{
    struct slice slice;
    struct samples samples;
    struct model model;
    struct model_counts expected, counts;
    bool fits;
    slice_create("KMvKM", 0, &slice);
    model_default(&model);
    CHECK(samples_create(slice.solver, &slice.gatherer, 1 << 12, 1 << 18, 1, &samples) == DAME_OK);
    CHECK(samples.parts == 64 && samples.block_values == 1 << 12);
    CHECK(samples_draw(&samples, UINT32_MAX) == DAME_OK && samples.drawn == 64 && samples.count == 64);
    CHECK(samples_count(&samples, &model, &expected) == DAME_OK);
    const uint64_t work = samples_work(&expected);
    CHECK(work > 64 * (1 << 11));
    for (int threads = 1; threads <= 3; threads++) {
        struct samples other;
        CHECK(samples_create(slice.solver, &slice.gatherer, 1 << 12, 1 << 18, threads, &other) == DAME_OK);
        for (int part = 0; part < 10; part++)
            CHECK(samples_draw(&other, 7) == DAME_OK);
        CHECK(other.count == 64 && memcmp(other.first, samples.first, 64 * sizeof *other.first) == 0 &&
              memcmp(other.packed, samples.packed, 64 * other.step) == 0);
        samples_destroy(&other);
        CHECK(samples_create(slice.solver, &slice.gatherer, 1 << 12, 1 << 18, threads, &other) == DAME_OK);
        CHECK(samples_draw_and_count(&other, work / 64 + 1, &counts, &fits) == DAME_OK && fits);
        CHECK(memcmp(&counts, &expected, sizeof counts) == 0);
        samples_destroy(&other);
        CHECK(samples_create(slice.solver, &slice.gatherer, 1 << 12, 1 << 18, threads, &other) == DAME_OK);
        CHECK(samples_draw_and_count(&other, work / 64 - 1, &counts, &fits) == DAME_OK && !fits);
        samples_destroy(&other);
    }
    samples_destroy(&samples);
    slice_destroy(&slice);
}

/* Lines of seven kings are short: 16,384 values have more rows than a coder takes, so blocks are smaller, and
   there are more of them. */
static void test_short_lines(void)
{
    struct slice slice;
    struct samples samples;
    struct model model;
    struct model_counts counts;
    slice_create("KKKKKKKvK", 2, &slice); /* the other king is the slowest */
    model_default(&model);
    CHECK(samples_create(slice.solver, &slice.gatherer, 1 << 14, 1 << 18, 2, &samples) == DAME_OK);
    CHECK(samples.block_values < 1 << 14 && samples.parts * samples.block_values == 1 << 18);
    CHECK(lines_rows(&samples.lines, samples.block_values) <= LINES_ROWS_MAX);
    CHECK(samples_draw(&samples, UINT32_MAX) == DAME_OK && samples.count == samples.parts);
    CHECK(samples_count(&samples, &model, &counts) == DAME_OK && samples_work(&counts) > 1 << 17);
    samples_destroy(&samples);
    slice_destroy(&slice);
}

int main(void)
{
    test_drawing();
    test_short_lines();
    return check_result();
}
