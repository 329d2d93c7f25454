/* From planes to the values of a table file. Free values copy the value before them, which lengthens runs; at
   the start of a chunk they copy the first value that is not free. Chunks are independent of each other, so
   that the bytes do not depend on the threads. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "build/runs.h"
#include "build/solver_state.h"
#include "slices/index.h"

enum {
    CHUNK_VALUES = SOLVER_CHUNK, /* values that one thread writes at a time: 16 KiB of the file */
    CHUNK_WORDS = CHUNK_VALUES / 64,
    FILL_STATES = 3, /* the value before: draw, win, loss */
    FILL_SIZE = FILL_STATES << 12
};

struct encoding {
    const struct steps *steps;
    const struct side *kings;
    const struct planes *planes;
    uint64_t first, end; /* values to write */
    uint8_t *out;
    uint64_t *scratch; /* for each worker: three rows of a chunk, and one row of free values */
    size_t scratch_words;
    uint8_t
        fill[FILL_SIZE]; /* [value before, four bits free, four bits lost, four bits won] -> four values */
};

static void make_fill(uint8_t fill[FILL_SIZE])
{
    for (unsigned state = 0; state < FILL_SIZE; state++) {
        unsigned won = state & 15, lost = state >> 4 & 15, free_bits = state >> 8 & 15, before = state >> 12;
        unsigned packed = 0;
        for (int i = 0; i < 4; i++) {
            if (!(free_bits >> i & 1))
                before = (won >> i & 1) | (lost >> i & 1) << 1;
            packed |= (before & 3) << 2 * i;
        }
        fill[state] = (uint8_t)packed;
    }
}

static void copy_bits(const uint64_t *from, uint64_t from_bit, uint64_t *to, uint64_t to_bit, uint64_t count)
{
    while (count != 0) {
        int n = count < 64 ? (int)count : 64;
        row_put_bits(to, to_bit, n, row_bits(from, from_bit, n));
        from_bit += (uint64_t)n;
        to_bit += (uint64_t)n;
        count -= (uint64_t)n;
    }
}

/* The value that leading free values copy: the first that is not free, a draw if there is none. */
static unsigned first_value(const uint64_t *won, const uint64_t *lost, const uint64_t *free_bits,
                            uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (!(free_bits[i / 64] >> i % 64 & 1))
            return (unsigned)(won[i / 64] >> i % 64 & 1) | (unsigned)(lost[i / 64] >> i % 64 & 1) << 1;
    return 0;
}

/* Up to 64 values. Most words hold one value throughout, which is seen at once. */
static void fill_word(const uint8_t fill[FILL_SIZE], uint64_t won, uint64_t lost, uint64_t free_bits,
                      int count, unsigned *before, uint8_t *out)
{
    uint64_t other_won = *before == 1 ? ~won : won, other_lost = *before == 2 ? ~lost : lost;
    if (count == 64 && ((other_won | other_lost) & ~free_bits) == 0) {
        memset(out, (int)(*before * 0x55), 16);
        return;
    }
    for (int i = 0; i < count; i += 4) {
        unsigned w = (unsigned)(won >> i & 15), l = (unsigned)(lost >> i & 15),
                 f = (unsigned)(free_bits >> i & 15);
        out[i / 4] = fill[*before << 12 | f << 8 | l << 4 | w];
        *before = out[i / 4] >> 6;
    }
}

static enum dame_status encode_chunk(void *context, uint64_t item, int worker)
{
    const struct encoding *encoding = context;
    const struct planes *planes = encoding->planes;
    uint64_t y_sets = planes->rows->king_sets, m_sets = planes->columns->men_sets;
    uint64_t length = planes->columns->king_sets;
    uint64_t *won = encoding->scratch + (size_t)worker * encoding->scratch_words;
    uint64_t *lost = won + CHUNK_WORDS + 1, *free_bits = lost + CHUNK_WORDS + 1;
    uint64_t *free_row = free_bits + CHUNK_WORDS + 1;
    memset(won, 0, 3 * (CHUNK_WORDS + 1) * sizeof *won);

    uint64_t start = encoding->first + item * CHUNK_VALUES;
    uint64_t count = encoding->end - start < CHUNK_VALUES ? encoding->end - start : CHUNK_VALUES;
    for (uint64_t done = 0; done < count;) {
        uint64_t k = (start + done) % length, rest = (start + done) / length;
        uint64_t y = rest % y_sets, m = rest / y_sets % m_sets, x = rest / y_sets / m_sets;
        uint64_t n = length - k < count - done ? length - k : count - done;
        struct run_place place = run_place(planes, x, m, y);
        free_values(encoding->kings, encoding->steps, run_of_ranks(planes, x, m, y), free_row);
        copy_bits(planes->won + place.row, place.bit + k, won, done, n);
        copy_bits(planes->lost + place.row, place.bit + k, lost, done, n);
        copy_bits(free_row, k, free_bits, done, n);
        done += n;
    }
    unsigned before = first_value(won, lost, free_bits, count);
    uint8_t *out = encoding->out + (start - encoding->first) / 4;
    for (uint64_t i = 0; i < count; i += 64) {
        int n = count - i < 64 ? (int)(count - i) : 64;
        fill_word(encoding->fill, won[i / 64], lost[i / 64], free_bits[i / 64], n, &before, out + i / 4);
    }
    if (count % 4 != 0) /* bits past the last value are zero */
        out[count / 4] &= (uint8_t)bits_below(2 * (int)(count % 4));
    return DAME_OK;
}

enum dame_status solver_encode(struct solver *solver, struct material material, uint64_t first,
                               uint64_t count, uint8_t *out, int threads, const atomic_bool *cancel)
{
    const struct planes *planes = solver_planes(solver, material);
    struct index_shape shape;
    if (planes == NULL)
        return DAME_NO_TABLE;
    enum dame_status status = index_shape(solver->kernel->board, material, &shape);
    if (status != DAME_OK)
        return status;
    if (threads < 1 || first % CHUNK_VALUES != 0 || first > shape.size || count > shape.size - first ||
        (count % CHUNK_VALUES != 0 && first + count != shape.size))
        return DAME_BAD_ARGUMENT;
    struct encoding *encoding = calloc(1, sizeof *encoding);
    if (encoding == NULL)
        return DAME_NO_MEMORY;
    encoding->steps = &solver->steps;
    encoding->planes = planes;
    encoding->out = out;
    encoding->first = first;
    encoding->end = first + count;
    make_fill(encoding->fill);
    status = solver_side(solver, 0, material.own_kings, &encoding->kings);
    if (status == DAME_OK) {
        encoding->scratch_words = 3 * (CHUNK_WORDS + 1) + row_words(encoding->kings->king_sets) + 1;
        encoding->scratch = calloc((size_t)threads * encoding->scratch_words, sizeof(uint64_t));
        status = encoding->scratch == NULL ? DAME_NO_MEMORY : DAME_OK;
    }
    if (status == DAME_OK)
        status =
            threads_run(threads, (count + CHUNK_VALUES - 1) / CHUNK_VALUES, encode_chunk, encoding, cancel);
    memory_release(&planes->memory);
    free(encoding->scratch);
    free(encoding);
    return status;
}
