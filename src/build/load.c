#include "build/load.h"

#include <stdlib.h>

#include "base/threads.h"
#include "build/runs.h"
#include "build/solver_state.h"

struct loading {
    const struct steps *steps;
    const struct side *kings;
    const uint8_t *values;
    struct planes *planes;
    uint64_t *free; /* one row for each worker */
};

/* Up to 32 packed values from value number `from` on. */
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

/* All runs in one row of the other side: every set of men of the side to move. */
static enum dame_status load_row(void *context, uint64_t item, int worker)
{
    const struct loading *loading = context;
    struct planes *planes = loading->planes;
    uint64_t y_sets = planes->rows->king_sets, m_sets = planes->columns->men_sets;
    uint64_t x = item / y_sets, y = item % y_sets, length = planes->columns->king_sets;
    uint64_t *free_row = loading->free + (size_t)worker * row_words(length);
    for (uint64_t m = 0; m < m_sets; m++) {
        struct run_place place = run_place(planes, x, m, y);
        uint64_t index = ((x * m_sets + m) * y_sets + y) * length;
        free_values(loading->kings, loading->steps, run_of_ranks(planes, x, m, y), free_row);
        for (uint64_t k = 0; k < length; k += 32) {
            int count = length - k < 32 ? (int)(length - k) : 32;
            uint64_t packed = read_packed(loading->values, index + k, count);
            uint64_t won = bits_extract(packed, UINT64_C(0x5555555555555555));
            uint64_t lost = bits_extract(packed, UINT64_C(0xAAAAAAAAAAAAAAAA));
            if ((won & lost) != 0)
                return DAME_CORRUPT_TABLE;
            uint64_t stored = ~row_bits(free_row, k, count);
            row_put_bits(planes->won + place.row, place.bit + k, count, won & stored);
            row_put_bits(planes->lost + place.row, place.bit + k, count, lost & stored);
        }
    }
    return DAME_OK;
}

enum dame_status load_quiet(struct solver *solver, struct material material, const uint8_t *values,
                            struct planes *planes, int threads, const atomic_bool *cancel)
{
    struct loading loading = {.steps = &solver->steps, .values = values, .planes = planes};
    enum dame_status status = solver_side(solver, 0, material.own_kings, &loading.kings);
    if (status != DAME_OK)
        return status;
    loading.free = calloc((size_t)threads * row_words(loading.kings->king_sets), sizeof(uint64_t));
    if (loading.free == NULL)
        return DAME_NO_MEMORY;
    uint64_t rows = (uint64_t)planes->rows->men_sets * planes->rows->king_sets;
    status = threads_run(threads, rows, load_row, &loading, cancel);
    free(loading.free);
    return status;
}
