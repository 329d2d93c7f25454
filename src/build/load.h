/* From the values of a table file back to planes: all quiet positions of one slice. */
#ifndef DAME_BUILD_LOAD_H
#define DAME_BUILD_LOAD_H

#include <stdatomic.h>
#include <stdint.h>

#include "build/solver.h"
#include "slices/planes.h"

/* `planes` is empty. DAME_CORRUPT_TABLE if a value is none. */
enum dame_status load_quiet(struct solver *solver, struct material material, const uint8_t *values,
                            struct planes *planes, int threads, const atomic_bool *cancel);

#endif
