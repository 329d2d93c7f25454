/* The values of all slices of one rule set, solved one pair of mirrored slices after the other. They are kept
   in memory, those of large pairs in work files as well (planes/store.h). */
#ifndef DAME_BUILD_SOLVER_H
#define DAME_BUILD_SOLVER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/detail.h"
#include "base/status.h"
#include "kernel/kernel.h"
#include "position/outcome.h"
#include "slices/material.h"
#include "tables/layout.h"
#include "tables/model.h"

struct solver;

/* One thread at a time may call a function of a solver, but for two cases: any number of threads may encode
   blocks, and while slices are solved, found and sampled on one thread, a finished one may be counted and
   encoded on another, from solver_encode_start to solver_encode_stop, if nothing that it needs is dropped. */

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
    const char *work;    /* directory for work files (planes/store.h); NULL: all values stay in memory */
    uint64_t work_least; /* slice pairs whose values take so many bytes have work files; in parts, all have,
                            but which values of a slice of less bytes are stored is kept in memory */
    uint64_t budget;     /* bytes of their values in memory; what is pinned may pass it */
    bool in_parts;       /* several processes solve together: see solver_share */
    enum metric metric;
    struct draw_rule draw_rule; /* one that the metric allows; it must count plies itself */
};

/* For slices of at most `pieces` pieces (2..PIECES_MAX); `options` may be NULL. */
enum dame_status solver_create(const struct kernel *kernel, int pieces, const struct solver_options *options,
                               struct solver **out);
void solver_destroy(struct solver *solver); /* work files stay */

/* What was the matter with a work file, if a call has failed for that: a status, a text of at most DETAIL_MAX
   bytes, and errno; DAME_OK and no text if nothing was. It is told once. */
enum dame_status solver_take_failure(struct solver *solver, char *detail);

/* ---- Several processes, each with a solver of its own, solve together if they see the same files. Values
   lie in parts (planes/store.h): one of a slice for each range of units that were solved in one go. `work` is
   a directory that this solver alone uses. solver_solve and solver_find are not for such a solver. ---- */

/* Let a slice and its mirror be in the solver; without any value unless they were there. */
enum dame_status solver_share(struct solver *solver, struct material material);

/* Add a part of a slice that is in the solver. *placements: how many it holds. */
enum dame_status solver_add_part(struct solver *solver, struct material slice, const char *path,
                                 uint64_t *placements);

/* The files of a part: of a slice, and of its mirror unless that is the same. They are made under one name
   and get the other one when they are complete. */
struct part_paths {
    const char *partial[2], *complete[2];
};

/* Solve units of a pair that is in the solver, and all units before them. `first`: the number of the first of
   `count` units, in the order of solver_levels; `placements`: how many the part holds of each slice. On any
   other status than DAME_OK the pair leaves the solver. Otherwise as solver_solve. */
enum dame_status solver_solve_units(struct solver *solver, struct material material, uint64_t first,
                                    uint64_t count, const struct part_paths *paths, int threads,
                                    const atomic_bool *cancel, atomic_uint_fast64_t *done,
                                    uint64_t placements[2]);

/* Units of a pair that can be solved at the same time, when those of all levels before are. */
struct solver_level {
    uint64_t units;
    uint64_t values; /* of both slices */
};

enum { SOLVER_LEVELS_MAX = 256 };

/* In the order in which they are solved. DAME_TOO_LARGE. */
enum dame_status solver_levels(const struct kernel *kernel, struct material material, enum metric metric,
                               struct solver_level levels[SOLVER_LEVELS_MAX], int *count);

/* Bytes of blocks that were read from work files so far, and written to them. */
void solver_traffic(const struct solver *solver, uint64_t *read, uint64_t *written);

/* What solving a slice and its mirror takes, in bytes. */
struct solver_needs {
    uint64_t planes;  /* of the values of both, which stay */
    uint64_t scratch; /* of the threads */
    uint64_t stored;  /* while one of them is encoded */
    uint64_t pinned;  /* if values are in work files: what the threads pin at once, at most */
};

/* For `threads` threads. DAME_TOO_LARGE if it does not fit. */
enum dame_status solver_needs(const struct kernel *kernel, struct material material, enum metric metric,
                              int threads, struct solver_needs *out);

/* Bytes of the tables that the solver keeps for a side with so many men and kings, and for kings alone. */
enum dame_status solver_side_bytes(const struct kernel *kernel, int men, int kings, enum metric metric,
                                   uint64_t *side, uint64_t *king_moves);

/* Solve a slice together with its mirror. Every slice that captures and crownings lead to must be in the
   solver (DAME_NO_TABLE if not). `done` counts positions while it runs; `cancel` and `done` may be NULL. On
   any other status than DAME_OK the solver is as it was before. DAME_INCONSISTENT: the placements that were
   met are not those of material_positions().

   Units that a work file holds already are not solved again, so a build that was killed goes on inside the
   slice. A slice that has a work file and is solved or loaded again leaves the solver at once. */
enum dame_status solver_solve(struct solver *solver, struct material material, int threads,
                              const atomic_bool *cancel, atomic_uint_fast64_t *done);

/* Put a slice and its mirror into the solver if work files hold all of it: *found says whether they do. If
   not, what they hold vanishes. */
enum dame_status solver_find(struct solver *solver, struct material material, bool *found);

/* Put a slice and its mirror into the solver from their values, decoded as in values.h, in parts:
   solver_load_start, solver_load_values until both slices are complete, solver_load_finish. Everything that
   captures and crownings lead to must be in the solver by then (DAME_NO_TABLE). solver_load_stop gives up;
   call it after a failure.

   A part is `count` values from number `first` on, in the nesting of the table (slices/index.h). `values`
   starts with that of number `first`, a multiple of 4.

   A solver with distances needs those as well: solver_load_distances, bytes as in values.h; values and
   distances must come from tables of the solver's metric and draw rule. DAME_CORRUPT_TABLE: they contradict
   each other. solver_load_finish gives DAME_BAD_ARGUMENT unless every value was loaded once.

   `paths`: where all values go if they lie in parts (solver_share); otherwise NULL.

   Until solver_load_finish has returned both slices are in memory as a whole, whatever the budget is. */
enum dame_status solver_load_start(struct solver *solver, struct material material);
enum dame_status solver_load_values(struct solver *solver, struct material material, int nesting,
                                    uint64_t first, uint64_t count, const uint8_t *values, int threads,
                                    const atomic_bool *cancel);
enum dame_status solver_load_distances(struct solver *solver, struct material material, int nesting,
                                       uint64_t first, uint64_t count, const uint8_t *bytes, int threads,
                                       const atomic_bool *cancel);
enum dame_status solver_load_finish(struct solver *solver, const struct part_paths *paths, int threads,
                                    const atomic_bool *cancel);
void solver_load_stop(struct solver *solver);

/* Encode the values of a slice, or its distances, block by block. solver_encode_start finds out which values
   a file must hold; what moves lead to must be in the solver (DAME_NO_TABLE). DAME_NOT_SUPPORTED: distances
   of a solver that has none. solver_encode_fit finds out what suits them.

   Then any number of threads may call solver_encode_blocks, which gives `count` blocks from number `block` on
   as a table file holds them (tables/FORMAT.md), but distances before zstd, one after the other: `out` has
   room for SOLVER_BLOCK_BYTES each. The form is BLOCK_FILL (one byte), BLOCK_RAW or, of values alone,
   BLOCK_CODE. DAME_BAD_ARGUMENT if there are not so many. Blocks of values that are encoded together take
   less time. */
enum { SOLVER_BLOCK_BYTES = 1 << 14 };
enum dame_status solver_encode_start(struct solver *solver, struct material material, bool distances,
                                     int threads, const atomic_bool *cancel);
enum dame_status solver_encode_blocks(const struct solver *solver, uint64_t block, uint32_t count,
                                      uint8_t *out, size_t sizes[], enum block_form forms[]);
void solver_encode_stop(struct solver *solver);

/* What a file is coded with. */
struct solver_coding {
    int nesting;
    uint32_t block_bytes; /* when it is decoded */
    uint64_t blocks;
    uint32_t together;              /* encoding fewer blocks than these at a time takes longer */
    size_t model_size;              /* 0 for distances */
    uint8_t model[MODEL_BYTES_MAX]; /* stands in the file */
};

/* Tells how many bytes a block of distances would take in the file, about. It may be called by several
   threads at once; any other status than DAME_OK ends the fit and is handed on. */
struct compressor {
    enum dame_status (*size)(void *context, const uint8_t *bytes, size_t size, size_t *compressed);
    void *context;
};

/* The same for any number of threads. `compressor` is asked for distances alone; without one (NULL) they get
   the nesting with the fewest runs of equal bytes. DAME_BAD_ARGUMENT if nothing is being encoded. */
enum dame_status solver_encode_fit(struct solver *solver, const struct compressor *compressor, int threads,
                                   const atomic_bool *cancel, struct solver_coding *out);

/* Derive `count` pseudo-random values of a slice, with their distances if the solver has them, from the
   positions after each move, found by the per-position generator; the same ones for the same seed. Many at a
   time are of the same two classes, so that few blocks are read. What the moves lead to must be in the
   solver. */
enum dame_status solver_sample(struct solver *solver, struct material material, uint64_t count, uint64_t seed,
                               int threads, const atomic_bool *cancel, struct sample_report *out);

/* Count the values of a slice. */
enum dame_status solver_counts(struct solver *solver, struct material material, const atomic_bool *cancel,
                               struct slice_counts *out);

/* Forget a slice and its mirror; their work files vanish, parts stay. */
void solver_drop(struct solver *solver, struct material material);

#endif
