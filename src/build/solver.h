/* The values of all slices of one rule set in memory, solved one pair of mirrored slices after the other. */
#ifndef DAME_BUILD_SOLVER_H
#define DAME_BUILD_SOLVER_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/status.h"
#include "kernel/kernel.h"
#include "slices/material.h"

struct solver;

/* Placements of one slice by their value for the side to move. */
struct slice_counts {
    uint64_t win, draw, loss;
};

/* For slices of at most `pieces` pieces (2..PIECES_MAX). DAME_NOT_SUPPORTED if the rule set has no row kernel. */
enum dame_status solver_create(const struct kernel *kernel, int pieces, struct solver **out);
void solver_destroy(struct solver *solver);

/* Bytes that solving a slice and its mirror takes: their planes, which stay, and the scratch of `threads` threads.
   DAME_TOO_LARGE if that does not fit. */
enum dame_status solver_bytes(const struct board *board, struct material material, int threads, uint64_t *planes,
                              uint64_t *scratch);

/* Solve a slice together with its mirror. Every slice that captures and promotions lead to must be in memory
   (DAME_NO_TABLE if not). `done` counts positions while it runs; `cancel` and `done` may be NULL. On any other
   status than DAME_OK the solver is as it was before. */
enum dame_status solver_solve(struct solver *solver, struct material material, int threads, const atomic_bool *cancel,
                              atomic_uint_fast64_t *done);

/* Put a slice and its mirror into memory from their values, packed as in table files (tables/FORMAT.md). For a
   slice that is its own mirror both pointers are the same. What solver_solve says holds here as well. */
enum dame_status solver_load(struct solver *solver, struct material material, const uint8_t *values,
                             const uint8_t *mirror_values, int threads, const atomic_bool *cancel);

/* Write the values of a solved slice as table files hold them: (size + 3) / 4 bytes. */
enum dame_status solver_encode(struct solver *solver, struct material material, uint8_t *out, int threads,
                               const atomic_bool *cancel);

enum dame_status solver_counts(const struct solver *solver, struct material material, struct slice_counts *out);

/* Forget a slice and its mirror. */
void solver_drop(struct solver *solver, struct material material);

#endif
