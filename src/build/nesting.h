/* Which order the values of a file stand in (slices/index.h). */
#ifndef DAME_BUILD_NESTING_H
#define DAME_BUILD_NESTING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "planes/planes.h"
#include "slices/index.h"

/* How orders are compared: by the cost of samples of the slice. All are judged in round 0 and, if there are
   two rounds, the `kept` cheapest ones again in round 1, more exactly; if there are no more, in the last
   round alone. Any number of threads may call `cost`, which must not depend on their number. */
struct nesting_judge {
    enum dame_status (*cost)(void *context, int nesting, int round, uint64_t *cost);
    void *context;
    int rounds, kept;
    bool (*allows)(const struct index_shape *shape); /* a nesting; NULL: any */
};

/* Whether neighbours in the file are neighbours in the planes. The slowest piece set is one of men, so a part
   of the file lies in few blocks of the planes, those of one row class or of one column class; and the piece
   set that lies across the rows of the planes (build/gather.h) is one of the two fastest ones, so whole rows
   are moved. */
bool nesting_is_near(const struct index_shape *shape);

/* The cheapest nesting for the slice of these planes; of equal ones the one that was cheaper in round 0, then
   the smallest. Of nestings with the same indices only the smallest is looked at. */
enum dame_status nesting_choose(const struct planes *planes, const struct nesting_judge *judge, int threads,
                                const atomic_bool *cancel, int *out);

#endif
