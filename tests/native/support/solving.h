/* What the tests of the builder share: solve everything, encode, compare, load again. */
#ifndef DAME_TESTS_SOLVING_H
#define DAME_TESTS_SOLVING_H

#include "build/solver.h"
#include "build/solver_state.h"
#include "check.h"
#include "naive.h"
#include "tables/coder.h"
#include "tables/values.h"

static inline uint64_t slice_size(struct material m)
{
    struct index_shape shape;
    CHECK(index_shape(english()->board, m, 0, &shape) == DAME_OK);
    return shape.size;
}

static inline bool is_solved(struct solver *solver, struct material m)
{
    struct slice_counts counts;
    return solver_counts(solver, m, NULL, &counts) == DAME_OK;
}

/* All slices of 2..pieces pieces. */
static inline struct solver *solve_all(const struct kernel *kernel, int pieces, int threads,
                                       const struct solver_options *options)
{
    struct solver *solver;
    CHECK(solver_create(kernel, pieces, options, &solver) == DAME_OK);
    for (int n = 2; n <= pieces; n++) {
        struct material list[2 * SLICES_MAX];
        const int count = material_list(n, list);
        for (int i = 0; i < count; i++) {
            if (is_solved(solver, list[i])) /* with its mirror */
                continue;
            atomic_uint_fast64_t done = 0;
            CHECK(solver_solve(solver, list[i], threads, NULL, &done) == DAME_OK);
            const bool two = !material_equal(list[i], material_mirror(list[i]));
            CHECK(done == slice_size(list[i]) * (two ? 2 : 1));
            CHECK(is_solved(solver, material_mirror(list[i])));
        }
    }
    return solver;
}

/* One block as a reader decodes it, which writes exactly `left` bytes. */
static inline void decode_block(const struct lines *lines, uint64_t all, const struct model *model,
                                uint64_t first, size_t left, enum block_form form, const uint8_t *code,
                                size_t length, uint8_t *out)
{
    if (form == BLOCK_FILL) {
        memset(out, code[0], left);
        return;
    }
    if (form == BLOCK_RAW) {
        memcpy(out, code, left);
        return;
    }
    uint8_t *padded = calloc(1, length + CODER_SLACK);
    memcpy(padded, code, length);
    const uint64_t values = all - first, most = (uint64_t)left * VALUES_PER_BYTE;
    CHECK(coder_decode(lines, model, first, (size_t)(values < most ? values : most), padded, length, out));
    free(padded);
}

/* The same values, or distances, in the order of the test. */
static inline uint8_t *in_test_order(struct material m, int nesting, bool distances, uint8_t *values)
{
    struct index_shape from, to;
    CHECK(index_shape(english()->board, m, nesting, &from) == DAME_OK);
    CHECK(index_shape(english()->board, m, test_nesting(m), &to) == DAME_OK);
    uint8_t *out = calloc(1, (size_t)(distances ? from.size : values_bytes(from.size)));
    for (uint64_t i = 0; i < from.size; i++) {
        uint64_t ranks[PIECE_SETS];
        for (int piece_set = 0; piece_set < PIECE_SETS; piece_set++)
            ranks[piece_set] = index_rank(&from, (enum piece_set)piece_set, i);
        const uint64_t at = index_of_ranks(&to, ranks);
        if (distances)
            out[at] = values[i];
        else
            values_set(out, at, values_get(values, i));
    }
    free(values);
    return out;
}

/* All values of a slice as a reader decodes them. The memory is full of ones before, so that every byte must
   be written. */
static inline uint8_t *encoded_as(struct solver *solver, struct material m, bool distances, int threads)
{
    const uint64_t values = slice_size(m), size = distances ? values : values_bytes(values);
    uint8_t *out = malloc(size), code[SOLVER_BLOCK_BYTES];
    memset(out, 0xFF, size);
    CHECK(solver_encode_start(solver, m, distances, threads, NULL) == DAME_OK);
    struct lines lines = {0};
    struct model model;
    struct solver_coding coding;
    struct index_shape shape;
    CHECK(solver_encode_fit(solver, NULL, threads, NULL, &coding) == DAME_OK);
    const size_t block_bytes = coding.block_bytes;
    CHECK(coding.blocks == (size + block_bytes - 1) / block_bytes);
    CHECK(model_read(coding.model, coding.model_size, &model));
    CHECK(index_shape(solver->kernel->board, m, coding.nesting, &shape) == DAME_OK);
    if (!distances)
        CHECK(lines_create(solver->kernel->board, solver->ordering, m, &shape, block_bytes * VALUES_PER_BYTE,
                           &lines) == DAME_OK);
    uint64_t block = 0;
    size_t length;
    enum block_form form;
    for (uint64_t at = 0; at < size; at += block_bytes, block++) {
        const size_t left = (size_t)(size - at < block_bytes ? size - at : block_bytes);
        CHECK(solver_encode_blocks(solver, block, 1, code, &length, &form) == DAME_OK);
        decode_block(&lines, values, &model, at * VALUES_PER_BYTE, left, form, code, length, out + at);
    }
    CHECK(solver_encode_blocks(solver, block, 1, code, &length, &form) == DAME_BAD_ARGUMENT);
    solver_encode_stop(solver);
    lines_destroy(&lines);
    return in_test_order(m, coding.nesting, distances, out);
}

static inline uint8_t *encoded(struct solver *solver, struct material m, int threads)
{
    return encoded_as(solver, m, false, threads);
}

/* The same for distances; NULL if the solver has none. */
static inline uint8_t *encoded_distances(struct solver *solver, struct material m, int threads)
{
    return !solver_planes(solver, m)->with_distance ? NULL : encoded_as(solver, m, true, threads);
}

/* Where the value of a position stands in the planes of its slice. */
struct plane_cell {
    uint32_t block;
    uint64_t bit;
};

static inline struct plane_cell plane_cell(const struct planes *planes, const struct position *p)
{
    const struct side *rows = planes->rows, *columns = planes->columns;
    const uint64_t other_men = bits_reverse(p->other_men, 32), other_kings = bits_reverse(p->other_kings, 32);
    const uint32_t row_class = side_class_of(rows, other_men),
                   column_class = side_class_of(columns, p->own_men);
    const uint64_t row = side_row(rows, row_class, other_men, other_kings);
    return (struct plane_cell){planes_block(planes, row_class, column_class),
                               64 * row * planes_row_words(planes, column_class) +
                                   side_row(columns, column_class, p->own_men, p->own_kings)};
}

static inline bool plane_has(const uint64_t *plane, uint64_t bit)
{
    return plane[bit / 64] >> bit % 64 & 1;
}

static inline int plane_wdl(const struct planes *planes, struct plane_cell cell)
{
    CHECK(blocks_pin(&planes->values, cell.block) == DAME_OK);
    const struct plane_rows at = planes_words(planes, cell.block, 0);
    const int wdl = (int)plane_has(at.won, cell.bit) - (int)plane_has(at.lost, cell.bit);
    blocks_unpin(&planes->values, cell.block);
    return wdl;
}

static inline void check_same_block(const struct planes *a, const struct planes *b, uint32_t block)
{
    const size_t words = a->values.blocks[block].words;
    uint64_t wrong = 0;
    CHECK(words == b->values.blocks[block].words);
    CHECK(blocks_pin(&a->values, block) == DAME_OK && blocks_pin(&b->values, block) == DAME_OK);
    const struct plane_rows first = planes_words(a, block, 0), second = planes_words(b, block, 0);
    CHECK(memcmp(first.won, second.won, words * sizeof *first.won) == 0);
    CHECK(memcmp(first.lost, second.lost, words * sizeof *first.lost) == 0);
    for (size_t i = 0; i < words && a->with_distance; i++)
        for (uint64_t left = first.won[i] | first.lost[i]; left != 0; left &= left - 1) {
            const size_t bit = 64 * i + (size_t)bit_lowest(left);
            wrong += first.distance[bit] != second.distance[bit];
        }
    CHECK(wrong == 0);
    blocks_unpin(&a->values, block);
    blocks_unpin(&b->values, block);
}

static inline void check_same_slice(const struct solver *a, const struct solver *b, struct material m)
{
    const struct planes *first = solver_planes(a, m), *second = solver_planes(b, m);
    CHECK(first->values.count == second->values.count && first->with_distance == second->with_distance);
    for (uint32_t block = 0; block < first->values.count; block++)
        check_same_block(first, second, block);
}

static inline void check_same_planes(const struct solver *a, const struct solver *b)
{
    for (int i = 0; i < slice_count; i++)
        check_same_slice(a, b, slices[i].material);
}

/* One slice of an opened pair, `part` values at a time (a multiple of 4); `distances` may be NULL. */
static inline enum dame_status load_slice(struct solver *to, struct material m, const uint8_t *values,
                                          const uint8_t *distances, uint64_t part, const atomic_bool *cancel)
{
    const uint64_t size = slice_size(m);
    const int nesting = test_nesting(m);
    enum dame_status status = DAME_OK;
    for (uint64_t first = 0; first < size && status == DAME_OK; first += part) {
        const uint64_t count = size - first < part ? size - first : part;
        status =
            solver_load_values(to, m, nesting, first, count, values + first / VALUES_PER_BYTE, 2, cancel);
        if (status == DAME_OK && distances != NULL)
            status = solver_load_distances(to, m, nesting, first, count, distances + first, 2, cancel);
    }
    return status;
}

static inline enum dame_status load_encoded(struct solver *from, struct solver *to, struct material m,
                                            uint64_t part)
{
    uint8_t *values = encoded(from, m, 1), *distances = encoded_distances(from, m, 1);
    const enum dame_status status = load_slice(to, m, values, distances, part, NULL);
    free(values);
    free(distances);
    return status;
}

/* A slice and its mirror out of one solver into another one. */
static inline void load_pair(struct solver *from, struct solver *to, struct material m, uint64_t part)
{
    const struct material mirror = material_mirror(m);
    CHECK(solver_load_start(to, m) == DAME_OK);
    CHECK(load_encoded(from, to, m, part) == DAME_OK);
    if (!material_equal(m, mirror))
        CHECK(load_encoded(from, to, mirror, part) == DAME_OK);
    CHECK(solver_load_finish(to, NULL, 2, NULL) == DAME_OK);
}

#endif
