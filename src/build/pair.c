/* A slice and its mirror, unit by unit. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/threads.h"
#include "build/solver_state.h"
#include "build/unit_blocks.h"

static enum dame_status find_sides(struct solver *solver, struct material m, const struct side *sides[2])
{
    if (material_own(m) < 1 || material_other(m) < 1 || material_pieces(m) > solver->pieces)
        return DAME_BAD_ARGUMENT;
    enum dame_status status = solver_side(solver, m.own_men, m.own_kings, &sides[0]);
    return status == DAME_OK ? solver_side(solver, m.other_men, m.other_kings, &sides[1]) : status;
}

/* What a work file belongs to. */
static uint64_t identity_of(const struct solver *solver, struct material m, const char *part)
{
    char text[256], name[MATERIAL_NAME_MAX];
    material_name(m, name);
    const int length =
        snprintf(text, sizeof text, "%s %s %d %d %d %s", solver->kernel->rules->id, name, (int)solver->metric,
                 solver->draw_rule.plies, (int)solver->draw_rule.counter, part);
    assert(length > 0 && (size_t)length < sizeof text);
    return hash_bytes(text, (size_t)length);
}

enum dame_status solver_home(const struct solver *solver, struct material material, const char *part,
                             enum home home, char *path, struct blocks_home *out)
{
    *out = (struct blocks_home){.store = solver->store, .in_parts = home == HOME_PARTS};
    if (home == HOME_MEMORY)
        return DAME_OK;
    out->identity = identity_of(solver, material, part);
    if (home == HOME_PARTS)
        return DAME_OK;
    char name[MATERIAL_NAME_MAX];
    material_name(material, name);
    const int length = snprintf(path, SOLVER_PATH_MAX, "%s/%s.%s", solver->work, name, part);
    if (length < 0 || length >= SOLVER_PATH_MAX)
        return DAME_TOO_LARGE;
    out->path = path;
    return DAME_OK;
}

/* Planes with one side to move. */
static enum dame_status open_planes(struct solver *solver, struct open_pair *pair, int side, enum home where)
{
    const struct material m = side == 0 ? pair->material : material_mirror(pair->material);
    struct blocks_home home;
    char path[SOLVER_PATH_MAX];
    enum dame_status status = solver_home(solver, m, "values", where, path, &home);
    if (status == DAME_OK)
        status = planes_create(&home, pair->sides[1 - side], pair->sides[side],
                               metric_has_plies(solver->metric), &pair->results[side]);
    if (status == DAME_OK)
        pair->results[side]->material = m;
    return status;
}

enum dame_status pair_open(struct solver *solver, struct material material, struct open_pair *out)
{
    struct open_pair pair = {.is_open = true, .material = material};
    const struct planes *there = solver_planes(solver, material);
    if (there != NULL && there->values.may_leave)
        solver_forget(solver, material, false); /* two shelves must not share a work file */
    uint64_t slice, bytes;
    enum dame_status status = find_sides(solver, material, pair.sides);
    if (status == DAME_OK)
        status = solver_planes_bytes(solver->kernel, material, solver->metric, &slice, &bytes);
    const bool in_file = status == DAME_OK && solver->work != NULL && bytes >= solver->work_least;
    const enum home where = solver->in_parts ? HOME_PARTS : in_file ? HOME_FILE : HOME_MEMORY;
    for (int side = 0; side < 2 && status == DAME_OK; side++)
        if (side == 1 && pair_is_own_mirror(&pair))
            pair.results[1] = pair.results[0];
        else
            status = open_planes(solver, &pair, side, where);
    if (status != DAME_OK) {
        pair_close(&pair);
        return status;
    }
    *out = pair;
    return DAME_OK;
}

static void close_planes(struct open_pair *pair, bool remove)
{
    planes_destroy(pair->results[0], remove);
    if (pair->results[1] != pair->results[0])
        planes_destroy(pair->results[1], remove);
    *pair = (struct open_pair){0};
}

void pair_close(struct open_pair *pair)
{
    close_planes(pair, false);
}

void pair_install(struct solver *solver, struct open_pair *pair)
{
    solver_forget(solver, pair->material, false);
    solver->slices[solver_place(pair->material)] = pair->results[0];
    solver->slices[solver_place(material_mirror(pair->material))] = pair->results[1];
    *pair = (struct open_pair){0};
}

enum dame_status pair_of_finished(const struct solver *solver, struct material material,
                                  struct open_pair *out)
{
    *out = (struct open_pair){.is_open = true, .material = material};
    for (int side = 0; side < 2; side++) {
        const struct material m = side == 0 ? material : material_mirror(material);
        out->results[side] = solver->slices[solver_place(m)];
        if (out->results[side] == NULL)
            return DAME_NO_TABLE;
        out->sides[side] = out->results[side]->columns;
    }
    return DAME_OK;
}

/* What the threads that work on one pair share. */
struct shared {
    struct solver *solver;
    bool own_mirror;
    enum pair_work kind;
    struct unit unit; /* the movers without their classes */
    struct unit_memory *memories;
    uint32_t (*classes)[2]; /* of the units of the current level */
    enum dame_status (*work)(const struct unit *unit, struct unit_memory *memory);
    const struct open_pair *pair;
    uint64_t first, end; /* numbers of units that are worked on */
    bool anew;           /* whether or not they are there */
    atomic_uint_fast64_t placements[2];
    atomic_bool was_there; /* some unit was in a work file, so its placements were not counted */
    atomic_uint_fast64_t *done;
};

enum dame_status pair_link(const struct solver *solver, const struct open_pair *pair, int side,
                           enum pair_work work, struct mover *out)
{
    struct material m = side == 0 ? pair->material : material_mirror(pair->material);
    *out = (struct mover){.own = pair->sides[side],
                          .other = pair->sides[1 - side],
                          .steps = &solver->steps,
                          .metric = solver->metric,
                          .misere = solver->kernel->rules->misere,
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
                const struct planes **slot = &out->after[crowned][men][kings];
                bool is_capture = men + kings > 0;
                if (!is_capture && !crowned)
                    *slot = pair->results[1 - side];
                else if (material_own(after) > 0 &&
                         (work == PAIR_SOLVE || is_capture == (work == PAIR_ADD_CAPTURES))) {
                    *slot = solver_planes(solver, after);
                    if (*slot == NULL)
                        return DAME_NO_TABLE;
                }
            }
    return DAME_OK;
}

/* The unit of two classes. */
static struct unit unit_of(const struct shared *shared, uint32_t first, uint32_t second)
{
    struct unit unit = shared->unit;
    struct mover *a = &unit.movers[0], *b = &unit.movers[1];
    a->own_class = b->other_class = first;
    b->own_class = a->other_class = second;
    a->other_men = b->own->men_set[b->own->class_start[second]];
    b->other_men = a->own->men_set[a->own->class_start[first]];
    return unit;
}

/* Work on one unit of the level; it is not solved if work files hold its results already. */
static enum dame_status work_on_unit(void *context, uint64_t item, int worker)
{
    struct shared *shared = context;
    const uint32_t first = shared->classes[item][0], second = shared->classes[item][1];
    struct unit unit = unit_of(shared, first, second);
    const struct mover *a = &unit.movers[0], *b = &unit.movers[1];
    const bool both = !shared->own_mirror || first != second;
    const uint64_t cells = side_width(a->own, first) * side_width(b->own, second);
    struct unit_memory *memory = &shared->memories[worker];
    enum dame_status status = DAME_OK;
    if (shared->kind == PAIR_SOLVE && !shared->anew && unit_is_there(&unit)) {
        atomic_store(&shared->was_there, true);
    } else {
        unit_memory_lay(memory, a->metric, a->own, first, b->own, second);
        status = unit_run(shared->solver, shared->pair, &unit, shared->kind, shared->work, memory);
        if (status != DAME_OK)
            return status;
        atomic_fetch_add(&shared->placements[0], memory->placements[0]);
        if (both)
            atomic_fetch_add(&shared->placements[1], memory->placements[1]);
    }
    if (shared->done != NULL)
        atomic_fetch_add(shared->done, both ? 2 * cells : cells);
    return DAME_OK;
}

/* The classes of a side, sorted by their advance. */
struct class_order {
    uint32_t *classes;
    uint32_t start[ADVANCE_MAX + 1];
};

static enum dame_status order_classes(const struct side *side, struct class_order *out)
{
    out->classes = malloc(side->class_count * sizeof *out->classes);
    if (out->classes == NULL)
        return DAME_NO_MEMORY;
    uint32_t count = 0;
    for (uint32_t advance = 0; advance < ADVANCE_MAX; advance++) {
        out->start[advance] = count;
        for (uint32_t class = 0; class < side->class_count; class++)
            if (side->advance[class] == advance)
                out->classes[count++] = class;
    }
    out->start[ADVANCE_MAX] = count;
    return DAME_OK;
}

/* The units of one level; of a slice that is its own mirror, units of classes (c, d) and (d, c) are the same
   positions. Returns their number; writes them if `out` is not NULL. */
static uint64_t list_level(const struct class_order orders[2], bool own_mirror, int level, uint32_t (*out)[2])
{
    uint64_t count = 0;
    for (int advance = 0; advance <= level && advance < ADVANCE_MAX; advance++) {
        int rest = level - advance;
        if (rest >= ADVANCE_MAX)
            continue;
        for (uint32_t i = orders[0].start[advance]; i < orders[0].start[advance + 1]; i++)
            for (uint32_t j = orders[1].start[rest]; j < orders[1].start[rest + 1]; j++) {
                uint32_t c = orders[0].classes[i], d = orders[1].classes[j];
                if (own_mirror && c > d)
                    continue;
                if (out != NULL) {
                    out[count][0] = c;
                    out[count][1] = d;
                }
                count++;
            }
    }
    return count;
}

enum { LEVELS = 2 * ADVANCE_MAX };

static uint64_t at_most(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* All levels, the most advanced one first. */
static enum dame_status run_levels(struct shared *shared, const struct class_order orders[2], int threads,
                                   const atomic_bool *cancel)
{
    enum dame_status status = DAME_OK;
    uint64_t before = 0; /* units of the levels before */
    for (int level = LEVELS - 1; level >= 0 && status == DAME_OK && before < shared->end; level--) {
        const uint64_t count = list_level(orders, shared->own_mirror, level, NULL);
        const uint64_t first = at_most(shared->first > before ? shared->first - before : 0, count);
        const uint64_t end = at_most(shared->end - before, count);
        before += count;
        if (first == end)
            continue;
        uint32_t (*const classes)[2] = malloc(count * sizeof *classes);
        if (classes == NULL)
            return DAME_NO_MEMORY;
        list_level(orders, shared->own_mirror, level, classes);
        shared->classes = classes + first;
        status = threads_run(threads, end - first, work_on_unit, shared, cancel);
        free(classes);
    }
    return status;
}

static enum dame_status with_memories(struct shared *shared, const struct open_pair *pair,
                                      const struct class_order orders[2], int threads,
                                      const atomic_bool *cancel)
{
    struct side_shape shapes[2];
    uint64_t words, units = (uint64_t)pair->sides[0]->class_count * pair->sides[1]->class_count;
    if (units < (uint64_t)threads)
        threads = (int)units;
    threads = threads < THREADS_MAX ? threads : THREADS_MAX;
    enum dame_status status = DAME_OK;
    for (int i = 0; i < 2 && status == DAME_OK; i++)
        status = side_shape(pair->sides[i]->board, pair->sides[i]->men, pair->sides[i]->kings,
                            sides_are_whole(shared->solver->metric), &shapes[i]);
    if (status == DAME_OK)
        status = unit_memory_words(shared->solver->kernel->rows, &shapes[0], &shapes[1],
                                   shared->solver->metric, &words);
    if (status != DAME_OK)
        return status;
    shared->memories = calloc((size_t)threads, sizeof *shared->memories);
    if (shared->memories == NULL)
        return DAME_NO_MEMORY;
    for (int i = 0; i < threads && status == DAME_OK; i++) {
        shared->memories[i].memory = calloc(words, sizeof(uint64_t)); /* no pages before it is used */
        if (shared->memories[i].memory == NULL)
            status = DAME_NO_MEMORY;
    }
    if (status == DAME_OK)
        status = run_levels(shared, orders, threads, cancel);
    for (int i = 0; i < threads; i++)
        free(shared->memories[i].memory);
    free(shared->memories);
    return status;
}

/* Every legal placement must have been met, as many as the formula says. */
static enum dame_status check_placements(const struct shared *shared, const struct open_pair *pair)
{
    for (int side = 0; side < (shared->own_mirror ? 1 : 2); side++) {
        uint64_t expected, met = atomic_load(&shared->placements[side]);
        if (shared->own_mirror)
            met += atomic_load(&shared->placements[1]);
        enum dame_status status =
            material_positions(shared->solver->kernel->board,
                               side == 0 ? pair->material : material_mirror(pair->material), &expected);
        if (status != DAME_OK)
            return status;
        if (met != expected)
            return DAME_INCONSISTENT;
    }
    return DAME_OK;
}

/* What `shared` says, in so many threads. */
static enum dame_status run_shared(struct shared *shared, enum threats threats, int threads,
                                   const atomic_bool *cancel)
{
    if (threads < 1)
        return DAME_BAD_ARGUMENT;
    struct solver *solver = shared->solver;
    const struct open_pair *pair = shared->pair;
    const struct row_kernel *rows = solver->kernel->rows;
    shared->own_mirror = pair_is_own_mirror(pair);
    shared->unit.plies = solver_plies(solver);
    shared->unit.threats = threats;
    if (shared->kind == PAIR_THREATS)
        shared->work = rows->find_threats;
    else if (shared->kind == PAIR_ADD_CAPTURES)
        shared->work = rows->add_captures;
    else
        shared->work = metric_has_plies(solver->metric) ? rows->solve_plies : rows->solve;
    shared->unit.cancel = cancel;
    struct class_order orders[2] = {{0}};
    enum dame_status status = DAME_OK;
    for (int side = 0; side < 2 && status == DAME_OK; side++) {
        shared->unit.results[side] = pair->results[side];
        status = pair_link(solver, pair, side, shared->kind, &shared->unit.movers[side]);
        if (status == DAME_OK)
            status = order_classes(pair->sides[side], &orders[side]);
    }
    if (status == DAME_OK)
        status = with_memories(shared, pair, orders, threads, cancel);
    free(orders[0].classes);
    free(orders[1].classes);
    return status;
}

enum dame_status pair_run(struct solver *solver, const struct open_pair *pair, enum pair_work work,
                          enum threats threats, int threads, const atomic_bool *cancel,
                          atomic_uint_fast64_t *done)
{
    struct shared shared = {.solver = solver, .pair = pair, .kind = work, .end = UINT64_MAX, .done = done};
    const enum dame_status status = run_shared(&shared, threats, threads, cancel);
    return status == DAME_OK && work == PAIR_SOLVE && !atomic_load(&shared.was_there)
               ? check_placements(&shared, pair)
               : status;
}

enum dame_status pair_solve_units(struct solver *solver, const struct open_pair *pair, uint64_t first,
                                  uint64_t count, int threads, const atomic_bool *cancel,
                                  atomic_uint_fast64_t *done, uint64_t placements[2])
{
    struct shared shared = {.solver = solver,
                            .pair = pair,
                            .kind = PAIR_SOLVE,
                            .first = first,
                            .end = count < UINT64_MAX - first ? first + count : UINT64_MAX,
                            .anew = true,
                            .done = done};
    const enum dame_status status = run_shared(&shared, THREATS_QUIET, threads, cancel);
    for (int side = 0; side < 2; side++)
        placements[side] = atomic_load(&shared.placements[side]);
    if (shared.own_mirror)
        placements[0] = placements[1] = placements[0] + placements[1];
    return status;
}

enum dame_status solver_solve(struct solver *solver, struct material material, int threads,
                              const atomic_bool *cancel, atomic_uint_fast64_t *done)
{
    struct open_pair pair;
    enum dame_status status = pair_open(solver, material, &pair);
    if (status != DAME_OK)
        return status;
    status = pair_run(solver, &pair, PAIR_SOLVE, THREATS_QUIET, threads, cancel, done);
    if (status == DAME_OK)
        pair_install(solver, &pair);
    else
        pair_close(&pair);
    return status;
}

enum dame_status solver_find(struct solver *solver, struct material material, bool *found)
{
    struct open_pair pair;
    *found = solver_planes(solver, material) != NULL;
    if (*found)
        return DAME_OK;
    enum dame_status status = pair_open(solver, material, &pair);
    if (status != DAME_OK)
        return status;
    *found = true;
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < pair.results[side]->values.count && *found; i++)
            *found = blocks_has(&pair.results[side]->values, i);
    if (*found)
        pair_install(solver, &pair);
    else
        close_planes(&pair, true);
    return DAME_OK;
}
