/* The blocks of a unit: what it reads is held in memory, what it writes gets room. */
#ifndef DAME_BUILD_UNIT_BLOCKS_H
#define DAME_BUILD_UNIT_BLOCKS_H

#include "build/solver_state.h"

/* Whether both of its results are complete. */
bool unit_is_there(const struct unit *unit);

/* Do the work with all blocks in their places, and put the results. */
enum dame_status unit_run(const struct solver *solver, const struct open_pair *pair, struct unit *unit,
                          enum pair_work kind,
                          enum dame_status (*work)(const struct unit *unit, struct unit_memory *memory),
                          struct unit_memory *memory);

#endif
