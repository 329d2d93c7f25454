/* Two solvers that know nothing of each other but files solve the same slices in turns, a few units at a
 * time. */
#include <stdlib.h>
#include <string.h>

#include "solving.h"
#include "test_folder.h"

enum { SOLVERS = 2 };

static struct solver *solvers[SOLVERS];
static int turn;

enum { PATH_BYTES = 256 };

static void path_of(char path[PATH_BYTES], struct material m, int part, const char *end)
{
    char name[MATERIAL_NAME_MAX];
    material_name(m, name);
    snprintf(path, PATH_BYTES, "%s/%s.%d%s", test_folder, name, part, end);
}

/* The same units as a solver counts them in one go. */
static void check_levels(struct material m, enum metric metric, uint64_t *units)
{
    struct solver_level levels[SOLVER_LEVELS_MAX];
    int count;
    uint64_t values = 0;
    *units = 0;
    CHECK(solver_levels(english(), m, metric, levels, &count) == DAME_OK && count > 0);
    for (int i = 0; i < count; i++) {
        CHECK(levels[i].units > 0 && levels[i].values > 0);
        *units += levels[i].units;
        values += levels[i].values;
    }
    CHECK(values == slice_size(m) * (material_equal(m, material_mirror(m)) ? 1 : 2));
}

/* A part is made by one solver and read by the other. */
static void solve_in_parts(struct material m, uint64_t each, enum metric metric)
{
    const int sides = material_equal(m, material_mirror(m)) ? 1 : 2;
    const struct material both[2] = {m, material_mirror(m)};
    uint64_t units, found[2] = {0, 0}, positions;
    check_levels(m, metric, &units);
    for (int i = 0; i < SOLVERS; i++)
        CHECK(solver_share(solvers[i], m) == DAME_OK);
    int part = 0;
    for (uint64_t first = 0; first < units; first += each, part++) {
        char paths[4][PATH_BYTES];
        for (int i = 0; i < 2; i++) {
            path_of(paths[i], both[i], part, "");
            path_of(paths[2 + i], both[i], part, ".partial");
        }
        const struct part_paths names = {{paths[2], paths[3]}, {paths[0], paths[1]}};
        atomic_uint_fast64_t done = 0;
        uint64_t made[2];
        CHECK(solver_solve_units(solvers[turn], m, first, each, &names, 2, NULL, &done, made) == DAME_OK);
        turn = 1 - turn;
        for (int i = 0; i < sides; i++) {
            uint64_t placements = 0;
            CHECK(solver_add_part(solvers[turn], both[i], paths[i], &placements) == DAME_OK);
            CHECK(placements == made[i]);
            found[i] += placements;
        }
    }
    for (int i = 0; i < sides; i++)
        CHECK(material_positions(english()->board, both[i], &positions) == DAME_OK && found[i] == positions);
}

static void check_against(struct solver *expected, struct material m)
{
    uint8_t *values = encoded(expected, m, 1);
    for (int i = 0; i < SOLVERS; i++) {
        uint8_t *others = encoded(solvers[i], m, 2);
        struct sample_report report;
        CHECK(memcmp(values, others, (size_t)values_bytes(slice_size(m))) == 0);
        CHECK(solver_sample(solvers[i], m, 500, 1, 1, NULL, &report) == DAME_OK && report.wrong == 0);
        free(others);
    }
    free(values);
}

static void test_metric(enum metric metric)
{
    const struct solver_options alone = {.metric = metric};
    struct solver *expected = solve_all(english(), PIECES, 1, &alone);
    test_path("");
    struct solver_options options = {
        .work = test_folder, .in_parts = true, .budget = 1 << 16, .metric = metric};
    for (int i = 0; i < SOLVERS; i++)
        CHECK(solver_create(english(), PIECES, &options, &solvers[i]) == DAME_OK);
    struct material list[2 * SLICES_MAX];
    for (int n = 2; n <= PIECES; n++)
        for (int i = 0, count = material_list(n, list); i < count; i++)
            if (!is_solved(solvers[0], list[i])) /* with its mirror */
                solve_in_parts(list[i], (uint64_t)(7 + 3 * i), metric);
    for (int n = 2; n <= PIECES; n++)
        for (int i = 0, count = material_list(n, list); i < count; i++)
            check_against(expected, list[i]);
    for (int i = 0; i < SOLVERS; i++)
        solver_destroy(solvers[i]);
    solver_destroy(expected);
    remove_files();
}

/* What does not go. */
static void test_refused(void)
{
    const struct material m = {.own_kings = 1, .other_kings = 1};
    struct solver *plain;
    uint64_t placements, made[2];
    CHECK(solver_create(english(), 2, NULL, &plain) == DAME_OK);
    CHECK(solver_share(plain, m) == DAME_BAD_ARGUMENT);
    CHECK(solver_add_part(plain, m, "nothing", &placements) == DAME_NO_TABLE);
    const struct part_paths names = {{"a", "b"}, {"c", "d"}};
    CHECK(solver_solve_units(plain, m, 0, 1, &names, 1, NULL, NULL, made) == DAME_BAD_ARGUMENT);
    solver_destroy(plain);
}

int main(void)
{
    test_metric(METRIC_WDL);
    test_metric(METRIC_DTW);
    test_metric(METRIC_DTZ);
    test_refused();
    return check_result();
}
