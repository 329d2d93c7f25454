/* What the tests of the builder share: solve everything, encode, compare, load again. */
#ifndef DAME_TESTS_SOLVING_H
#define DAME_TESTS_SOLVING_H

#include "build/solver.h"
#include "build/solver_state.h"
#include "check.h"
#include "naive.h"
#include "tables/values.h"

static inline uint64_t slice_size(struct material m)
{
    struct index_shape shape;
    CHECK(index_shape(english()->board, m, &shape) == DAME_OK);
    return shape.size;
}

static inline bool is_solved(const struct solver *solver, struct material m)
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

/* All values of a slice. The memory is full of ones before, so that every byte must be written. */
static inline uint8_t *encoded(struct solver *solver, struct material m, int threads)
{
    const uint64_t size = slice_size(m);
    uint8_t *out = malloc(values_bytes(size));
    memset(out, 0xFF, values_bytes(size));
    CHECK(solver_encode(solver, m, 0, size, out, threads, NULL) == DAME_OK);
    return out;
}

/* The same for distances; NULL if the solver has none. */
static inline uint8_t *encoded_distances(struct solver *solver, struct material m, int threads)
{
    const uint64_t size = slice_size(m);
    if (solver_planes(solver, m)->distance == NULL)
        return NULL;
    uint8_t *out = malloc(size);
    memset(out, 0xFF, size);
    CHECK(solver_encode_distance(solver, m, 0, size, out, threads, NULL) == DAME_OK);
    return out;
}

static inline void check_same_slice(const struct solver *a, const struct solver *b, struct material m)
{
    const struct planes *first = solver_planes(a, m), *second = solver_planes(b, m);
    CHECK(first->words == second->words);
    CHECK(memcmp(first->won, second->won, first->words * sizeof *first->won) == 0);
    CHECK(memcmp(first->lost, second->lost, first->words * sizeof *first->lost) == 0);
    CHECK((first->distance == NULL) == (second->distance == NULL));
    uint64_t wrong = 0;
    for (size_t i = 0; i < first->words && first->distance != NULL; i++)
        for (uint64_t left = first->won[i] | first->lost[i]; left != 0; left &= left - 1) {
            const size_t bit = 64 * i + (size_t)bit_lowest(left);
            wrong += first->distance[bit] != second->distance[bit];
        }
    CHECK(wrong == 0);
}

static inline void check_same_planes(const struct solver *a, const struct solver *b)
{
    for (int i = 0; i < slice_count; i++)
        check_same_slice(a, b, slices[i].material);
}

/* One slice of an opened pair, `part` configurations of men at a time; `distances` may be NULL. */
static inline enum dame_status load_slice(struct solver *to, struct material m, const uint8_t *values,
                                          const uint8_t *distances, uint64_t part, const atomic_bool *cancel)
{
    struct index_shape shape;
    CHECK(index_shape(english()->board, m, &shape) == DAME_OK);
    const uint64_t men = shape.own_men * shape.other_men, run = shape.own_kings * shape.other_kings;
    enum dame_status status = DAME_OK;
    for (uint64_t first = 0; first < men && status == DAME_OK; first += part) {
        const uint64_t count = men - first < part ? men - first : part;
        const uint64_t first_value = first * run / VALUES_PER_BYTE * VALUES_PER_BYTE;
        status = solver_load_values(to, m, first, count, values + first_value / VALUES_PER_BYTE, first_value,
                                    2, cancel);
        if (status == DAME_OK && distances != NULL)
            status =
                solver_load_distances(to, m, first, count, distances + first * run, first * run, 2, cancel);
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
    CHECK(solver_load_finish(to, 2, NULL) == DAME_OK);
}

#endif
