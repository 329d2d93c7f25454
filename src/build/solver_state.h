/* What the files of this folder share: the inside of a solver. */
#ifndef DAME_BUILD_SOLVER_STATE_H
#define DAME_BUILD_SOLVER_STATE_H

#include "boards/steps.h"
#include "build/solver.h"
#include "kernel/unit.h"
#include "slices/king_moves.h"
#include "slices/planes.h"
#include "slices/side.h"

enum { COUNTS = PIECES_MAX + 1 };

struct solver {
    const struct kernel *kernel;
    int pieces;
    struct steps steps;
    struct side *sides[COUNTS][COUNTS];       /* [men][kings], made when first asked for */
    struct king_moves *king_moves[COUNTS];    /* [kings] */
    struct planes *slices[COUNTS * COUNTS * COUNTS * COUNTS]; /* by material, NULL where not in memory */
};

static inline struct planes **solver_slot(struct solver *solver, struct material m)
{
    return &solver->slices[((m.own_men * COUNTS + m.own_kings) * COUNTS + m.other_men) * COUNTS + m.other_kings];
}

static inline const struct planes *solver_planes(const struct solver *solver, struct material m)
{
    return solver
        ->slices[((m.own_men * COUNTS + m.own_kings) * COUNTS + m.other_men) * COUNTS + m.other_kings];
}

/* The side with its tables, made on the first call. */
enum dame_status solver_side(struct solver *solver, int men, int kings, const struct side **out);

#endif
