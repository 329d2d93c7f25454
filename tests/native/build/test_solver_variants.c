/* The builder for every rule set: values against those after each move, which the per-position generator
   finds on its own, and through files and back. Which values are right is tests/build/test_variants.py's
   affair. */
#include "build/solver.h"
#include "check.h"
#include "naive.h"
#include "solving.h"
#include "test_folder.h"

enum { SMALL = 3, SAMPLE = 500, SAMPLE_LARGE = 2000 };

static const struct solver_options DTW = {.metric = METRIC_DTW};
static const struct solver_options DTZ = {.metric = METRIC_DTZ};
static const struct solver_options DRAWN = {.metric = METRIC_DTZ, .draw_rule = {DRAW_PLIES, 12}};

static void solve_pieces(struct solver *solver, int pieces, int threads)
{
    struct material list[2 * SLICES_MAX];
    const int count = material_list(pieces, list);
    for (int i = 0; i < count; i++)
        if (!is_solved(solver, list[i]))
            CHECK(solver_solve(solver, list[i], threads, NULL, NULL) == DAME_OK);
}

static struct solver *solve_to(const struct kernel *kernel, int pieces, const struct solver_options *options)
{
    struct solver *solver;
    CHECK(solver_create(kernel, PIECES_MAX, options, &solver) == DAME_OK);
    for (int n = 2; n <= pieces; n++)
        solve_pieces(solver, n, options != NULL && options->work != NULL ? 1 : 2);
    return solver;
}

static void check_sample(struct solver *solver, int pieces, uint64_t count)
{
    struct material list[2 * SLICES_MAX];
    const int slices_of = material_list(pieces, list);
    for (int i = 0; i < slices_of; i++) {
        struct sample_report report;
        CHECK(solver_sample(solver, list[i], count, (uint64_t)i, 2, NULL, &report) == DAME_OK);
        CHECK(report.positions == count && report.wrong == 0);
    }
}

/* Captures and threats come back as they were. */
static void check_load(struct solver *solver, const struct solver_options *options)
{
    struct solver *other;
    CHECK(solver_create(solver->kernel, PIECES_MAX, options, &other) == DAME_OK);
    for (int n = 2; n <= SMALL; n++) {
        struct material list[2 * SLICES_MAX];
        const int count = material_list(n, list);
        for (int i = 0; i < count; i++) {
            load_pair(solver, other, list[i], 100000);
            check_same_slice(solver, other, list[i]);
        }
    }
    solver_destroy(other);
}

/* Blocks that are read have to be fetched first, and no others: the one that is made is not there yet. */
static void check_work_files(const struct solver *right, const struct solver_options *options)
{
    struct solver_options with_files = options == NULL ? (struct solver_options){0} : *options;
    with_files.work = test_path("");
    with_files.budget = 1;
    struct solver *other = solve_to(right->kernel, SMALL, &with_files);
    for (int n = 2; n <= SMALL; n++) {
        struct material list[2 * SLICES_MAX];
        const int count = material_list(n, list);
        for (int i = 0; i < count; i++)
            check_same_slice(right, other, list[i]);
        for (int i = 0; i < count; i++)
            solver_drop(other, list[i]);
    }
    solver_destroy(other);
}

static void test_rule_set(const struct kernel *kernel)
{
    const struct solver_options *const all[] = {NULL, &DTW, &DTZ, &DRAWN};
    for (int i = 0; i < 4; i++) {
        struct solver *solver = solve_to(kernel, SMALL, all[i]);
        check_sample(solver, 2, SAMPLE);
        check_sample(solver, 3, SAMPLE);
        check_work_files(solver, all[i]);
        if (kernel->board->squares == 32)
            check_load(solver, all[i]);
        solver_destroy(solver);
    }
}

/* Slices with longer captures. */
static void test_four_pieces(const struct kernel *kernel)
{
    struct solver *solver = solve_to(kernel, 4, NULL);
    check_sample(solver, 4, SAMPLE_LARGE);
    solver_destroy(solver);
}

int main(void)
{
    const struct move_rules *seen = NULL;
    for (int i = 0; i < kernel_count(); i++) {
        const struct kernel *kernel = kernel_at(i);
        if (kernel->rules->moves == seen && !kernel->rules->misere)
            continue; /* another name for the same moves */
        if (kernel->rules->moves == seen && kernel_at(i - 2) != NULL &&
            kernel_at(i - 2)->rules->moves == seen)
            continue; /* and its giveaway form */
        seen = kernel->rules->moves;
        test_rule_set(kernel);
        if (kernel->board->squares == 32 && !kernel->rules->misere)
            test_four_pieces(kernel);
    }
    return check_result();
}
