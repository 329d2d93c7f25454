/* A finished slice is counted and encoded on one thread while the next one is solved on another. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "solving.h"

struct writing {
    struct solver *solver;
    struct material material;
    uint8_t *values;
    struct slice_counts counts;
};

static void *count_and_encode(void *argument)
{
    struct writing *writing = argument;
    CHECK(solver_counts(writing->solver, writing->material, NULL, &writing->counts) == DAME_OK);
    writing->values = encoded(writing->solver, writing->material, 2);
    return NULL;
}

static void check_against(struct solver *expected, struct writing *writing)
{
    const struct material m = writing->material;
    uint8_t *values = encoded(expected, m, 1);
    struct slice_counts counts;
    CHECK(solver_counts(expected, m, NULL, &counts) == DAME_OK);
    CHECK(memcmp(values, writing->values, (size_t)values_bytes(slice_size(m))) == 0);
    CHECK(counts.win == writing->counts.win && counts.loss == writing->counts.loss);
    free(values);
    free(writing->values);
}

int main(void)
{
    struct solver *expected = solve_all(english(), PIECES, 1, NULL), *solver;
    struct material list[2 * SLICES_MAX];
    struct writing writing = {0};
    pthread_t thread;
    bool writes = false;
    CHECK(solver_create(english(), PIECES, NULL, &solver) == DAME_OK);
    writing.solver = solver;
    for (int n = 2; n <= PIECES; n++)
        for (int i = 0, count = material_list(n, list); i < count; i++) {
            if (solver_planes(solver, list[i]) != NULL) /* with its mirror */
                continue;
            CHECK(solver_solve(solver, list[i], 2, NULL, NULL) == DAME_OK);
            if (writes) {
                CHECK(pthread_join(thread, NULL) == 0);
                check_against(expected, &writing);
            }
            writing.material = list[i];
            writes = pthread_create(&thread, NULL, count_and_encode, &writing) == 0;
            CHECK(writes);
        }
    CHECK(pthread_join(thread, NULL) == 0);
    check_against(expected, &writing);
    solver_destroy(solver);
    solver_destroy(expected);
    return check_result();
}
