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
static void set_bit(uint64_t *word, uint64_t number)
{
    __atomic_fetch_or(word, bit_at((int)(number % 64)), __ATOMIC_RELAXED);
}

static void put_value(struct planes *planes, uint64_t bit, const uint8_t *values, uint64_t place)
{
    const int value = values_get(values, place);
    const uint64_t number = plane_bit_number(bit);
    const struct plane_rows at = planes_words(planes, plane_bit_block(bit), (size_t)(number / 64));
    if (value == VALUE_WIN)
        set_bit(at.won, number);
    if (value == VALUE_LOSS)
        set_bit(at.lost, number);
}

/* Coded as in the file until all values are known. */
static void put_distance(struct planes *planes, uint64_t bit, const uint8_t *values, uint64_t place)
{
    const uint64_t number = plane_bit_number(bit);
    planes_words(planes, plane_bit_block(bit), (size_t)(number / 64)).distance[number % 64] = values[place];
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

/* Both slices of the pair, one if it is its own mirror. */
static int pair_slices(const struct open_pair *pair)
{
    return pair_is_own_mirror(pair) ? 1 : 2;
}

/* Give up the first `count` blocks. */
static void give_up(struct planes *planes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        blocks_give_up(&planes->values, i);
}

/* All blocks of a slice are taken, or none. */
static enum dame_status take_all(struct planes *planes)
{
    for (uint32_t i = 0; i < planes->values.count; i++) {
        const enum dame_status status = blocks_take(&planes->values, i);
        if (status != DAME_OK) {
            give_up(planes, i);
            return status;
        }
    }
    return DAME_OK;
}

enum dame_status solver_load_start(struct solver *solver, struct material material)
{
    solver_load_stop(solver);
    struct open_pair pair;
    enum dame_status status = pair_open(solver, material, &pair);
    if (status != DAME_OK)
        return status;
    status = take_all(pair.results[0]);
    if (status == DAME_OK && pair_slices(&pair) == 2) {
        status = take_all(pair.results[1]);
        if (status != DAME_OK)
            give_up(pair.results[0], pair.results[0]->values.count);
    }
    if (status != DAME_OK) {
        pair_close(&pair);
        return status;
    }
    pair.is_loading = true;
    solver->loading = pair;
    return DAME_OK;
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

/* Keep of a block only the positions in `kept`, or, if `outside` is given, those outside of that as well. */
static void keep_bits(struct planes *planes, uint32_t block, const uint64_t *kept, const uint64_t *outside)
{
    const struct plane_rows at = planes_words(planes, block, 0);
    for (size_t i = 0; i < planes->values.blocks[block].words; i++) {
        const uint64_t bits = kept[i] | (outside == NULL ? 0 : ~outside[i]);
        at.won[i] &= bits;
        at.lost[i] &= bits;
    }
}

/* Distances of quiet positions, coded so far; captures have theirs already. */
static enum dame_status decode_distances(const struct solver *solver, struct planes *planes, uint32_t block,
                                         const uint64_t *quiet)
{
    const struct plane_rows at = planes_words(planes, block, 0);
    for (size_t i = 0; i < planes->values.blocks[block].words; i++)
        for (uint64_t left = (at.won[i] | at.lost[i]) & quiet[i]; left != 0; left &= left - 1) {
            const int bit = bit_lowest(left);
            const bool odd = outcome_is_odd(solver->kernel->rules, at.won[i] >> bit & 1);
            uint8_t *distance = &at.distance[64 * i + (size_t)bit];
            const int plies = coding_from_byte(metric_page(solver->metric)->coding, *distance, odd);
            if ((odd && plies < 1) || plies > solver_plies(solver))
                return DAME_CORRUPT_TABLE;
            *distance = (uint8_t)plies;
        }
    return DAME_OK;
}

/* The planes `stored` of both slices, without a block. */
static enum dame_status add_stored(struct solver *solver, const struct open_pair *pair)
{
    const struct blocks_home home = {.store = solver->store};
    enum dame_status status = DAME_OK;
    for (int i = 0; i < pair_slices(pair) && status == DAME_OK; i++)
        status = planes_add_stored(pair->results[i], &home);
    return status;
}

/* Which positions are quiet: the planes `stored` of both slices, which are the caller's now. */
static enum dame_status find_quiet(struct solver *solver, const struct open_pair *pair,
                                   struct blocks quiet[2], int threads, const atomic_bool *cancel)
{
    enum dame_status status = add_stored(solver, pair);
    if (status == DAME_OK)
        status = pair_run(solver, pair, PAIR_THREATS, THREATS_QUIET, threads, cancel, NULL);
    for (int i = 0; i < pair_slices(pair) && status == DAME_OK; i++)
        quiet[i] = planes_give_stored(pair->results[i]);
    return status;
}

/* Threats that one ply answers are not in the file: positions without a capture that are not stored. */
static enum dame_status restore_answered(struct solver *solver, const struct open_pair *pair,
                                         const struct blocks quiet[2], int threads, const atomic_bool *cancel)
{
    enum dame_status status = add_stored(solver, pair);
    if (status == DAME_OK)
        status = pair_run(solver, pair, PAIR_THREATS, THREATS_STORED, threads, cancel, NULL);
    for (int i = 0; i < pair_slices(pair) && status == DAME_OK; i++)
        for (uint32_t block = 0; block < quiet[i].count; block++)
            keep_bits(pair->results[i], block, blocks_at(&pair->results[i]->stored, block),
                      blocks_at(&quiet[i], block));
    if (status == DAME_OK)
        status = pair_run(solver, pair, PAIR_THREATS, THREATS_VALUES, threads, cancel, NULL);
    return status;
}

/* The steps of solver_load_finish; `quiet` gets the quiet positions of each slice. */
static enum dame_status complete_pair(struct solver *solver, const struct open_pair *pair,
                                      struct blocks quiet[2], int threads, const atomic_bool *cancel)
{
    const int slices = pair_slices(pair);
    enum dame_status status = find_quiet(solver, pair, quiet, threads, cancel);
    for (int i = 0; i < slices && status == DAME_OK; i++)
        for (uint32_t block = 0; block < quiet[i].count; block++)
            keep_bits(pair->results[i], block, blocks_at(&quiet[i], block), NULL);
    if (status == DAME_OK)
        status = pair_run(solver, pair, PAIR_ADD_CAPTURES, THREATS_QUIET, threads, cancel, NULL);
    if (status == DAME_OK && solver_answers_threats(solver))
        status = restore_answered(solver, pair, quiet, threads, cancel);
    for (int i = 0; i < slices && metric_has_plies(solver->metric); i++)
        for (uint32_t block = 0; block < quiet[i].count && status == DAME_OK; block++)
            status = decode_distances(solver, pair->results[i], block, blocks_at(&quiet[i], block));
    for (int i = 0; i < slices; i++)
        planes_drop_stored(pair->results[i]);
    return status;
}

/* All blocks of a pair on their way to their work files. */
struct putting {
    struct open_pair *pair;
    uint8_t *is_put; /* [blocks of both slices] */
};

static enum dame_status put_one(void *context, uint64_t item, int worker)
{
    const struct putting *putting = context;
    struct planes *const *results = putting->pair->results;
    const bool second = item >= results[0]->values.count;
    const uint64_t block = second ? item - results[0]->values.count : item;
    (void)worker;
    const enum dame_status status = blocks_put(&results[second]->values, (uint32_t)block);
    putting->is_put[item] = status == DAME_OK;
    return status;
}

static enum dame_status put_blocks(struct open_pair *pair, int threads, const atomic_bool *cancel)
{
    uint64_t all = 0, item = 0;
    for (int i = 0; i < pair_slices(pair); i++)
        all += pair->results[i]->values.count;
    struct putting putting = {pair, calloc(all, 1)};
    if (putting.is_put == NULL)
        return DAME_NO_MEMORY;
    const enum dame_status status = threads_run(threads, all, put_one, &putting, cancel);
    for (int i = 0; i < pair_slices(pair); i++)
        for (uint32_t block = 0; block < pair->results[i]->values.count; block++)
            if (!putting.is_put[item++])
                blocks_give_up(&pair->results[i]->values, block);
    pair->is_loading = false;
    free(putting.is_put);
    return status;
}

/* `paths`: of the part that is made of all blocks; NULL: each slice has its work file, or none. */
static enum dame_status put_all(const struct solver *solver, struct open_pair *pair,
                                const struct part_paths *paths, int threads, const atomic_bool *cancel)
{
    uint64_t placements[2] = {0, 0};
    enum dame_status status = paths == NULL ? DAME_OK : pair_begin_part(pair, paths);
    if (status == DAME_OK)
        status = put_blocks(pair, threads, cancel);
    for (int i = 0; i < pair_slices(pair) && status == DAME_OK && paths != NULL; i++)
        status = material_positions(solver->kernel->board, pair->results[i]->material, &placements[i]);
    return status == DAME_OK && paths != NULL ? pair_seal_part(pair, paths, placements) : status;
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

enum dame_status solver_load_finish(struct solver *solver, const struct part_paths *paths, int threads,
                                    const atomic_bool *cancel)
{
    const struct open_pair *pair = &solver->loading;
    if ((paths != NULL) != solver->in_parts || !pair->is_open || !is_complete(solver, pair))
        return DAME_BAD_ARGUMENT;
    struct blocks quiet[2] = {{0}, {0}};
    enum dame_status status = complete_pair(solver, pair, quiet, threads, cancel);
    for (int i = 0; i < 2; i++)
        blocks_destroy(&quiet[i], true);
    if (status == DAME_OK)
        status = put_all(solver, &solver->loading, paths, threads, cancel);
    if (status == DAME_OK)
        pair_install(solver, &solver->loading);
    else
        solver_load_stop(solver);
    return status;
}

void solver_load_stop(struct solver *solver)
{
    struct open_pair *pair = &solver->loading;
    if (!pair->is_open)
        return;
    for (int i = 0; i < pair_slices(pair) && pair->is_loading; i++)
        give_up(pair->results[i], pair->results[i]->values.count);
    pair_close(pair);
}
