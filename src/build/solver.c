#include "build/solver.h"

#include <stdlib.h>
#include <string.h>

#include "build/solver_state.h"

enum dame_status solver_create(const struct kernel *kernel, int pieces, const struct solver_options *options,
                               struct solver **out)
{
    static const struct solver_options NOTHING = {0};
    if (options == NULL)
        options = &NOTHING;
    const struct draw_rule rule = options->draw_rule;
    if (pieces < 2 || pieces > PIECES_MAX || rule.plies < 0 || rule.plies > PLIES_MAX - 1 ||
        (rule.plies != 0 && options->metric != metric_of_rule(rule)))
        return DAME_BAD_ARGUMENT;
    struct solver *solver = calloc(1, sizeof *solver);
    if (solver == NULL)
        return DAME_NO_MEMORY;
    solver->kernel = kernel;
    solver->pieces = pieces;
    solver->metric = options->metric;
    solver->draw_rule = rule;
    if (options->spill != NULL && (solver->spill = strdup(options->spill)) == NULL) {
        free(solver);
        return DAME_NO_MEMORY;
    }
    kernel->rows->fill_steps(&solver->steps);
    const enum dame_status status = ordering_create(kernel->board, &solver->ordering);
    if (status != DAME_OK) {
        solver_destroy(solver);
        return status;
    }
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
    solver_load_stop(solver);
    solver_encode_stop(solver);
    ordering_destroy(solver->ordering);
    for (size_t i = 0; i < SLICE_PLACES; i++)
        if (solver->slices[i] != NULL)
            solver_drop(solver, solver->slices[i]->material);
    free(solver->spill);
    free(solver);
}

enum dame_status solver_side(struct solver *solver, int men, int kings, const struct side **out)
{
    enum dame_status status = DAME_OK;
    struct side **slot = &solver->sides[men][kings];
    if (*slot == NULL)
        status = side_create(solver->kernel->board, men, kings, sides_are_whole(solver->metric), slot);
    if (status == DAME_OK && solver->king_moves[kings] == NULL)
        status = king_moves_create(*slot, &solver->steps, solver->kernel->rules->moves->flying_kings,
                                   &solver->king_moves[kings]);
    *out = *slot;
    return status;
}

enum dame_status solver_bytes(const struct kernel *kernel, struct material m, enum metric metric, int threads,
                              uint64_t *planes, uint64_t *scratch, uint64_t *stored)
{
    const struct board *board = kernel->board;
    struct side_shape own, other;
    uint64_t mirror = 0, words;
    bool whole = sides_are_whole(metric), bytes = metric_has_plies(metric);
    enum dame_status status = side_shape(board, m.own_men, m.own_kings, whole, &own);
    if (status == DAME_OK)
        status = side_shape(board, m.other_men, m.other_kings, whole, &other);
    if (status == DAME_OK)
        status = planes_bytes(&other, &own, bytes, planes);
    if (status == DAME_OK && !material_equal(m, material_mirror(m)))
        status = planes_bytes(&own, &other, bytes, &mirror);
    if (status == DAME_OK)
        status = unit_memory_words(kernel->rows, &own, &other, metric, &words);
    if (status != DAME_OK)
        return status;
    /* Two planes of bits, and with distances a byte for each bit: three such planes besides. */
    *stored = 3 * ((*planes + mirror) / (bytes ? 10 : 2));
    uint64_t busy = own.classes * other.classes; /* no more threads than units; neither count has 32 bits */
    if (busy > (uint64_t)threads)
        busy = (uint64_t)threads;
    if (__builtin_add_overflow(*planes, mirror, planes) ||
        __builtin_mul_overflow(words, busy * sizeof(uint64_t), scratch))
        return DAME_TOO_LARGE;
    return DAME_OK;
}

enum dame_status solver_side_bytes(const struct kernel *kernel, int men, int kings, enum metric metric,
                                   uint64_t *side, uint64_t *king_moves)
{
    struct side_shape shape;
    struct steps steps;
    kernel->rows->fill_steps(&steps);
    enum dame_status status = side_shape(kernel->board, men, kings, sides_are_whole(metric), &shape);
    if (status != DAME_OK)
        return status;
    *side = shape.bytes;
    *king_moves = king_moves_bytes(kernel->board, &steps, kernel->rules->moves->flying_kings, kings);
    return DAME_OK;
}

void solver_drop(struct solver *solver, struct material material)
{
    struct planes **slot = &solver->slices[solver_place(material)];
    struct planes **mirror = &solver->slices[solver_place(material_mirror(material))];
    struct planes *planes = *slot, *mirrored = *mirror;
    solver_encode_stop(solver); /* it may be this slice */
    *slot = *mirror = NULL;
    planes_destroy(planes);
    if (mirrored != planes)
        planes_destroy(mirrored);
}

/* Counting goes through all values; those that live in files leave memory again part by part. */
enum { COUNT_WORDS = 1 << 22 };

static uint64_t count_bits(const struct planes *planes, const uint64_t *words, const atomic_bool *cancel)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < planes->words; i++) {
        bits += (uint64_t)bit_count(words[i]);
        if (i % COUNT_WORDS == COUNT_WORDS - 1) {
            memory_release(&planes->memory);
            if (cancel != NULL && atomic_load(cancel))
                break;
        }
    }
    memory_release(&planes->memory);
    return bits;
}

/* The largest distance where `plane` has a bit; -1 if there is none, or no distances. */
static int longest(const struct planes *planes, const uint64_t *plane)
{
    int most = -1;
    for (size_t i = 0; i < planes->words && planes->distance != NULL; i++)
        for (uint64_t left = plane[i]; left != 0; left &= left - 1) {
            int plies = planes->distance[64 * i + (size_t)bit_lowest(left)];
            most = plies > most ? plies : most;
        }
    return most;
}

enum dame_status solver_counts(const struct solver *solver, struct material material,
                               const atomic_bool *cancel, struct slice_counts *out)
{
    const struct planes *planes = solver_planes(solver, material);
    uint64_t positions;
    if (planes == NULL)
        return DAME_NO_TABLE;
    enum dame_status status = material_positions(solver->kernel->board, material, &positions);
    if (status != DAME_OK)
        return status;
    out->win = count_bits(planes, planes->won, cancel);
    out->loss = count_bits(planes, planes->lost, cancel);
    if (cancel != NULL && atomic_load(cancel))
        return DAME_CANCELLED;
    if (out->win > positions || out->loss > positions - out->win)
        return DAME_INCONSISTENT;
    out->draw = positions - out->win - out->loss;
    out->longest_win = longest(planes, planes->won);
    out->longest_loss = longest(planes, planes->lost);
    return DAME_OK;
}
