/* From the values and distances of table files back to planes: the quiet positions part by part, then all
   captures. */
#include <stdlib.h>

#include "base/threads.h"
#include "build/runs.h"
#include "build/solver_state.h"

struct part {
    const struct steps *steps;
    const struct side *kings;
    struct planes *planes;
    const uint8_t *values; /* or distances */
    uint64_t first_value;
    uint64_t first, end; /* configurations of men */
    uint64_t *free;      /* one row for each worker */
    enum distance distance;
    int plies; /* the largest distance */
    /* Load one run of values, from number `index` of `values` on. */
    enum dame_status (*load_run)(const struct part *part, struct run_place place, uint64_t index,
                                 const uint64_t *free_row);
};

/* Up to 32 packed values, the first of them number `from` of `values`. */
static uint64_t read_packed(const uint8_t *values, uint64_t from, int count)
{
    uint64_t bits = 0;
    uint64_t first = from / 4, last = (from + (uint64_t)count - 1) / 4;
    int shift = (int)(from % 4) * 2;
    for (uint64_t byte = first; byte <= last; byte++) {
        int at = (int)(byte - first) * 8 - shift;
        bits |= at >= 0 ? (uint64_t)values[byte] << at : (uint64_t)values[byte] >> -at;
    }
    return bits & bits_below(2 * count);
}

static enum dame_status load_values_run(const struct part *part, struct run_place place, uint64_t index,
                                        const uint64_t *free_row)
{
    struct planes *planes = part->planes;
    uint64_t length = planes->columns->king_sets;
    for (uint64_t k = 0; k < length; k += 32) {
        int count = length - k < 32 ? (int)(length - k) : 32;
        uint64_t packed = read_packed(part->values, index + k, count);
        uint64_t won = bits_extract(packed, UINT64_C(0x5555555555555555));
        uint64_t lost = bits_extract(packed, UINT64_C(0xAAAAAAAAAAAAAAAA));
        if ((won & lost) != 0)
            return DAME_CORRUPT_TABLE;
        uint64_t stored = ~row_bits(free_row, k, count);
        row_put_bits(planes->won + place.row, place.bit + k, count, won & stored);
        row_put_bits(planes->lost + place.row, place.bit + k, count, lost & stored);
    }
    return DAME_OK;
}

/* The plies that a byte stands for, -1 if it stands for nothing. */
static int decoded(const struct part *part, int byte, bool won)
{
    int plies = part->distance == DISTANCE_DTW ? 2 * byte - won : byte;
    return (won && plies < 1) || plies > part->plies ? -1 : plies;
}

static enum dame_status load_distances_run(const struct part *part, struct run_place place, uint64_t index,
                                           const uint64_t *free_row)
{
    struct planes *planes = part->planes;
    uint64_t length = planes->columns->king_sets;
    for (uint64_t k = 0; k < length; k += 64) {
        int count = length - k < 64 ? (int)(length - k) : 64;
        uint64_t won = row_bits(planes->won + place.row, place.bit + k, count);
        uint64_t lost = row_bits(planes->lost + place.row, place.bit + k, count);
        const uint8_t *bytes = part->values + index + k;
        uint8_t *out = planes->distance + 64 * place.row + place.bit + k;
        for (uint64_t left = (won | lost) & ~row_bits(free_row, k, count); left != 0; left &= left - 1) {
            int bit = bit_lowest(left), plies = decoded(part, bytes[bit], won >> bit & 1);
            if (plies < 0)
                return DAME_CORRUPT_TABLE;
            out[bit] = (uint8_t)plies;
        }
    }
    return DAME_OK;
}

static enum dame_status load_run(const struct part *part, uint64_t x, uint64_t m, uint64_t y,
                                 uint64_t *free_row)
{
    const struct planes *planes = part->planes;
    uint64_t y_sets = planes->rows->king_sets, length = planes->columns->king_sets;
    uint64_t index = ((x * planes->columns->men_sets + m) * y_sets + y) * length - part->first_value;
    free_values(part->kings, part->steps, run_of_ranks(planes, x, m, y), free_row);
    return part->load_run(part, run_place(planes, x, m, y), index, free_row);
}

/* All runs of the part in one row of the other side; a row belongs to one thread alone. */
static enum dame_status load_row(void *context, uint64_t item, int worker)
{
    const struct part *part = context;
    const struct planes *planes = part->planes;
    uint64_t y_sets = planes->rows->king_sets, m_sets = planes->columns->men_sets;
    uint64_t *free_row = part->free + (size_t)worker * row_words(planes->columns->king_sets);
    uint64_t x = part->first / m_sets + item / y_sets;
    uint64_t first = x * m_sets > part->first ? x * m_sets : part->first;
    uint64_t end = (x + 1) * m_sets < part->end ? (x + 1) * m_sets : part->end;
    enum dame_status status = DAME_OK;
    for (uint64_t men = first; men < end && status == DAME_OK; men++)
        status = load_run(part, x, men % m_sets, item % y_sets, free_row);
    return status;
}

enum dame_status solver_load_start(struct solver *solver, struct material material)
{
    solver_load_stop(solver);
    return pair_open(solver, material, &solver->loading);
}

/* Load a part that knows its values and how to load a run of them. */
static enum dame_status load_part(struct solver *solver, struct material material, struct part *part,
                                  int threads, const atomic_bool *cancel)
{
    const struct open_pair *pair = &solver->loading;
    if (!pair->is_open || part->end <= part->first || threads < 1)
        return DAME_BAD_ARGUMENT;
    bool mirror = !material_equal(material, pair->material);
    if (mirror && !material_equal(material, material_mirror(pair->material)))
        return DAME_BAD_ARGUMENT;
    part->steps = &solver->steps;
    part->planes = pair->results[mirror];
    part->distance = solver->distance;
    part->plies = solver->plies;
    uint64_t m_sets = part->planes->columns->men_sets, x_sets = part->planes->rows->men_sets;
    uint64_t run = (uint64_t)part->planes->rows->king_sets * part->planes->columns->king_sets;
    if (part->end > m_sets * x_sets || part->first_value > part->first * run)
        return DAME_BAD_ARGUMENT;
    enum dame_status status = solver_side(solver, 0, material.own_kings, &part->kings);
    if (status != DAME_OK)
        return status;
    part->free = calloc((size_t)threads * row_words(part->kings->king_sets), sizeof(uint64_t));
    if (part->free == NULL)
        return DAME_NO_MEMORY;
    uint64_t rows = (part->end - 1) / m_sets - part->first / m_sets + 1;
    status = threads_run(threads, rows * part->planes->rows->king_sets, load_row, part, cancel);
    free(part->free);
    memory_release(&part->planes->memory);
    return status;
}

enum dame_status solver_load_values(struct solver *solver, struct material material, uint64_t first,
                                    uint64_t count, const uint8_t *values, uint64_t first_value, int threads,
                                    const atomic_bool *cancel)
{
    struct part part = {.values = values,
                        .first_value = first_value,
                        .first = first,
                        .end = first + count,
                        .load_run = load_values_run};
    enum dame_status status = load_part(solver, material, &part, threads, cancel);
    if (status == DAME_OK)
        solver->loading.loaded_values += count;
    return status;
}

enum dame_status solver_load_distances(struct solver *solver, struct material material, uint64_t first,
                                       uint64_t count, const uint8_t *bytes, uint64_t first_value,
                                       int threads, const atomic_bool *cancel)
{
    struct part part = {.values = bytes,
                        .first_value = first_value,
                        .first = first,
                        .end = first + count,
                        .load_run = load_distances_run};
    if (solver->distance == DISTANCE_NONE)
        return DAME_NOT_SUPPORTED;
    enum dame_status status = load_part(solver, material, &part, threads, cancel);
    if (status == DAME_OK)
        solver->loading.loaded_distances += count;
    return status;
}

enum dame_status solver_load_finish(struct solver *solver, int threads, const atomic_bool *cancel)
{
    const struct open_pair *pair = &solver->loading;
    if (!pair->is_open ||
        (solver->distance != DISTANCE_NONE && pair->loaded_distances != pair->loaded_values))
        return DAME_BAD_ARGUMENT;
    enum dame_status status = pair_run(solver, &solver->loading, PAIR_ADD_CAPTURES, threads, cancel, NULL);
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
