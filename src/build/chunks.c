#include "build/chunks.h"

#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "build/runs.h"
#include "build/solver_state.h"
#include "slices/index.h"

enum { CHUNK_WORDS = SOLVER_CHUNK / 64, CHUNK_ROW = CHUNK_WORDS + 1, CHUNK_ROWS = 3 };

struct encoding {
    const struct steps *steps;
    const struct side *kings;
    const struct planes *planes;
    const struct chunk_form *form;
    uint64_t first, end; /* values to write */
    uint8_t *out;
    uint64_t *scratch; /* for each worker: the rows of a chunk, and one row of free values */
    size_t scratch_words;
};

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

static enum dame_status encode_chunk(void *context, uint64_t item, int worker)
{
    const struct encoding *encoding = context;
    const struct planes *planes = encoding->planes;
    uint64_t y_sets = planes->rows->king_sets, m_sets = planes->columns->men_sets;
    uint64_t length = planes->columns->king_sets;
    uint64_t *won = encoding->scratch + (size_t)worker * encoding->scratch_words;
    uint64_t *lost = won + CHUNK_ROW, *free_bits = lost + CHUNK_ROW, *free_row = free_bits + CHUNK_ROW;
    memset(won, 0, CHUNK_ROWS * CHUNK_ROW * sizeof *won);

    uint64_t start = encoding->first + item * SOLVER_CHUNK;
    uint64_t count = encoding->end - start < SOLVER_CHUNK ? encoding->end - start : SOLVER_CHUNK;
    uint8_t *out = encoding->out + (start - encoding->first) / (uint64_t)encoding->form->values_per_byte;
    for (uint64_t done = 0; done < count;) {
        uint64_t k = (start + done) % length, rest = (start + done) / length;
        uint64_t y = rest % y_sets, m = rest / y_sets % m_sets, x = rest / y_sets / m_sets;
        uint64_t n = length - k < count - done ? length - k : count - done;
        struct run_place place = run_place(planes, x, m, y);
        free_values(encoding->kings, encoding->steps, run_of_ranks(planes, x, m, y), free_row);
        copy_bits(planes->won + place.row, place.bit + k, won, done, n);
        copy_bits(planes->lost + place.row, place.bit + k, lost, done, n);
        copy_bits(free_row, k, free_bits, done, n);
        if (encoding->form->with_distance)
            memcpy(out + done, planes->distance + 64 * place.row + place.bit + k, n);
        done += n;
    }
    struct chunk chunk = {.count = count, .won = won, .lost = lost, .free = free_bits};
    encoding->form->write(&chunk, encoding->form->context, out);
    return DAME_OK;
}

enum dame_status chunks_encode(struct solver *solver, struct material material, uint64_t first,
                               uint64_t count, const struct chunk_form *form, uint8_t *out, int threads,
                               const atomic_bool *cancel)
{
    const struct planes *planes = solver_planes(solver, material);
    struct index_shape shape;
    if (planes == NULL)
        return DAME_NO_TABLE;
    enum dame_status status = index_shape(solver->kernel->board, material, &shape);
    if (status != DAME_OK)
        return status;
    if (threads < 1 || first % SOLVER_CHUNK != 0 || first > shape.size || count > shape.size - first ||
        (count % SOLVER_CHUNK != 0 && first + count != shape.size))
        return DAME_BAD_ARGUMENT;
    struct encoding encoding = {.steps = &solver->steps,
                                .planes = planes,
                                .form = form,
                                .first = first,
                                .end = first + count,
                                .out = out};
    status = solver_side(solver, 0, material.own_kings, &encoding.kings);
    if (status != DAME_OK)
        return status;
    encoding.scratch_words = CHUNK_ROWS * CHUNK_ROW + row_words(encoding.kings->king_sets) + 1;
    encoding.scratch = calloc((size_t)threads * encoding.scratch_words, sizeof(uint64_t));
    if (encoding.scratch == NULL)
        return DAME_NO_MEMORY;
    status = threads_run(threads, (count + SOLVER_CHUNK - 1) / SOLVER_CHUNK, encode_chunk, &encoding, cancel);
    memory_release(&planes->memory);
    free(encoding.scratch);
    return status;
}
