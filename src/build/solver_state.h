/* What the files of this folder share: the inside of a solver. */
#ifndef DAME_BUILD_SOLVER_STATE_H
#define DAME_BUILD_SOLVER_STATE_H

#include "base/detail.h"
#include "boards/steps.h"
#include "build/hold.h"
#include "build/solver.h"
#include "kernel/rows/unit.h"
#include "planes/king_moves.h"
#include "planes/planes.h"
#include "planes/side.h"
#include "slices/ordering.h"

enum { COUNTS = PIECES_MAX + 1, SLICE_PLACES = COUNTS * COUNTS * COUNTS * COUNTS + 1 };

/* A slice and its mirror on their way into the solver. Side 0 is to move in the slice. */
struct open_pair {
    bool is_open;
    bool is_loading;          /* all blocks are taken until all values are known */
    struct material material; /* of the slice */
    const struct side *sides[2];
    struct planes
        *results[2]; /* with side 0 and side 1 to move; the same for a slice that is its own mirror */
    uint64_t loaded_values, loaded_distances; /* of both slices together */
};

struct encoder;

struct solver {
    const struct kernel *kernel;
    int pieces;
    struct store *store;
    char *work; /* directory, or NULL */
    uint64_t work_least;
    bool in_parts;
    enum metric metric;
    struct draw_rule draw_rule;
    struct open_pair loading;
    struct encoder *encoder; /* NULL: nothing is being encoded */
    struct steps steps;
    struct ordering *ordering;
    struct side *sides[COUNTS][COUNTS];    /* [men][kings], made when first asked for */
    struct king_moves *king_moves[COUNTS]; /* [kings] */
    struct planes *slices[SLICE_PLACES];   /* by material, NULL where not in the solver */
};

/* Where the solver keeps a slice. A material with too many pieces has a place as well, which stays empty. */
static inline size_t solver_place(struct material m)
{
    if (material_pieces(m) > PIECES_MAX)
        return SLICE_PLACES - 1;
    return (((size_t)m.own_men * COUNTS + m.own_kings) * COUNTS + m.other_men) * COUNTS + m.other_kings;
}

static inline const struct planes *solver_planes(const struct solver *solver, struct material m)
{
    return solver->slices[solver_place(m)];
}

static inline bool pair_is_own_mirror(const struct open_pair *pair)
{
    return material_equal(pair->material, material_mirror(pair->material));
}

/* If a man's move ends a phase, positions of more advanced men must be finished first, so each advance is a
   class then. */
static inline bool sides_are_whole(enum metric metric)
{
    return !metric_ends_phase(metric, BY_MAN);
}

/* Under a draw rule a value depends on the counter, which one ply more advances: no threat is answered from
   the tables then. */
static inline bool solver_answers_threats(const struct solver *solver)
{
    return solver->draw_rule.plies == 0;
}

/* What takes more plies is a draw. */
static inline int solver_plies(const struct solver *solver)
{
    return solver->draw_rule.plies != 0 ? solver->draw_rule.plies : PLIES_MAX;
}

/* The side with its tables, made on the first call. */
enum dame_status solver_side(struct solver *solver, int men, int kings, const struct side **out);

/* Planes for a slice and its mirror: empty, or what work files hold of them. */
enum dame_status pair_open(struct solver *solver, struct material material, struct open_pair *out);
void pair_close(struct open_pair *pair); /* work files stay */

/* Bytes of the planes of a slice, and of those of it and its mirror. DAME_TOO_LARGE. */
enum dame_status solver_planes_bytes(const struct kernel *kernel, struct material material,
                                     enum metric metric, uint64_t *of_slice, uint64_t *of_pair);

/* Where a slice keeps blocks: in a work file, in parts, or in memory. `path` has room for SOLVER_PATH_MAX
   bytes; `part`: "values" or "stored". DAME_TOO_LARGE: the path of the directory is too long. */
enum { SOLVER_PATH_MAX = 4096 };
enum home { HOME_MEMORY, HOME_FILE, HOME_PARTS };
enum dame_status solver_home(const struct solver *solver, struct material material, const char *part,
                             enum home home, char *path, struct blocks_home *out);

/* A slice that is in the solver, and its mirror. DAME_NO_TABLE. */
enum dame_status pair_of_finished(const struct solver *solver, struct material material,
                                  struct open_pair *out);

/* Take a slice and its mirror out of the solver; `remove`: their work files vanish. */
void solver_forget(struct solver *solver, struct material material, bool remove);

/* Give what has been computed to the solver, in place of what it had. */
void pair_install(struct solver *solver, struct open_pair *pair);

enum pair_work { PAIR_SOLVE, PAIR_ADD_CAPTURES, PAIR_THREATS };

/* Where the moves of one side lead: the slices in which the other side moves then. DAME_NO_TABLE: one that
   the work needs is not in the solver. */
enum dame_status pair_link(const struct solver *solver, const struct open_pair *pair, int side,
                           enum pair_work work, struct mover *out);

/* Work through all units, level by level. `threats` says what PAIR_THREATS is to do. */
enum dame_status pair_run(struct solver *solver, const struct open_pair *pair, enum pair_work work,
                          enum threats threats, int threads, const atomic_bool *cancel,
                          atomic_uint_fast64_t *done);

/* Solve some units of a pair, whether or not they are there; those before them must be. `placements`: how
   many were met with each side to move; of a pair that is its own mirror the first are all. */
enum dame_status pair_solve_units(struct solver *solver, const struct open_pair *pair, uint64_t first,
                                  uint64_t count, int threads, const atomic_bool *cancel,
                                  atomic_uint_fast64_t *done, uint64_t placements[2]);

/* Begin a part of both slices, whose blocks are put then; complete it. */
enum dame_status pair_begin_part(const struct open_pair *pair, const struct part_paths *paths);
enum dame_status pair_seal_part(const struct open_pair *pair, const struct part_paths *paths,
                                const uint64_t placements[2]);

#endif
