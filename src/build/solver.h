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
    int longest_win, longest_loss; /* plies, with distances; -1: there is none */
};

/* What a sample of the values of a slice has shown. */
struct sample_report {
    uint64_t positions, wrong;
};

/* What a solver finds out, and where it keeps it. All zero: who wins, in memory. */
struct solver_options {
    const char *spill; /* directory for nameless files, where values live and leave memory again and again */
    enum distance distance;
    int draw_plies; /* with DISTANCE_DTZ: so many plies without capture and man move are a draw; 0: no such
                       rule */
};

/* For slices of at most `pieces` pieces (2..PIECES_MAX); `options` may be NULL. DAME_NOT_SUPPORTED if the
   rule set has no row kernel. */
enum dame_status solver_create(const struct kernel *kernel, int pieces, const struct solver_options *options,
                               struct solver **out);
void solver_destroy(struct solver *solver);

/* Bytes that solving a slice and its mirror takes: their planes, which stay, and the scratch of `threads`
   threads. DAME_TOO_LARGE if that does not fit. */
enum dame_status solver_bytes(const struct board *board, struct material material, enum distance distance,
                              int threads, uint64_t *planes, uint64_t *scratch);

/* Bytes of the tables that the solver keeps for a side with so many men and kings, and for kings alone. */
enum dame_status solver_side_bytes(const struct kernel *kernel, int men, int kings, enum distance distance,
                                   uint64_t *side, uint64_t *king_moves);

/* Solve a slice together with its mirror. Every slice that captures and promotions lead to must be in the
   solver (DAME_NO_TABLE if not). `done` counts positions while it runs; `cancel` and `done` may be NULL. On
   any other status than DAME_OK the solver is as it was before. DAME_INCONSISTENT: the placements that were
   met are not those of material_positions(). */
enum dame_status solver_solve(struct solver *solver, struct material material, int threads,
                              const atomic_bool *cancel, atomic_uint_fast64_t *done);

/* Put a slice and its mirror into the solver from their values, packed as in table files (tables/FORMAT.md),
   in parts: solver_load_start, solver_load_values until both slices are complete, solver_load_finish.
   Everything that captures lead to must be in the solver by then (DAME_NO_TABLE). solver_load_stop
   gives up; call it after a failure.

   A part is `count` configurations of men from number `first` on; they are numbered as in slices/index.h,
   without the kings: X * men sets of the mover + M. `values` starts with value number `first_value` of the
   slice (a multiple of 4) and reaches at least to the end of the part.

   A solver with distances needs those of each part as well, after its values: solver_load_distances, where
   `bytes` starts with that of value number `first_value`, and values and distances must come from tables of
   the solver's metric and draw_plies. DAME_CORRUPT_TABLE: they contradict each other. solver_load_finish
   gives DAME_BAD_ARGUMENT unless there were distances for as many configurations as values. */
enum dame_status solver_load_start(struct solver *solver, struct material material);
enum dame_status solver_load_values(struct solver *solver, struct material material, uint64_t first,
                                    uint64_t count, const uint8_t *values, uint64_t first_value, int threads,
                                    const atomic_bool *cancel);
enum dame_status solver_load_distances(struct solver *solver, struct material material, uint64_t first,
                                       uint64_t count, const uint8_t *bytes, uint64_t first_value,
                                       int threads, const atomic_bool *cancel);
enum dame_status solver_load_finish(struct solver *solver, int threads, const atomic_bool *cancel);
void solver_load_stop(struct solver *solver);

/* Write `count` values of a slice from number `first` on as table files hold them: (count + 3) / 4 bytes.
   `first` is a multiple of SOLVER_CHUNK; so is `count` unless the slice ends there. */
enum { SOLVER_CHUNK = 1 << 16 };
enum dame_status solver_encode(struct solver *solver, struct material material, uint64_t first,
                               uint64_t count, uint8_t *out, int threads, const atomic_bool *cancel);

/* The same for the distances of a solver that has them: `count` bytes. DAME_NOT_SUPPORTED if it has none. */
enum dame_status solver_encode_distance(struct solver *solver, struct material material, uint64_t first,
                                        uint64_t count, uint8_t *out, int threads, const atomic_bool *cancel);

/* Derive `count` pseudo-random values of a slice, with their distances if the solver has them, from the
   positions after each move, found by the per-position generator; the same ones for the same seed. What the
   moves lead to must be in the solver. */
enum dame_status solver_sample(const struct solver *solver, struct material material, uint64_t count,
                               uint64_t seed, int threads, const atomic_bool *cancel,
                               struct sample_report *out);

/* Count the values of a slice. */
enum dame_status solver_counts(const struct solver *solver, struct material material,
                               const atomic_bool *cancel, struct slice_counts *out);

/* Forget a slice and its mirror. */
void solver_drop(struct solver *solver, struct material material);

#endif
