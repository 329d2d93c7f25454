/* From the values and distances of table files back to planes: what the files hold first, then captures and
   threats, which they leave out. */
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "build/places.h"
#include "build/solver_state.h"
#include "position/outcome.h"
#include "tables/values.h"

enum { PART = 4096 }; /* values that a thread places at a time */

struct part {
    struct places places;
    const uint8_t *values; /* or distances; the first one is that of number `first` */
    uint64_t first, count;
    void (*put)(struct planes *planes, uint64_t bit, const uint8_t *values, uint64_t place);
    struct planes *planes;
};

/* Threads may set bits of one word at the same time. */
static void set_bit(uint64_t *plane, uint64_t bit)
{
    __atomic_fetch_or(&plane[bit / 64], bit_at((int)(bit % 64)), __ATOMIC_RELAXED);
}

static void put_value(struct planes *planes, uint64_t bit, const uint8_t *values, uint64_t place)
{
    const int value = values_get(values, place);
    if (value == VALUE_WIN)
        set_bit(planes->won, bit);
    if (value == VALUE_LOSS)
        set_bit(planes->lost, bit);
}

/* Coded as in the file until all values are known. */
static void put_distance(struct planes *planes, uint64_t bit, const uint8_t *values, uint64_t place)
{
    planes->distance[bit] = values[place];
}

static enum dame_status load_item(void *context, uint64_t item, int worker)
{
    const struct part *part = context;
    const uint64_t from = item * PART;
    const size_t count = part->count - from < PART ? (size_t)(part->count - from) : PART;
    uint64_t bits[PART];
    (void)worker;
    places_find(&part->places, part->first + from, count, bits);
    for (size_t i = 0; i < count; i++)
        part->put(part->planes, bits[i], part->values, from + i);
    return DAME_OK;
}

enum dame_status solver_load_start(struct solver *solver, struct material material)
{
    solver_load_stop(solver);
    return pair_open(solver, material, &solver->loading);
}

static enum dame_status load_part(struct solver *solver, struct material material, int nesting,
                                  struct part *part, int threads, const atomic_bool *cancel)
{
    const struct open_pair *pair = &solver->loading;
    if (!pair->is_open || threads < 1)
        return DAME_BAD_ARGUMENT;
    bool mirror = !material_equal(material, pair->material);
    if (mirror && !material_equal(material, material_mirror(pair->material)))
        return DAME_BAD_ARGUMENT;
    part->planes = pair->results[mirror];
    enum dame_status status = places_create(solver->ordering, part->planes, nesting, &part->places);
    if (status != DAME_OK)
        return status;
    const uint64_t size = part->places.shape.size;
    if (part->first > size || part->count > size - part->first)
        status = DAME_BAD_ARGUMENT;
    if (status == DAME_OK)
        status = threads_run(threads, (part->count + PART - 1) / PART, load_item, part, cancel);
    places_destroy(&part->places);
    memory_release(&part->planes->memory);
    return status;
}

enum dame_status solver_load_values(struct solver *solver, struct material material, int nesting,
                                    uint64_t first, uint64_t count, const uint8_t *values, int threads,
                                    const atomic_bool *cancel)
{
    struct part part = {.values = values, .first = first, .count = count, .put = put_value};
    if (values_contain_never(values, (size_t)values_bytes(count)))
        return DAME_CORRUPT_TABLE;
    enum dame_status status = load_part(solver, material, nesting, &part, threads, cancel);
    if (status == DAME_OK)
        solver->loading.loaded_values += count;
    return status;
}

enum dame_status solver_load_distances(struct solver *solver, struct material material, int nesting,
                                       uint64_t first, uint64_t count, const uint8_t *bytes, int threads,
                                       const atomic_bool *cancel)
{
    struct part part = {.values = bytes, .first = first, .count = count, .put = put_distance};
    if (!metric_has_plies(solver->metric))
        return DAME_NOT_SUPPORTED;
    enum dame_status status = load_part(solver, material, nesting, &part, threads, cancel);
    if (status == DAME_OK)
        solver->loading.loaded_distances += count;
    return status;
}

/* Both slices of the pair, one if it is its own mirror. */
static int pair_slices(const struct open_pair *pair)
{
    return pair_is_own_mirror(pair) ? 1 : 2;
}

/* Values of other positions than those in `stored` are forgotten. */
static void keep_stored(struct planes *planes)
{
    for (size_t i = 0; i < planes->words; i++) {
        planes->won[i] &= planes->stored[i];
        planes->lost[i] &= planes->stored[i];
    }
}

/* Threats that one ply answers were forgotten: positions without a capture that are not stored. */
static void forget_answered(struct planes *planes, const uint64_t *quiet)
{
    for (size_t i = 0; i < planes->words; i++) {
        const uint64_t kept = planes->stored[i] | ~quiet[i];
        planes->won[i] &= kept;
        planes->lost[i] &= kept;
    }
}

/* Distances of quiet positions, coded so far; captures have theirs already. */
static enum dame_status decode_distances(const struct solver *solver, struct planes *planes,
                                         const uint64_t *quiet)
{
    for (size_t i = 0; i < planes->words; i++)
        for (uint64_t left = (planes->won[i] | planes->lost[i]) & quiet[i]; left != 0; left &= left - 1) {
            const int bit = bit_lowest(left);
            const bool odd = outcome_is_odd(solver->kernel->rules, planes->won[i] >> bit & 1);
            uint8_t *at = &planes->distance[64 * i + (size_t)bit];
            const int plies = coding_from_byte(metric_page(solver->metric)->coding, *at, odd);
            if ((odd && plies < 1) || plies > solver_plies(solver))
                return DAME_CORRUPT_TABLE;
            *at = (uint8_t)plies;
        }
    return DAME_OK;
}

static enum dame_status restore_answered(const struct solver *solver, const struct open_pair *pair,
                                         const struct memory quiet[2], int threads, const atomic_bool *cancel)
{
    enum dame_status status = pair_run(solver, pair, PAIR_THREATS, THREATS_STORED, threads, cancel, NULL);
    for (int i = 0; i < pair_slices(pair) && status == DAME_OK; i++)
        forget_answered(pair->results[i], quiet[i].at);
    if (status == DAME_OK)
        status = pair_run(solver, pair, PAIR_THREATS, THREATS_VALUES, threads, cancel, NULL);
    return status;
}

/* The steps of solver_load_finish; `quiet` keeps a copy of the plane of quiet positions for each slice. */
static enum dame_status complete_pair(const struct solver *solver, const struct open_pair *pair,
                                      struct memory quiet[2], int threads, const atomic_bool *cancel)
{
    const int slices = pair_slices(pair);
    enum dame_status status = DAME_OK;
    for (int i = 0; i < slices && status == DAME_OK; i++)
        status = planes_add_stored(pair->results[i], solver->spill);
    if (status == DAME_OK)
        status = pair_run(solver, pair, PAIR_THREATS, THREATS_QUIET, threads, cancel, NULL);
    for (int i = 0; i < slices && status == DAME_OK; i++) {
        struct planes *planes = pair->results[i];
        keep_stored(planes);
        status = memory_create(planes->words * sizeof(uint64_t), solver->spill, &quiet[i]);
        if (status == DAME_OK)
            memcpy(quiet[i].at, planes->stored, planes->words * sizeof(uint64_t));
    }
    if (status == DAME_OK)
        status = pair_run(solver, pair, PAIR_ADD_CAPTURES, THREATS_QUIET, threads, cancel, NULL);
    if (status == DAME_OK && solver_answers_threats(solver))
        status = restore_answered(solver, pair, quiet, threads, cancel);
    for (int i = 0; i < slices && status == DAME_OK && metric_has_plies(solver->metric); i++)
        status = decode_distances(solver, pair->results[i], quiet[i].at);
    for (int i = 0; i < slices; i++)
        planes_drop_stored(pair->results[i]);
    return status;
}

/* Every value of both slices, and every distance if the solver has them. */
static bool is_complete(const struct solver *solver, const struct open_pair *pair)
{
    uint64_t values = 0;
    for (int i = 0; i < pair_slices(pair); i++) {
        struct index_shape shape;
        if (index_shape(solver->kernel->board, pair->results[i]->material, 0, &shape) != DAME_OK)
            return false;
        values += shape.size;
    }
    return pair->loaded_values == values &&
           pair->loaded_distances == (metric_has_plies(solver->metric) ? values : 0);
}

enum dame_status solver_load_finish(struct solver *solver, int threads, const atomic_bool *cancel)
{
    const struct open_pair *pair = &solver->loading;
    if (!pair->is_open || !is_complete(solver, pair))
        return DAME_BAD_ARGUMENT;
    struct memory quiet[2] = {{0}, {0}};
    enum dame_status status = complete_pair(solver, pair, quiet, threads, cancel);
    for (int i = 0; i < 2; i++)
        memory_destroy(&quiet[i]);
    if (status == DAME_OK)
        pair_install(solver, &solver->loading);
    else
        pair_close(&solver->loading);
    return status;
}

void solver_load_stop(struct solver *solver)
{
    if (solver->loading.is_open)
        pair_close(&solver->loading);
}
