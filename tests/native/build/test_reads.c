/* The blocks that units read: none is missing, and no unit pins more than was foretold. Men that capture
   backwards, flying kings, and a larger board are among the rule sets. */
#include "build/reads.h"

#include <stdlib.h>

#include "build/solver_state.h"
#include "check.h"
#include "kernel/kernel.h"
#include "test_folder.h"

enum { LIST_MAX = 512 };

static int compare_names(const void *a, const void *b)
{
    const struct block_name *one = a, *other = b;
    if (one->planes != other->planes)
        return one->planes < other->planes ? -1 : 1;
    return (one->block > other->block) - (one->block < other->block);
}

static uint64_t bytes_of(const struct planes *planes, uint32_t block)
{
    return planes->values.blocks[block].words * (planes->with_distance ? 80u : 16u);
}

/* Bytes of the blocks in a list, each once. */
static uint64_t list_bytes(struct read_list *list)
{
    uint64_t bytes = 0;
    if (list->count > 0)
        qsort(list->blocks, list->count, sizeof *list->blocks, compare_names);
    for (size_t i = 0; i < list->count; i++)
        if (i == 0 || compare_names(&list->blocks[i - 1], &list->blocks[i]) != 0)
            bytes += bytes_of(list->blocks[i].planes, list->blocks[i].block);
    return bytes;
}

static uint64_t unit_bytes(const struct open_pair *pair, struct mover movers[2], bool backwards,
                           uint32_t first, uint32_t second)
{
    struct read_list list = {0};
    movers[0].own_class = movers[1].other_class = first;
    movers[1].own_class = movers[0].other_class = second;
    for (int side = 0; side < 2; side++)
        CHECK(reads_find(&movers[side], backwards, READS_QUIET | READS_CAPTURES, &list) == DAME_OK);
    const uint32_t written[2] = {planes_block(pair->results[0], second, first),
                                 planes_block(pair->results[1], first, second)};
    uint64_t bytes = list_bytes(&list) + bytes_of(pair->results[0], written[0]);
    if (pair->results[0] != pair->results[1] || written[0] != written[1])
        bytes += bytes_of(pair->results[1], written[1]);
    read_list_destroy(&list);
    return bytes;
}

/* Every unit against the bound. */
static void check_bound(const struct solver *solver, struct material m)
{
    struct open_pair pair;
    struct mover movers[2];
    struct solver_needs needs;
    uint64_t most = 0;
    CHECK(pair_of_finished(solver, m, &pair) == DAME_OK);
    for (int side = 0; side < 2; side++)
        CHECK(pair_link(solver, &pair, side, PAIR_SOLVE, &movers[side]) == DAME_OK);
    CHECK(solver_needs(solver->kernel, m, solver->metric, 1, &needs) == DAME_OK);
    const bool backwards = solver->kernel->rules->moves->men_capture_backwards;
    for (uint32_t first = 0; first < pair.sides[0]->class_count; first++)
        for (uint32_t second = 0; second < pair.sides[1]->class_count; second++) {
            const uint64_t bytes = unit_bytes(&pair, movers, backwards, first, second);
            most = bytes > most ? bytes : most;
        }
    CHECK(most <= needs.pinned);
}

/* With hardly any memory for blocks: one that is not named is not there. A sample of the values follows from
   the moves. */
static void check_slice(struct solver *solver, struct material m)
{
    struct sample_report report;
    if (solver_planes(solver, m) == NULL)
        CHECK(solver_solve(solver, m, 1, NULL, NULL) == DAME_OK);
    CHECK(solver_sample(solver, m, 300, 1, 1, NULL, &report) == DAME_OK && report.wrong == 0);
    check_bound(solver, m);
}

/* A slice and those of as many pieces that crownings lead to, which come first. */
static void check_with_needs(struct solver *solver, struct material m)
{
    if (solver_planes(solver, m) != NULL)
        return;
    if (m.own_men > 0)
        check_with_needs(solver, (struct material){(uint8_t)(m.own_men - 1), (uint8_t)(m.own_kings + 1),
                                                   m.other_men, m.other_kings});
    if (m.other_men > 0)
        check_with_needs(solver, (struct material){m.own_men, m.own_kings, (uint8_t)(m.other_men - 1),
                                                   (uint8_t)(m.other_kings + 1)});
    check_slice(solver, m);
}

static void drop_all(struct solver *solver)
{
    for (size_t i = 0; i < SLICE_PLACES; i++)
        if (solver->slices[i] != NULL)
            solver_drop(solver, solver->slices[i]->material);
}

/* All slices of so many pieces or fewer, and a larger one, unless that is NULL. */
static void test_rules(const char *rules, int pieces, enum metric metric, const char *larger)
{
    const struct solver_options options = {.work = test_path(""), .budget = 1, .metric = metric};
    struct solver *solver;
    struct material list[LIST_MAX], m;
    CHECK(solver_create(kernel_find(rules), pieces + 1, &options, &solver) == DAME_OK);
    for (int n = 2; n <= pieces; n++)
        for (int i = 0, count = material_list(n, list); i < count; i++)
            check_slice(solver, list[i]);
    if (larger != NULL && material_parse(larger, &m) == DAME_OK)
        check_with_needs(solver, m);
    drop_all(solver);
    solver_destroy(solver);
}

int main(void)
{
    test_rules("english", 4, METRIC_WDL, "KMMvKM");
    test_rules("russian", 4, METRIC_WDL, "KMvKMM");
    test_rules("brazilian", 4, METRIC_WDL, NULL);
    test_rules("english", 3, METRIC_DTZ, "KMvKM");
    test_rules("international", 3, METRIC_WDL, NULL);
    return check_result();
}
