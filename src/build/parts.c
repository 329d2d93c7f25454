/* Slices that several processes solve together: values in parts, one for each range of units. */
#include <assert.h>

#include "build/solver_state.h"

static int slices_of(const struct open_pair *pair)
{
    return pair_is_own_mirror(pair) ? 1 : 2;
}

enum dame_status pair_begin_part(const struct open_pair *pair, const struct part_paths *paths)
{
    enum dame_status status = DAME_OK;
    for (int i = 0; i < slices_of(pair) && status == DAME_OK; i++)
        status = blocks_begin_part(&pair->results[i]->values, paths->partial[i]);
    return status;
}

enum dame_status pair_seal_part(const struct open_pair *pair, const struct part_paths *paths,
                                const uint64_t placements[2])
{
    enum dame_status status = DAME_OK;
    for (int i = 0; i < slices_of(pair) && status == DAME_OK; i++)
        status = blocks_seal_part(&pair->results[i]->values, placements[i], paths->complete[i]);
    return status;
}

enum dame_status solver_share(struct solver *solver, struct material material)
{
    struct open_pair pair;
    if (!solver->in_parts)
        return DAME_BAD_ARGUMENT;
    if (solver_planes(solver, material) != NULL)
        return DAME_OK;
    const enum dame_status status = pair_open(solver, material, &pair);
    if (status == DAME_OK)
        pair_install(solver, &pair);
    return status;
}

enum dame_status solver_add_part(struct solver *solver, struct material slice, const char *path,
                                 uint64_t *placements)
{
    struct planes *planes = solver->slices[solver_place(slice)];
    if (planes == NULL || !solver->in_parts)
        return DAME_NO_TABLE;
    return blocks_add_part(&planes->values, path, placements);
}

enum dame_status solver_solve_units(struct solver *solver, struct material material, uint64_t first,
                                    uint64_t count, const struct part_paths *paths, int threads,
                                    const atomic_bool *cancel, atomic_uint_fast64_t *done,
                                    uint64_t placements[2])
{
    struct open_pair pair;
    if (!solver->in_parts)
        return DAME_BAD_ARGUMENT;
    enum dame_status status = pair_of_finished(solver, material, &pair);
    if (status != DAME_OK)
        return status;
    status = pair_begin_part(&pair, paths);
    if (status == DAME_OK)
        status = pair_solve_units(solver, &pair, first, count, threads, cancel, done, placements);
    if (status == DAME_OK)
        status = pair_seal_part(&pair, paths, placements);
    if (status != DAME_OK)
        solver_forget(solver, material, false);
    return status;
}

enum dame_status solver_levels(const struct kernel *kernel, struct material m, enum metric metric,
                               struct solver_level levels[SOLVER_LEVELS_MAX], int *count)
{
    struct side_shape shapes[2];
    struct side_advances own, other;
    uint64_t slice, pair; /* bytes: if these fit, nothing below overflows */
    const bool own_mirror = material_equal(m, material_mirror(m)), whole = sides_are_whole(metric);
    enum dame_status status = solver_planes_bytes(kernel, m, metric, &slice, &pair);
    if (status == DAME_OK)
        status = side_shape(kernel->board, m.own_men, m.own_kings, whole, &shapes[0]);
    if (status == DAME_OK)
        status = side_shape(kernel->board, m.other_men, m.other_kings, whole, &shapes[1]);
    if (status != DAME_OK)
        return status;
    side_advances(kernel->board, m.own_men, m.own_kings, whole, &own);
    side_advances(kernel->board, m.other_men, m.other_kings, whole, &other);
    *count = 0;
    for (int level = 2 * ADVANCE_MAX - 2; level >= 0; level--) {
        struct solver_level found = {0};
        for (int a = level < ADVANCE_MAX ? 0 : level - ADVANCE_MAX + 1; a <= level && a < ADVANCE_MAX; a++) {
            found.units += own.classes[a] * other.classes[level - a];
            found.values += own.arrangements[a] * other.arrangements[level - a];
        }
        if (own_mirror && level % 2 == 0) /* the units of one class on both sides are one each */
            found.units += own.classes[level / 2];
        if (own_mirror)
            found.units /= 2;
        else
            found.values *= 2;
        if (found.units == 0)
            continue;
        assert(*count < SOLVER_LEVELS_MAX);
        levels[(*count)++] = found;
    }
    return DAME_OK;
}

void solver_traffic(const struct solver *solver, uint64_t *read, uint64_t *written)
{
    const struct store_statistics facts = store_statistics(solver->store);
    *read = facts.read_bytes;
    *written = facts.written_bytes;
}
