/* The builder against the obvious solver of naive.h: the same slices in the same run, on one thread each.
   Prints one line of JSON. */
#define NAIVE_PIECES 4

#include "naive.h"

#include <time.h>

#include "build/solver.h"

enum { RUNS = 3 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Solve all slices, and compare the counts with the obvious ones. */
static void solve_by_rows(void)
{
    struct solver *solver;
    CHECK(solver_create(english(), PIECES, NULL, &solver) == DAME_OK);
    for (int i = 0; i < slice_count; i++) {
        struct slice_counts counts;
        if (solver_counts(solver, slices[i].material, NULL, &counts) == DAME_NO_TABLE)
            CHECK(solver_solve(solver, slices[i].material, 1, NULL, NULL) == DAME_OK);
    }
    for (int i = 0; i < slice_count; i++) {
        struct slice_counts counts;
        CHECK(solver_counts(solver, slices[i].material, NULL, &counts) == DAME_OK);
        CHECK(counts.win == slices[i].win && counts.draw == slices[i].draw && counts.loss == slices[i].loss);
    }
    solver_destroy(solver);
}

int main(void)
{
    double start = now();
    naive_solve_all();
    double naive_seconds = now() - start;
    double seconds = naive_seconds;
    for (int run = 0; run < RUNS; run++) {
        start = now();
        solve_by_rows();
        seconds = now() - start < seconds ? now() - start : seconds;
    }
    uint64_t positions = 0;
    for (int i = 0; i < slice_count; i++)
        positions += slices[i].win + slices[i].draw + slices[i].loss;
    naive_free();
    printf("{\"pieces\": %d, \"positions\": %llu, \"naive_seconds\": %.3f, \"seconds\": %.4f, \"ratio\": "
           "%.0f}\n",
           PIECES, (unsigned long long)positions, naive_seconds, seconds, naive_seconds / seconds);
    return check_result();
}
