/* Which order the values of a file stand in (slices/index.h). */
#ifndef DAME_BUILD_NESTING_H
#define DAME_BUILD_NESTING_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/status.h"
#include "planes/planes.h"

/* How orders are compared: by the cost of samples of the slice. All are judged in round 0 and, if there are
   two rounds, the `kept` cheapest ones again in round 1, more exactly. Any number of threads may call `cost`,
   which must not depend on their number. */
struct nesting_judge {
    enum dame_status (*cost)(void *context, int nesting, int round, uint64_t *cost);
    void *context;
    int rounds, kept;
};

/* The cheapest nesting for the slice of these planes; of equal ones the one that was cheaper in round 0, then
   the smallest. Of nestings with the same indices only the smallest is looked at. */
enum dame_status nesting_choose(const struct planes *planes, const struct nesting_judge *judge, int threads,
                                const atomic_bool *cancel, int *out);

#endif
