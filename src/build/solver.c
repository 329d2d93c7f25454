#include "build/solver.h"

#include <stdlib.h>
#include <string.h>

#include "build/encoder.h"
#include "build/solver_state.h"
#include "planes/pack.h"

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
    solver->work_least = options->work_least;
    solver->in_parts = options->in_parts;
    if (options->work != NULL && (solver->work = strdup(options->work)) == NULL) {
        free(solver);
        return DAME_NO_MEMORY;
    }
    kernel->rows->fill_steps(&solver->steps);
    enum dame_status status = ordering_create(kernel->board, &solver->ordering);
    if (status == DAME_OK)
        status = store_create(options->budget, &PACK_CODEC, &solver->store);
    if (status != DAME_OK) {
        solver_destroy(solver);
        return status;
    }
    *out = solver;
    return DAME_OK;
}

void solver_forget(struct solver *solver, struct material material, bool remove)
{
    struct planes **slot = &solver->slices[solver_place(material)];
    struct planes **mirror = &solver->slices[solver_place(material_mirror(material))];
    struct planes *planes = *slot, *mirrored = *mirror;
    if (planes == NULL) /* another thread may be encoding another slice */
        return;
    if (solver->encoder != NULL && (solver->encoder->planes == planes || solver->encoder->planes == mirrored))
        solver_encode_stop(solver);
    *slot = *mirror = NULL;
    planes_destroy(planes, remove);
    if (mirrored != planes)
        planes_destroy(mirrored, remove);
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
            solver_forget(solver, solver->slices[i]->material, false);
    store_destroy(solver->store);
    free(solver->work);
    free(solver);
}

enum dame_status solver_take_failure(struct solver *solver, char *detail)
{
    return store_take_failure(solver->store, detail);
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
    solver_forget(solver, material, true);
}

/* The largest distance where a plane has a bit; -1 if there is none, or no distances. */
static int longest_in(const uint64_t *plane, const uint8_t *distance, size_t words)
{
    int most = -1;
    for (size_t i = 0; i < words && distance != NULL; i++)
        for (uint64_t left = plane[i]; left != 0; left &= left - 1) {
            const int plies = distance[64 * i + (size_t)bit_lowest(left)];
            most = plies > most ? plies : most;
        }
    return most;
}

static uint64_t count_bits(const uint64_t *plane, size_t words)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < words; i++)
        bits += (uint64_t)bit_count(plane[i]);
    return bits;
}

static void count_block(const struct planes *planes, uint32_t block, struct slice_counts *out)
{
    const struct plane_rows at = planes_words(planes, block, 0);
    const size_t words = planes->values.blocks[block].words;
    const int win = longest_in(at.won, at.distance, words), loss = longest_in(at.lost, at.distance, words);
    out->win += count_bits(at.won, words);
    out->loss += count_bits(at.lost, words);
    out->longest_win = win > out->longest_win ? win : out->longest_win;
    out->longest_loss = loss > out->longest_loss ? loss : out->longest_loss;
}

enum dame_status solver_counts(struct solver *solver, struct material material, const atomic_bool *cancel,
                               struct slice_counts *out)
{
    const struct planes *planes = solver_planes(solver, material);
    uint64_t positions;
    if (planes == NULL)
        return DAME_NO_TABLE;
    enum dame_status status = material_positions(solver->kernel->board, material, &positions);
    *out = (struct slice_counts){.longest_win = -1, .longest_loss = -1};
    for (uint32_t block = 0; block < planes->values.count && status == DAME_OK; block++) {
        if (cancel != NULL && atomic_load(cancel))
            return DAME_CANCELLED;
        status = blocks_pin(&planes->values, block);
        if (status != DAME_OK)
            break;
        count_block(planes, block, out);
        blocks_unpin(&planes->values, block);
    }
    if (status != DAME_OK)
        return status;
    if (out->win > positions || out->loss > positions - out->win)
        return DAME_INCONSISTENT;
    out->draw = positions - out->win - out->loss;
    return DAME_OK;
}
