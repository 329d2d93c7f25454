#include "build/solver.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "build/load.h"
#include "build/solver_state.h"

enum dame_status solver_create(const struct kernel *kernel, int pieces, struct solver **out)
{
    if (kernel->rows() == NULL)
        return DAME_NOT_SUPPORTED;
    if (pieces < 2 || pieces > PIECES_MAX)
        return DAME_BAD_ARGUMENT;
    struct solver *solver = calloc(1, sizeof *solver);
    if (solver == NULL)
        return DAME_NO_MEMORY;
    solver->kernel = kernel;
    solver->pieces = pieces;
    kernel->rows()->fill_steps(&solver->steps);
    *out = solver;
    return DAME_OK;
}

void solver_destroy(struct solver *solver)
{
    if (solver == NULL)
        return;
    for (int men = 0; men < COUNTS; men++)
        for (int kings = 0; kings < COUNTS; kings++)
            side_destroy(solver->sides[men][kings]);
    for (int kings = 0; kings < COUNTS; kings++)
        king_moves_destroy(solver->king_moves[kings]);
    for (size_t i = 0; i < sizeof solver->slices / sizeof *solver->slices; i++)
        planes_destroy(solver->slices[i]);
    free(solver);
}

enum dame_status solver_side(struct solver *solver, int men, int kings, const struct side **out)
{
    enum dame_status status = DAME_OK;
    struct side **slot = &solver->sides[men][kings];
    if (*slot == NULL)
        status = side_create(solver->kernel->board, men, kings, slot);
    if (status == DAME_OK && solver->king_moves[kings] == NULL)
        status = king_moves_create(*slot, &solver->steps, &solver->king_moves[kings]);
    *out = *slot;
    return status;
}

static enum dame_status find_sides(struct solver *solver, struct material m, const struct side *sides[2])
{
    if (material_own(m) < 1 || material_other(m) < 1 || material_pieces(m) > solver->pieces)
        return DAME_BAD_ARGUMENT;
    enum dame_status status = solver_side(solver, m.own_men, m.own_kings, &sides[0]);
    return status == DAME_OK ? solver_side(solver, m.other_men, m.other_kings, &sides[1]) : status;
}

enum dame_status solver_bytes(const struct board *board, struct material m, int threads, uint64_t *planes,
                              uint64_t *scratch)
{
    struct side_shape own, other;
    uint64_t mirror = 0, words;
    enum dame_status status = side_shape(board, m.own_men, m.own_kings, &own);
    if (status == DAME_OK)
        status = side_shape(board, m.other_men, m.other_kings, &other);
    if (status == DAME_OK)
        status = planes_bytes(&other, &own, planes);
    if (status == DAME_OK && !material_equal(m, material_mirror(m)))
        status = planes_bytes(&own, &other, &mirror);
    if (status == DAME_OK)
        status = unit_memory_words(&own, &other, &words);
    if (status != DAME_OK)
        return status;
    if (__builtin_add_overflow(*planes, mirror, planes) ||
        __builtin_mul_overflow(words, (uint64_t)threads * sizeof(uint64_t), scratch))
        return DAME_TOO_LARGE;
    return DAME_OK;
}

/* One pair of slices being worked on. Side 0 is to move in `material`. */
struct pair {
    const struct solver *solver;
    struct unit unit; /* the movers without their classes */
    struct unit_memory *memories;
    const uint32_t (*classes)[2]; /* of the units of the current level */
    bool own_mirror;
    enum dame_status (*work)(const struct unit *unit, struct unit_memory *memory);
    const atomic_bool *cancel;
    atomic_uint_fast64_t *done;
};

/* Where the moves of one side lead: the slices in which the other side moves then. */
static enum dame_status link_mover(const struct solver *solver, struct material m, const struct planes *same,
                                   const struct side *own, const struct side *other, struct mover *out)
{
    *out = (struct mover){.own = own,
                          .other = other,
                          .steps = &solver->steps,
                          .king_moves = solver->king_moves[m.own_kings]};
    for (int crowned = 0; crowned <= (m.own_men > 0); crowned++)
        for (int men = 0; men <= m.other_men; men++)
            for (int kings = 0; kings <= m.other_kings; kings++) {
                struct material after = {
                    .own_men = (uint8_t)(m.other_men - men),
                    .own_kings = (uint8_t)(m.other_kings - kings),
                    .other_men = (uint8_t)(m.own_men - crowned),
                    .other_kings = (uint8_t)(m.own_kings + crowned),
                };
                if (material_own(after) == 0)
                    continue;
                bool stays = crowned == 0 && men == 0 && kings == 0;
                const struct planes *planes = stays ? same : solver_planes(solver, after);
                if (planes == NULL)
                    return DAME_NO_TABLE;
                out->after[crowned][men][kings] = planes;
            }
    return DAME_OK;
}

static enum dame_status work_on_unit(void *context, uint64_t item, int worker)
{
    struct pair *pair = context;
    struct unit unit = pair->unit;
    uint32_t first = pair->classes[item][0], second = pair->classes[item][1];
    struct mover *a = &unit.movers[0], *b = &unit.movers[1];
    a->own_class = b->other_class = first;
    b->own_class = a->other_class = second;
    a->other_men = b->own->men_set[b->own->class_start[second]];
    b->other_men = a->own->men_set[a->own->class_start[first]];
    struct unit_memory *memory = &pair->memories[worker];
    unit_memory_lay(memory, a->own, first, b->own, second);
    enum dame_status status = pair->work(&unit, memory);
    if (status == DAME_OK && pair->done != NULL) {
        uint64_t cells = side_width(a->own, first) * side_width(b->own, second);
        bool both = !pair->own_mirror || first != second;
        atomic_fetch_add(pair->done, both ? 2 * cells : cells);
    }
    return status;
}

/* All units, the most advanced level first. Of a slice that is its own mirror, units of classes (c, d) and (d, c)
   are the same positions. */
static enum dame_status work_on_levels(struct pair *pair, int threads)
{
    const struct side *a = pair->unit.movers[0].own, *b = pair->unit.movers[1].own;
    size_t most = (size_t)a->class_count * b->class_count;
    uint32_t(*classes)[2] = malloc(most * sizeof *classes);
    if (classes == NULL)
        return DAME_NO_MEMORY;
    int highest = 0;
    for (uint32_t c = 0; c < a->class_count; c++)
        highest = a->advance[c] > highest ? a->advance[c] : highest;
    int highest_b = 0;
    for (uint32_t c = 0; c < b->class_count; c++)
        highest_b = b->advance[c] > highest_b ? b->advance[c] : highest_b;
    enum dame_status status = DAME_OK;
    for (int level = highest + highest_b; level >= 0 && status == DAME_OK; level--) {
        uint64_t count = 0;
        for (uint32_t c = 0; c < a->class_count; c++)
            for (uint32_t d = pair->own_mirror ? c : 0; d < b->class_count; d++)
                if (a->advance[c] + b->advance[d] == level) {
                    classes[count][0] = c;
                    classes[count][1] = d;
                    count++;
                }
        pair->classes = (const uint32_t(*)[2])classes;
        status = threads_run(threads, count, work_on_unit, pair, pair->cancel);
    }
    free(classes);
    return status;
}

static enum dame_status with_memories(struct pair *pair, int threads)
{
    const struct side *a = pair->unit.movers[0].own, *b = pair->unit.movers[1].own;
    struct side_shape shapes[2];
    uint64_t words;
    enum dame_status status = side_shape(a->board, a->men, a->kings, &shapes[0]);
    if (status == DAME_OK)
        status = side_shape(b->board, b->men, b->kings, &shapes[1]);
    if (status == DAME_OK)
        status = unit_memory_words(&shapes[0], &shapes[1], &words);
    if (status != DAME_OK)
        return status;
    pair->memories = calloc((size_t)threads, sizeof *pair->memories);
    if (pair->memories == NULL)
        return DAME_NO_MEMORY;
    for (int i = 0; i < threads && status == DAME_OK; i++) {
        pair->memories[i].memory = calloc(words, sizeof(uint64_t));
        if (pair->memories[i].memory == NULL)
            status = DAME_NO_MEMORY;
    }
    if (status == DAME_OK)
        status = work_on_levels(pair, threads);
    for (int i = 0; i < threads; i++)
        free(pair->memories[i].memory);
    free(pair->memories);
    return status;
}

/* What solving and loading share. `values`: NULL to solve, else the packed values of both slices. */
static enum dame_status work_on_pair(struct solver *solver, struct material m, const uint8_t *const values[2],
                                     int threads, const atomic_bool *cancel, atomic_uint_fast64_t *done)
{
    const struct side *sides[2];
    struct planes *results[2] = {NULL, NULL};
    struct material mirror = material_mirror(m);
    bool own_mirror = material_equal(m, mirror);
    if (threads < 1)
        return DAME_BAD_ARGUMENT;
    enum dame_status status = find_sides(solver, m, sides);
    if (status == DAME_OK)
        status = planes_create(sides[1], sides[0], &results[0]);
    if (status == DAME_OK && own_mirror)
        results[1] = results[0];
    else if (status == DAME_OK)
        status = planes_create(sides[0], sides[1], &results[1]);
    struct pair pair = {.solver = solver, .own_mirror = own_mirror, .cancel = cancel, .done = done};
    if (status == DAME_OK) {
        pair.work = values == NULL ? solver->kernel->rows()->solve : solver->kernel->rows()->add_captures;
        pair.unit.cancel = cancel;
        pair.unit.results[0] = results[0];
        pair.unit.results[1] = results[1];
        status = link_mover(solver, m, results[1], sides[0], sides[1], &pair.unit.movers[0]);
    }
    if (status == DAME_OK)
        status = link_mover(solver, mirror, results[0], sides[1], sides[0], &pair.unit.movers[1]);
    for (int i = 0; i < 2 && values != NULL && status == DAME_OK && !(own_mirror && i == 1); i++)
        status = load_quiet(solver, i == 0 ? m : mirror, values[i], results[i], threads, cancel);
    if (status == DAME_OK)
        status = with_memories(&pair, threads);
    if (status != DAME_OK) {
        planes_destroy(results[0]);
        if (!own_mirror)
            planes_destroy(results[1]);
        return status;
    }
    solver_drop(solver, m);
    *solver_slot(solver, m) = results[0];
    *solver_slot(solver, mirror) = results[1];
    return DAME_OK;
}

enum dame_status solver_solve(struct solver *solver, struct material material, int threads, const atomic_bool *cancel,
                              atomic_uint_fast64_t *done)
{
    return work_on_pair(solver, material, NULL, threads, cancel, done);
}

enum dame_status solver_load(struct solver *solver, struct material material, const uint8_t *values,
                             const uint8_t *mirror_values, int threads, const atomic_bool *cancel)
{
    const uint8_t *const both[2] = {values, mirror_values};
    return work_on_pair(solver, material, both, threads, cancel, NULL);
}

void solver_drop(struct solver *solver, struct material material)
{
    struct planes **slot = solver_slot(solver, material);
    struct planes **mirror = solver_slot(solver, material_mirror(material));
    struct planes *planes = *slot, *mirrored = *mirror;
    *slot = *mirror = NULL;
    planes_destroy(planes);
    if (mirrored != planes)
        planes_destroy(mirrored);
}

static uint64_t count_bits(const uint64_t *words, size_t count)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < count; i++)
        bits += (uint64_t)bit_count(words[i]);
    return bits;
}

enum dame_status solver_counts(const struct solver *solver, struct material material, struct slice_counts *out)
{
    const struct planes *planes = solver_planes(solver, material);
    uint64_t positions;
    if (planes == NULL)
        return DAME_NO_TABLE;
    enum dame_status status = material_positions(solver->kernel->board, material, &positions);
    if (status != DAME_OK)
        return status;
    out->win = count_bits(planes->won, planes->words);
    out->loss = count_bits(planes->lost, planes->words);
    assert(out->win + out->loss <= positions);
    out->draw = positions - out->win - out->loss;
    return DAME_OK;
}
